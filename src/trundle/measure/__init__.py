"""Numbers and figures from a run: piles, stops, contact networks, energy."""

from trundle.measure.catalogue import MEASURES, measure_all
from trundle.measure.motion import Stop, stopping
from trundle.measure.network import (
    Coordination,
    Fabric,
    ForceChains,
    ForceDistribution,
    coordination,
    fabric,
    force_chains,
    force_distribution,
    mode_fractions,
)
from trundle.measure.pile import Repose, Rest, angle_of_repose, base_radius, pile_height, run_out, settled
from trundle.measure.snapshot import Network, Snapshot

__all__ = [
    "MEASURES",
    "Coordination",
    "Fabric",
    "ForceChains",
    "ForceDistribution",
    "Network",
    "Repose",
    "Rest",
    "Snapshot",
    "Stop",
    "angle_of_repose",
    "base_radius",
    "coordination",
    "fabric",
    "force_chains",
    "force_distribution",
    "measure_all",
    "mode_fractions",
    "pile_height",
    "run_out",
    "settled",
    "stopping",
]
