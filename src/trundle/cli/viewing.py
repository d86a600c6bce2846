"""`trundle view`, the page beside `trundle run`, and what `trundle export` draws: pages, pictures and films."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from trundle.cli import terminal
from trundle.cli.option_groups import Camera
from trundle.view.drape import Drape
from trundle.view.server import ViewServer, can_show_a_browser, serve

POLL = 0.2  # seconds between two looks for a recording that is to appear


def announce(server: ViewServer) -> None:
    """Say where the page is, and how to end."""
    status = server.source.status()
    state = "" if status["finished"] else ", still being written: the page follows"
    out = terminal.output()
    out.print(f"{escape(server.source.path.name)}: {status['bodies']:,} bodies, {status['frames']:,} frames{state}")
    out.print(f"[bold]{server.url}[/]   (Ctrl-C ends)", soft_wrap=True)
    out.file.flush()


def view(
    path: Path, port: int, browser: bool, drapes: Sequence[Path] = (), look: Mapping[str, Any] | None = None
) -> None:
    """Serve the run until Ctrl-C."""
    path, laid = with_drapes(path, drapes)
    server = serve(path, port, open_browser=browser and can_show_a_browser(), drapes=laid, look=_first_look(look or {}))
    try:
        announce(server)
        server.wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()


def with_drapes(path: Path, files: Sequence[Path]) -> tuple[Path, list[Drape]]:
    """The recording of a path, which may be the folder of a study, and pictures to lay over its terrain."""
    from trundle.view.drape import drapes_of_study, read_drape

    laid = [read_drape(file) for file in files]
    if path.is_dir():
        found = path / "blocks.h5"
        terminal.stop_unless(found.is_file(), f"{path}: this folder has no blocks.h5, which `trundle rockfall` writes.")
        laid += [drape for drape in drapes_of_study(path) if drape.name not in {one.name for one in laid}]
        path = found
    return path, laid


# --- beside a run -------------------------------------------------------------------------------------


class _Beside:
    """Starts `trundle view` in a process of its own as soon as the recording is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.process: subprocess.Popen[bytes] | None = None
        self._before = self._stamp()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="trundle-view-beside", daemon=True)
        self._thread.start()

    def _stamp(self) -> tuple[int, int] | None:
        """What tells a new file from one that was there before."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns

    def _watch(self) -> None:
        while not self._ended.wait(POLL):
            if self._show():
                return

    def _show(self) -> bool:
        """Start the page if the recording is there; returns whether it is."""
        if self._stamp() in (None, self._before):
            return False
        # a session of its own: the Ctrl-C that ends the run must not end the page
        command = [sys.executable, "-m", "trundle.cli", "view", str(self.path)]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        return True

    def stay(self) -> None:
        """Wait until the page is closed; start it first for a run that was over before anyone looked."""
        self._ended.set()
        self._thread.join()
        if self.process is None and not self._show():
            return
        assert self.process is not None
        terminal.say("the page stays open; Ctrl-C ends it", err=True)
        with contextlib.suppress(KeyboardInterrupt):
            self.process.wait()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        if self.process is not None:
            self.process.terminate()
            self.process.wait()


@contextlib.contextmanager
def beside(path: Path, wanted: bool) -> Iterator[None]:
    """The page of a run that is going on; when it is done, the page stays until Ctrl-C."""
    if not wanted:
        yield
        return
    page = _Beside(path)
    try:
        try:
            yield
        except typer.Exit as done:
            if done.exit_code == 0:
                page.stay()
            raise
    finally:
        page.end()


# --- pages, pictures, films ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawing:
    """What `trundle export` is to draw, and how."""

    page: Path | None = None
    picture: Path | None = None
    film: Path | None = None
    animation: Path | None = None
    frame: int = -1
    every: int | None = None
    speed: float = 1.0
    fps: float = 25.0
    size: str = "1280x720"
    look: dict[str, Any] = field(default_factory=dict)
    drapes: tuple[Path, ...] = ()

    @property
    def wanted(self) -> bool:
        """Whether anything is to be drawn."""
        return any((self.page, self.picture, self.film, self.animation))


def draw(path: Path, drawing: Drawing) -> None:
    """Write what is wanted."""
    from trundle.view.films import save_film, save_picture
    from trundle.view.page import export_page

    width, height = _size(drawing.size)
    path, laid = with_drapes(path, drawing.drapes)
    terminal.stop_unless(
        len(drawing.drapes) < 2 or drawing.page is not None, "--drape: a picture has one, only pages several."
    )
    drape = laid[0] if drawing.drapes else None
    look = {"width": width, "height": height, "drape": drape, **drawing.look}
    if drawing.page is not None:
        page = drawing.page
        first = _first_look({**drawing.look, "terrain": drape.name} if drape else drawing.look)
        _following(
            page, lambda told: export_page(path, page, every=drawing.every, progress=told, drapes=laid, look=first)
        )
    if drawing.picture is not None:
        terminal.say(f"written: {save_picture(path, drawing.picture, frame=drawing.frame, **look)}")
    for film, ending in ((drawing.film, ".mp4"), (drawing.animation, ".gif")):
        if film is None:
            continue
        terminal.stop_unless(film.suffix.lower() == ending, f"{film}: the name of this film must end in {ending}.")

        def shoot(told: Callable[[int, int], None], film: Path = film) -> Path:
            return save_film(path, film, fps=drawing.fps, speed=drawing.speed, progress=told, **look)

        _following(film, shoot)


def _following(target: Path, work: Callable[[Callable[[int, int], None]], Path]) -> None:
    """Do the work with a line about its progress."""
    with terminal.Activity(1) as activity:

        def told(done: int, total: int) -> None:
            activity.say(f"writing {target}: {done} of {total} frames")

        written = work(told)
    terminal.say(f"written: {written} ({written.stat().st_size / 1e6:.1f} MB)")


def camera_look(camera: Camera) -> dict[str, Any]:
    """What pictures are told about camera and terrain."""
    target = None if camera.aim is None else place_of(camera.aim)
    return {"follow": camera.follow, "target": target, "terrain": camera.terrain, "paths": camera.paths}


def _first_look(look: Mapping[str, Any]) -> dict[str, Any]:
    """What a page is told about how it opens."""
    named = {"follow": "follow", "target": "target", "paths": "paths", "ground": "terrain"}
    return {name: look[key] for name, key in named.items() if look.get(key)}


def place_of(text: str) -> tuple[float, ...]:
    """The place [m] that "x,y,z" names."""
    try:
        place = tuple(float(part) for part in text.split(","))
    except ValueError:
        place = ()
    terminal.stop_unless(
        len(place) == 3, f"--target {text}: three numbers with commas between them are expected, x,y,z [m]."
    )
    return place


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    terminal.stop_unless(
        width.isdigit() and height.isdigit(), f"--size {text} must be WIDTHxHEIGHT in pixels, such as 1280x720."
    )
    return int(width), int(height)
