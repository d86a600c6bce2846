"""When the solve of a time step changes its method, and how much work it may do: all tuning constants in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StepPolicy:
    """Sweeps first, matrix methods where they stall.  Counts are sweeps unless said otherwise.

    Sweeps over grains that reduce their change by less than a factor within a round are replaced by others.
    """

    sweeps_before_newton: int = 300  # of bodies in general, and more for many contacts: see `step.kernels.solution`
    sweeps_before_matrix: int = 1_000  # of grains; more, while twice as many reduce the residual by a factor:
    progress: float = 0.5
    share_of_first_sweeps: float = 0.3  # of all that are allowed, at most,
    most_first_sweeps: int = 20_000  # and so many
    contacts_for_few_sweeps: int = 800  # above this a factorisation takes as long as a thousand sweeps,
    sweeps_before_matrix_of_large_pile: int = 4_000  # and so many come first
    sweeps_before_matrix_to_coarse_tolerance: int = 8_000  # the last turns of the matrix methods cost more than that
    sweeps_before_newton_of_large_problem: int = 5_000  # of bodies in general, to a coarse tolerance
    sweeps_between_turns: int = 1_000  # of Newton's method, at least
    most_sweeps_between_turns: int = 3_000
    work_per_grain_contact: int = 7  # of a sweep, see `Monitor`
    work_of_grain_sweep: int = 1_000  # at least
    work_per_contact: int = 40  # the same of bodies in general
    work_of_sweep: int = 2_000
    contacts_for_matrix: int = 3_000  # above this there are sweeps alone
    contacts_for_few_first_sweeps: int = 300  # of bodies in general, to a coarse tolerance
    first_proximal: float = 1e-4  # delta of `ProximalPoint` after sweeps
    share_of_tolerance: float = 0.9  # that the matrix methods aim at: forms of a problem differ by rounding
    contacts_for_path: int = 300  # up to here the central path is followed
    turns_before_path: int = 6
    share_of_path: float = 0.6  # of the work that is left then
    factorisations_before_path: int = 100  # that must be left
    softness_of_path: float = 0.1  # share of the tolerance that contacts may yield by on it

    round: int = 100  # of grains: sweeps that must reduce their change by a factor, or momentum starts again,
    round_progress: float = 0.8
    round_to_fine_tolerance: int = 500  # there progress is slow but real
    round_progress_to_fine_tolerance: float = 0.9
    rounds: int = 1  # and after so many such rounds with sweeps of the natural map,
    calm_rounds: int = 1  # and after so many of these the other way round
    growth: float = 1.3  # of the change since the last restart, from which on momentum is given up
    calm_growth: float = 1.5

    first_sweeps: int = 5  # before the first look at the residual
    first_sweeps_of_large_pile: int = 2  # one at rest needs no more
    sweeps_between_looks: int = 10
    look_factor: float = 1.25  # look again when the change has fallen as the residual should, with this reserve
    look_at_least_every: int = 100  # when the change is near what the tolerance allows
    sweeps_between_late_looks: int = 1_000  # whatever the change

    coarse_tolerance: float = 1e-5  # from here on sweeps that stall are helped soon
    rounding_tolerance: float = 1e-7  # from here on the rounding that velocities of large piles gather does not matter
    fine_tolerance: float = 1e-9  # up to here some more sweeps for another digit
    polishing_rounds: int = 5

    def most_for_few_first_sweeps(self, tolerance: float) -> int:
        """Contacts of bodies in general up to which Newton's method takes over after few sweeps."""
        coarse = tolerance >= self.coarse_tolerance
        return self.contacts_for_few_first_sweeps if coarse else self.contacts_for_matrix

    def is_small(self, contacts: int) -> bool:
        """Whether the matrix methods are used on the whole problem of grains."""
        return contacts <= self.contacts_for_matrix

    def first_check(self, contacts: int, tolerance: float) -> int:
        """Sweeps over grains after which their progress is looked at for the first time."""
        if tolerance >= self.coarse_tolerance:
            return self.sweeps_before_matrix_to_coarse_tolerance
        large = contacts > self.contacts_for_few_sweeps
        return self.sweeps_before_matrix_of_large_pile if large else self.sweeps_before_matrix


POLICY = StepPolicy()
