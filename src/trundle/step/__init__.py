"""Time stepping."""

from trundle.step.moreau_jean import MoreauJean
from trundle.step.report import Ledger, StepReport

__all__ = ["Ledger", "MoreauJean", "StepReport"]
