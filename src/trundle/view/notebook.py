"""Runs, scenes and the page in notebooks."""

from __future__ import annotations

import base64
import io
import os
import re
import tempfile
import webbrowser
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.display import in_notebook
from trundle.errors import TrundleError
from trundle.record import layout, sampling
from trundle.record.questions import Questions
from trundle.record.writer import Writer
from trundle.scene.model import build_model
from trundle.scene.scene import Scene
from trundle.step.report import GAINS, LEDGER_TYPE, LOSSES, STORED
from trundle.view.films import draw_picture
from trundle.view.server import ViewServer, can_show_a_browser

if TYPE_CHECKING:
    from PIL.Image import Image

SMALL = {"width": 480, "height": 320}  # pixels of a picture beside a table
MOST_LINES = 8  # of lists in a table


# --- the page inline ------------------------------------------------------------------------------------


class Page:
    """The page of a run, served until `close` or the end of Python; notebooks show it in a frame."""

    def __init__(self, server: ViewServer, height: int, framed: bool) -> None:
        self._server, self._height, self._framed = server, height, framed

    @property
    def url(self) -> str:
        """Address of the page, with its key."""
        return self._server.url

    def keep(self, run: object) -> None:
        """Keep a run as long as its page is served, whether somebody holds on to the page or not."""
        self._server.kept = run

    def close(self) -> None:
        """End the page's server."""
        self._server.stop()

    def __repr__(self) -> str:
        return f"<Page: {self.url}>"

    def _repr_html_(self) -> str:
        link = f'<a href="{self.url}" target="_blank" rel="noopener">open the page in a tab of its own</a>'
        if not self._framed:
            return f'<p>{link}. To see it here, give the notebook\'s address: run.view(origin="http://localhost:8888").</p>'
        frame = (
            f'<iframe src="{self.url}" width="100%" height="{self._height}" style="border:1px solid #8884"></iframe>'
        )
        return f"{frame}<p>{link}</p>"


def open_page(path: Path, height: int, origin: str | None, port: int) -> Page:
    """Serve a recording: for a frame in the notebook that Python runs in, otherwise for the browser."""
    inside = in_notebook()
    origins = [origin] if origin is not None else notebook_origins() if inside else []
    server = ViewServer(path, port, origins).start()
    if not inside and origin is None and can_show_a_browser():
        with suppress(webbrowser.Error):
            webbrowser.open(server.ticket_url())
    return Page(server, height, bool(origins))


def notebook_origins() -> list[str]:
    """Addresses of the Jupyter server that started this kernel, by both names of this machine; none if it is not known."""
    try:
        from jupyter_server.serverapp import list_running_servers
    except ImportError:
        return []
    servers: Iterable[dict[str, Any]] = list(list_running_servers())
    own = [server for server in servers if str(server.get("pid")) == os.environ.get("JPY_PARENT_PID")]
    found = []
    for server in own or servers:
        match = re.match(r"(https?)://([^/:]+|\[[^\]]+\])(:\d+)?", str(server.get("url", "")))
        if match:
            scheme, host, port = match.group(1), match.group(2), match.group(3) or ""
            local = host in ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")
            names = ("localhost", "127.0.0.1") if local else (host,)
            found += [f"{scheme}://{name}{port}" for name in names]
    return list(dict.fromkeys(found))


# --- summaries ------------------------------------------------------------------------------------------


def run_html(run: Questions) -> str:
    """A picture of the last frame, a summary, the energy balance."""
    rows = [("bodies", f"{len(run.names):,}"), ("frames", f"{run.frame_count:,}")]
    steps = run.steps
    if len(steps):
        missed = int(np.count_nonzero(~steps["converged"]))
        more = f"; {missed:,} steps missed the tolerance" if missed else ""
        rows += [
            ("time", f"{steps['time'][-1]:g} s in {len(steps):,} steps"),
            ("contacts", f"{np.mean(steps['contacts']):.4g} on average, {np.max(steps['contacts']):,} at most"),
        ]
        if np.any(steps["residual"] > 0.0) or missed:  # formulation "history" solves nothing
            rows.append(("residual", f"{np.max(steps['residual']):.1e} at most{more}"))
    if run.joint_names:
        rows.append(("joints", names_words(run.joint_names)))
    for text in getattr(run, "warnings", [])[:MOST_LINES]:
        rows.append(("warning", text))
    picture = None
    with suppress(TrundleError):  # such as a run without frames: the table is worth showing all the same
        picture = run.picture(**SMALL)
    return side_by_side(picture, repr(run), rows + balance(run.energy))


def balance(energy: Any) -> list[tuple[str, str]]:
    """The energy balance of a run, line by line; what is nothing but rounding is not worth one."""
    if not len(energy):
        return []
    change = {name: float(np.sum(energy[name])) for name in (*GAINS, *LOSSES)}
    total = np.sum([energy[name] for name in STORED], axis=0)
    step = energy[0]
    start = float(total[0] - sum(step[name] for name in GAINS) + sum(step[name] for name in LOSSES))
    least = 1e-12 * max(abs(start), *(abs(value) for value in change.values()))
    rows = [("energy", f"{start:.6g} J at the start")]
    for sign, names in ((1.0, GAINS), (-1.0, LOSSES)):
        for name, words in names.items():
            if abs(change[name]) > least:
                said = words.replace("lost", "gained", 1) if sign * change[name] > 0.0 else words
                rows.append(("", f"{sign * change[name]:+.6g} J {said}"))
    return [*rows, ("", f"{float(total[-1]):.6g} J at the end")]


def scene_html(scene: Scene) -> str:
    """A picture of the start, bodies, surfaces and their laws."""
    picture = None
    if scene.bodies:
        with suppress(TrundleError), tempfile.TemporaryDirectory(prefix="trundle-") as folder:
            picture = draw_scene(scene, Path(folder) / "scene.h5")
    return side_by_side(picture, repr(scene).splitlines()[0], scene_rows(scene))


def scene_rows(scene: Scene) -> list[tuple[str, str]]:
    """What is in a scene, line by line."""
    shapes = Counter(type(body.shape).__name__ for body in scene.bodies)
    rows = [("bodies", ", ".join(f"{count:,} {name}" for name, count in shapes.most_common()))]
    fixed = [body.name for body in scene.bodies if body.fixed]
    for name, listed in (("fixed", fixed), ("moved", [body.name for body in scene.bodies if body.motion is not None]),
                         ("emitters", [emitter.name for emitter in scene.emitters]),
                         ("joints", [f"{joint.name} ({joint.kind})" for joint in scene.joints])):  # fmt: skip
        if listed:
            rows.append((name, names_words(listed)))
    for (one, other), pair in list(scene.pairs.items())[:MOST_LINES]:
        rows.append((f"{one} – {other}", repr(pair.law) + (f", e = {pair.restitution:g}" if pair.restitution else "")))
    if len(scene.pairs) > MOST_LINES:
        rows.append(("", f"and {len(scene.pairs) - MOST_LINES} more pairs of surfaces"))
    return rows


def draw_scene(scene: Scene, path: Path) -> Image:
    """A scene at its start; bodies that are still to be poured are not there."""
    model, state = build_model(scene)
    options = {"time_step": 1.0}  # a recording without steps: there are no forces to be divided by it
    layout.create(path, layout.Header(sampling.body_table(model), "", options, LEDGER_TYPE, sampling.MODES, 0,
                                      sampling.joint_table(scene.joints)))  # fmt: skip
    writer = Writer(path)
    try:
        joints = sampling.joints_of(model, state, None)
        writer.frame(0.0, sampling.points_of(model, state), {}, joints)
        writer.commit(None)
    finally:
        writer.close()
    return draw_picture(path, label=False, colour="body", **SMALL)


def names_words(names: Any, most: int = 6) -> str:
    """Some names of many."""
    return ", ".join(names[:most]) + (f", ... ({len(names):,} in all)" if len(names) > most else "")


def side_by_side(picture: Image | None, title: str, rows: list[tuple[str, str]]) -> str:
    """A picture and a table, in the colours of the notebook."""
    shown = ""
    if picture is not None:
        stream = io.BytesIO()
        picture.save(stream, "PNG")
        data = base64.b64encode(stream.getvalue()).decode()
        shown = (
            f'<img alt="{escape(title)}" src="data:image/png;base64,{data}" style="max-width:100%;border-radius:4px">'
        )
    lines = "".join(
        f'<tr><th style="text-align:left;padding:1px 12px 1px 0;font-weight:600">{escape(name)}</th>'
        f'<td style="text-align:left;padding:1px 0;font-variant-numeric:tabular-nums">{escape(text)}</td></tr>'
        for name, text in rows
    )
    table = f'<div><p style="margin:0 0 6px">{escape(title)}</p><table style="border:0;margin:0">{lines}</table></div>'
    return f'<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">{shown}{table}</div>'
