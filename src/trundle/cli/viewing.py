"""`trundle view`: serve a run to the browser until Ctrl-C."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from trundle.cli import terminal
from trundle.view.server import ViewServer, serve


def can_show_a_browser() -> bool:
    """Whether opening a browser makes sense: not over ssh or without a screen."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def announce(server: ViewServer) -> None:
    """Say where the page is, and how to end."""
    status = server.source.status()
    state = "" if status["finished"] else ", still being written: the page follows"
    out = terminal.output()
    out.print(f"{server.source.path.name}: {status['bodies']:,} bodies, {status['frames']:,} frames{state}")
    out.print(f"[bold]{server.url}[/]   (Ctrl-C ends)")
    out.file.flush()


def view(path: Path, port: int, browser: bool) -> None:
    """Serve the run until Ctrl-C."""
    server = serve(path, port, open_browser=browser and can_show_a_browser())
    try:
        announce(server)
        server.wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()
