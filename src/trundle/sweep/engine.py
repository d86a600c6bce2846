"""Campaigns on dask.distributed: from the runs that are missing to one table.

The client keeps every outcome as it arrives. What is lost when a worker, the scheduler or the client dies is at most
the work in progress: dask gives a dead worker's run to another one, and the next start computes what is missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trundle import checked
from trundle.errors import CampaignError, DiskError
from trundle.output import file_path
from trundle.sweep.campaign import Campaign
from trundle.sweep.store import Job, Store, identity
from trundle.sweep.table import need_packages, write_results
from trundle.sweep.task import check_parameters, load_function, run_on_worker, run_one

if TYPE_CHECKING:
    import pandas

DEATHS = 2  # workers that may die over a run that is alone on them, before it counts as failed
MOST_WORKERS = 10_000
WINDOW = 100  # runs that are with the scheduler at a time


@dataclass(frozen=True)
class Progress:
    """How far a campaign is: of `total` runs to compute, `done` are, some of them `failed`; `stored` were there before.

    seconds_left is None until a run has finished; what: runs, or what else is counted.
    """

    done: int
    failed: int
    total: int
    stored: int
    seconds_left: float | None
    what: str = "runs"

    def in_words(self) -> str:
        """How many runs are done, and how long the others will take."""
        before = f" ({self.stored} more from before)" if self.stored else ""
        left = f"first {self.what} under way" if self.seconds_left is None else f"{duration(self.seconds_left)} left"
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {self.total} {self.what}{before}, {left}{failed}"


def duration(seconds: float) -> str:
    """A time in the unit in which one thinks of it."""
    if seconds < 120.0:
        return f"{seconds:.3g} s"
    if seconds < 7200.0:
        return f"{seconds / 60.0:.1f} min"
    return f"{seconds / 3600.0:.1f} h"


@dataclass(frozen=True)
class CampaignResult:
    """A campaign's table and where it is kept.

    table : one row per run: parameters, values, warnings, error
    computed, stored, failed : number of runs of this call, of earlier ones, and of those with an error
    damaged : files of results that were not what was written, and were computed again
    seconds : time of this call ; run_seconds, cpu_seconds : wall and processor time of all runs, summed
    """

    table: pandas.DataFrame
    folder: Path
    computed: int
    stored: int
    failed: int
    seconds: float
    run_seconds: float
    cpu_seconds: float
    damaged: tuple[str, ...] = ()

    @property
    def good(self) -> pandas.DataFrame:
        """The rows of runs without an error; an error if there are none."""
        good = self.table[self.table["error"] == ""]
        if good.empty:
            why = self.table["error"].iloc[0]
            raise CampaignError(
                f"all {len(self.table)} runs of the campaign in {self.folder} failed, the first with: {why}"
            )
        return good

    @property
    def results(self) -> Path:
        """The Parquet file."""
        return self.folder / "results.parquet"


def make_jobs(campaign: Campaign) -> list[Job]:
    """All runs of a campaign, checked before the first is started."""
    points = campaign.points()
    if not points:
        raise CampaignError(f"campaign '{campaign.name}' has no runs.")
    if campaign.scene:
        from trundle.sweep.scenes import scene_jobs

        return scene_jobs(campaign, points)
    function = load_function(campaign.function, campaign.folder)
    check_parameters(function, [*points[0], *campaign.fixed], campaign.function)
    job = {"function": campaign.function, "folder": str(campaign.folder)}
    source = campaign.function.partition(":")[0]
    if source.endswith(".py"):  # other code is other work
        job["source"] = hashlib.sha256((campaign.folder / source).read_bytes()).hexdigest()
    return [{**job, "parameters": {**campaign.fixed, **point}} for point in points]


def run_campaign(
    campaign: Campaign,
    folder: str | Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    retry: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> CampaignResult:
    """Compute the runs that `folder` does not hold yet, and write results.parquet there.

    Parameters
    ----------
    workers : processes on this machine, one per core if None; 0: one after the other in this process, without dask
    scheduler : address of a running dask cluster, such as "tcp://host:8786", instead of workers of our own
    retry : compute failed runs again
    progress : called before the first run and after every run

    Returns
    -------
    CampaignResult
        The same table to the last bit, whatever the number of workers and of interruptions.
    """
    checked.instance(CampaignError, "campaign", campaign, Campaign, "a Campaign: see load_campaign")
    folder = file_path("campaign: folder", folder)
    check_workers(workers, scheduler)
    checked.flag(CampaignError, "retry", retry)
    check_told(progress)
    if scheduler is not None and workers is not None:
        raise CampaignError("give workers or scheduler, not both: a running cluster has its own workers.")
    start = time.perf_counter()
    need_packages()  # now, not after hours of work
    jobs = make_jobs(campaign)
    keys = [identity(job) for job in jobs]
    store = Store(Path(folder))
    missing = store.missing(keys, retry)
    damaged = tuple(sorted(store.damaged))
    done = failed = 0
    began = start
    if progress is not None and missing:
        progress(Progress(0, 0, len(missing), len(jobs) - len(missing), None))
    for i, outcome in compute(jobs, keys, missing, workers, scheduler):
        store.save(keys[i], jobs[i], outcome)
        now = time.perf_counter()
        if done == 0:  # workers that start are not runs: they would make the rest look longer
            began = max(start, now - outcome.get("seconds", 0.0))
        done += 1
        failed += "error" in outcome
        if progress is not None:
            left = (now - began) / done * (len(missing) - done)
            progress(Progress(done, failed, len(missing), len(jobs) - len(missing), left))
    outcomes = [store.load(key) or {"error": "the run's file has vanished"} for key in keys]
    table = write_results(jobs, outcomes, campaign, store.folder)
    wall, cpu = (sum(outcome.get(name, 0.0) for outcome in outcomes) for name in ("seconds", "cpu_seconds"))
    failed = int((table["error"] != "").sum())
    return CampaignResult(
        table, store.folder, done, len(jobs) - len(missing), failed, time.perf_counter() - start, wall, cpu, damaged
    )


def check_workers(workers: object, scheduler: object) -> None:
    """A number of processes, and an address."""
    if workers is not None:
        checked.whole(CampaignError, "workers", workers, most=MOST_WORKERS)
    if scheduler is not None and not (isinstance(scheduler, str) and scheduler):
        raise CampaignError(f"scheduler = {checked.shown(scheduler)} must be an address, such as 'tcp://host:8786'.")


def check_told(progress: object) -> None:
    """A function, or nothing."""
    if progress is not None and not callable(progress):
        raise CampaignError(f"progress = {checked.shown(progress)} must be a function of a Progress, or None.")


def compute(
    jobs: list[Job], keys: list[str], missing: list[int], workers: int | None, scheduler: str | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Outcomes of the missing runs, as they come."""
    if not missing:
        return
    if workers == 0:
        for i in missing:
            yield i, _result(run_one(jobs[i]))
        return
    if importlib.util.find_spec("distributed") is None:
        raise CampaignError(
            'campaigns in parallel need dask.distributed: pip install "trundle[sweep]". Or use workers=0.'
        )
    with _client(workers, scheduler, len(missing)) as client:
        crew = Crew(client, jobs, keys, scheduler or "of this machine")
        yield from crew.work(missing, window=WINDOW)
        # Whoever was on a worker that died is suspected; alone on it, one shows whether it kills its worker.
        for i in list(crew.suspects):
            crew.suspects.clear()
            for _ in range(DEATHS):
                finished = list(crew.work([i], window=1))
                if finished:
                    yield finished[0]
                    break
            else:
                yield i, {"error": f"the run killed its worker {DEATHS} times", "traceback": "", "warnings": []}


def _result(outcome: dict[str, Any]) -> dict[str, Any]:
    """An outcome, or the error that the disk took no more: whatever came before is kept."""
    if "disk" in outcome:
        raise DiskError(outcome["disk"])
    return outcome


class Crew:
    """Runs on a dask cluster; those whose worker died are in `suspects`."""

    def __init__(self, client: Any, jobs: list[Job], keys: list[str], place: str) -> None:
        self.client = client
        self.jobs = jobs
        self.keys = keys
        self.place = place
        self.suspects: list[int] = []
        self._attempt: Counter[int] = Counter()

    def _submit(self, i: int) -> Any:
        self._attempt[i] += 1
        key = f"trundle-{self.keys[i]}-{self._attempt[i]}"
        return self.client.submit(run_on_worker, self.jobs[i], key=key, pure=False)

    def work(self, numbers: list[int], window: int) -> Iterator[tuple[int, dict[str, Any]]]:
        """Outcomes of some runs as they come, never more than a window of them with the scheduler.

        A window, so that a dying worker takes few finished ones with it.
        """
        import distributed

        queue = iter(numbers)
        running = {self._submit(i): i for i in itertools.islice(queue, window)}
        completed = distributed.as_completed(running, loop=self.client.loop, raise_errors=False)
        for future in completed:
            i = running.pop(future)
            if future.status == "finished":
                yield i, _result(future.result())
            elif future.status == "error":
                error = future.exception()
                if isinstance(error, distributed.KilledWorker):
                    self.suspects.append(i)
                else:
                    yield i, {"error": f"{type(error).__name__}: {error}", "traceback": "", "warnings": []}
            else:  # cancelled or lost
                raise CampaignError(
                    f"the scheduler {self.place} is gone. What was finished is kept: start it, and this campaign, again."
                )
            future.release()
            for following in itertools.islice(queue, 1):
                future = self._submit(following)
                running[future] = following
                completed.add(future)


@contextlib.contextmanager
def _client(workers: int | None, scheduler: str | None, count: int) -> Iterator[Any]:
    """A client of the given cluster, or of one that lives as long as the campaign."""
    import dask
    import distributed
    from dask.system import CPU_COUNT  # those this process may use

    settings = {
        "distributed.scheduler.allowed-failures": 0, "distributed.comm.timeouts.connect": "10s",
        # nobody looks at these, and they interrupt every run a hundred times a second
        "distributed.worker.profile.enabled": False, "distributed.admin.system-monitor.interval": "10s",
    }  # fmt: skip
    with dask.config.set(settings):
        if scheduler is not None:
            try:
                client = distributed.Client(scheduler, timeout="10s", set_as_default=False)
            except (OSError, ValueError) as error:
                raise CampaignError(f"scheduler {scheduler}: no answer ({error}). Is it running?") from None
            with client:
                yield client
            return
        number = min(workers or CPU_COUNT, count)
        with (
            distributed.LocalCluster(
                n_workers=number,
                threads_per_worker=1,
                processes=True,
                dashboard_address=":0",
                memory_limit=0,
            ) as cluster,  # fmt: skip
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client
