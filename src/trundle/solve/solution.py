"""What a solver returns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from trundle.contact.problem import ContactProblem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class ContactSolution:
    """Impulses and velocities of a contact problem, with the residual to prove them.

    p : impulses [N s, N m s], shape (m,) ; y : velocities W p + q [m/s, rad/s], shape (m,)
    residual : `problem.residual(p)`, computed by the problem, not by the solver
    iterations : sweeps, steps or factorisations of the solver ; converged : residual <= tolerance
    message : how it ended, in words ; solve_time : wall time [s] ; solver : its name
    history : (iteration, residual) pairs, shape (k, 2), if asked for
    """

    problem: ContactProblem
    p: Array
    y: Array
    residual: float
    iterations: int
    converged: bool
    message: str
    solve_time: float
    solver: str
    history: Array | None = None

    @property
    def modes(self) -> NDArray[np.str_]:
        """Name of the state of each contact."""
        return self.problem.modes(self.p)

    def __bool__(self) -> bool:
        return self.converged

    def _facts(self) -> list[tuple[str, str]]:
        modes = Counter(self.modes.tolist())
        return [
            ("contacts", f"{sum(modes.values()):,}: " + ", ".join(f"{count:,} {name}" for name, count in modes.most_common())),
            ("solver", f"{self.solver}, {self.iterations:,} iterations, {self.solve_time:.3g} s"),
            ("result", self.message),
        ]  # fmt: skip

    def __repr__(self) -> str:
        return f"<ContactSolution: {'; '.join(text for _, text in self._facts())}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: contacts by mode, solver, residual, and how the residual fell if that was kept."""
        facts = list(self._facts())
        if self.history is not None and len(self.history):
            few = self.history[np.unique(np.linspace(0, len(self.history) - 1, 6).astype(int))]
            facts.append(("history", ", ".join(f"{residual:.1e} ({iteration:.0f})" for iteration, residual in few)))
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(a)}</th><td style='text-align:left'>{escape(b)}</td></tr>"
            for a, b in facts
        )
        return f"<table>{rows}</table>"
