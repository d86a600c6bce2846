"""Campaigns: many runs over parameters, on dask.distributed."""

from trundle.sweep.campaign import Campaign, load_campaign, make_campaign
from trundle.sweep.design import Range
from trundle.sweep.engine import CampaignResult, Progress, run_campaign

__all__ = ["Campaign", "CampaignResult", "Progress", "Range", "load_campaign", "make_campaign", "run_campaign"]
