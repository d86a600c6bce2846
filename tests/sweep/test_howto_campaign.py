"""The campaigns on the page docs/howto-campaign.md, and the one among the examples, are campaigns."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from trundle.sweep import load_campaign, make_campaign
from trundle.sweep.engine import make_jobs

ROOT = Path(__file__).resolve().parents[2]


def test_campaigns_of_the_page_can_be_read():
    text = (ROOT / "docs" / "howto-campaign.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    counts = []
    for block in blocks:
        table = tomllib.loads(block)
        table.setdefault("function" if "scene" not in table else "scene", "study.py:run")
        counts.append(len(make_campaign(table).points()))
    assert counts == [3 * 5 * 3, 7, 200]


def test_the_example_is_ready_to_run():
    jobs = make_jobs(load_campaign(ROOT / "examples" / "repose_campaign.toml"))
    assert len(jobs) == 10
    assert jobs[0]["parameters"] == {"grains": 1000, "rho": 0.0, "seed": 0}
