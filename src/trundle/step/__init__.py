"""Time stepping."""

from trundle.step.moreau_jean import Ledger, MoreauJean, StepReport

__all__ = ["Ledger", "MoreauJean", "StepReport"]
