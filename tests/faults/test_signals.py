"""A command that is asked to end commits, says so and returns 128 + the signal's number."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cases import heap
from kill_lab import kill_campaigns, kill_runs, kill_studies
from resume_lab import resume_everywhere

import trundle
from trundle import interrupts
from trundle.scene.writing import dump_scene
from trundle.sweep import Campaign, run_campaign

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def started(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "trundle", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120.0
    while not path.exists():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def endless(tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text(dump_scene(heap()) + "\n[simulation]\nduration = 100000.0\ntime_step = 1e-3\nevery = 50\n")
    return scene


@pytest.mark.parametrize(
    ("number", "ignored"),
    # shells let what they start in the background of a script ignore SIGINT
    [(signal.SIGTERM, None), (signal.SIGHUP, None), (signal.SIGINT, None), (signal.SIGTERM, signal.SIGINT)],
)
def test_a_run_commits_its_last_step_before_it_ends(endless, tmp_path, number, ignored):
    path = tmp_path / "run.h5"
    before = partial(signal.signal, ignored, signal.SIG_IGN) if ignored else None
    process = started("run", endless, "-o", path, preexec_fn=before)
    wait_for(path, process)
    time.sleep(0.2)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert interrupts.in_words(number) in said
    assert "continue with: trundle run --resume" in said
    assert "Traceback" not in said
    with trundle.open_recording(path) as run:
        assert not run.finished
        # the last frame is that of the last step, not of the last commit by the clock
        assert run.time[-1] == run.steps["time"][-1] > 0.0


def test_a_signal_while_modules_are_imported_is_no_traceback(endless, tmp_path):
    for delay in (0.05, 0.15, 0.3, 0.6):
        process = started("run", endless, "-o", tmp_path / "run.h5")
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        if process.returncode == -signal.SIGINT:  # before Python itself was ready
            continue
        assert process.returncode in (130, 1), said
        # Python's own start, before it runs any line of ours, has its own words
        assert "trundle" not in said.partition("Traceback")[2], said
    left = [file.name for file in tmp_path.iterdir() if ".part" in file.name]
    assert left == []


def test_the_second_signal_ends_at_once():
    code = (
        "import os, signal, time\nfrom trundle import interrupts\n"
        "interrupts.take_over(begun=True)\n"
        "try:\n    os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)\n"
        "except KeyboardInterrupt:\n    os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == -signal.SIGTERM


def test_a_program_with_its_own_handler_keeps_it(monkeypatch):
    came = []
    former = signal.signal(signal.SIGTERM, lambda *_: came.append(1))
    try:
        with interrupts.Wish() as end:
            os.kill(os.getpid(), signal.SIGTERM)
            assert not end
        assert came == [1]
    finally:
        signal.signal(signal.SIGTERM, former)


def test_signals_wait_while_a_file_is_written():
    seen = []

    def written() -> None:
        with interrupts.held_back():
            os.kill(os.getpid(), signal.SIGINT)
            seen.append("whole")

    with pytest.raises(KeyboardInterrupt):
        written()
    assert seen == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_truncated_run_is_no_result_of_a_campaign(tmp_path):
    campaign = Campaign("one", function="kill_lab.py:interrupted", vary={"mu": [0.3]}, folder=Path(__file__).parent)
    with pytest.raises(KeyboardInterrupt):
        run_campaign(campaign, tmp_path, workers=0)
    assert list((tmp_path / "runs").iterdir()) == []


def test_killed_runs_and_campaigns_end_as_if_nobody_had_killed_them(tmp_path):
    for lab, count in ((kill_runs, 18), (kill_campaigns, 2), (kill_studies, 2)):
        (tmp_path / lab.__name__).mkdir()
        result = lab(tmp_path / lab.__name__, count, seed=5)
        assert result["failures"] == []
        assert result["kills"] >= count


def test_a_full_disk_is_no_result_of_a_campaign(tmp_path):
    campaign = Campaign("one", function="kill_lab.py:no_room", vary={"mu": [0.3]}, folder=Path(__file__).parent)
    with pytest.raises(trundle.DiskError, match="No space left"):
        run_campaign(campaign, tmp_path, workers=0)
    assert list((tmp_path / "runs").iterdir()) == []


@pytest.mark.parametrize("name", ["exact", "midpoint"])
def test_a_run_resumed_from_any_of_its_checkpoints_gives_the_same_bits(name):
    found = resume_everywhere(name, duration=0.2, stride=9)
    assert found == {"runs done": 13, "failures": []}
