"""How a run shows itself: pictures, plots, tables, and the page in a notebook.

The rooms that draw know runs, so they are imported when they are asked for: the only imports that go upwards.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.checked import flag
from trundle.errors import RecordingError, TrundleError, known, unknown
from trundle.output import beside, file_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL.Image import Image

    from trundle.record.questions import Questions
    from trundle.view.notebook import Page

TABLES = ("bodies", "contacts", "energy", "steps")
VECTORS = {"position": "xyz", "orientation": ("qw", "qx", "qy", "qz"), "velocity": ("vx", "vy", "vz"),
           "angular_velocity": ("wx", "wy", "wz")}  # fmt: skip
UNITS = {"position": "m", "orientation": "", "velocity": "m/s", "angular_velocity": "rad/s"}


class Shown:
    """Pictures, plots and tables of a run, whether it is in memory or in a file."""

    def _recorded(self) -> Path:
        """A recording of the run; one in memory is written to a temporary file first."""
        raise NotImplementedError

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Write the run as a recording, which `trundle view`, ParaView and `open_recording` read.

        force : replace a file that is there already
        """
        target = file_path("save", path)
        if target.is_dir():
            raise RecordingError(f"{target} is a folder; give a file, such as run.h5.")
        if target.exists() and not flag(RecordingError, "force", force):
            raise RecordingError(f"{target}: there is a file of this name already. Give another name, or force=True.")
        if not target.parent.is_dir():
            raise RecordingError(f"{target}: there is no folder {str(target.parent)!r}. Make it first.")
        self._write(target)
        return target

    def _write(self, target: Path) -> None:
        source = self._recorded()
        if target.exists() and target.samefile(source):
            return
        with beside(target) as part:
            shutil.copyfile(source, part)

    def view(self, *, height: int = 560, origin: str | None = None, port: int = 0) -> Page:
        """Show the page of the run: inside a notebook, otherwise in the browser.

        height : of the page in the notebook, in pixels
        origin : address of the notebook, such as "http://localhost:8888", the only one that may frame the page; found by
            itself for Jupyter servers on this machine
        port : of the page's own server on this machine; 0 takes a free one
        """
        from trundle.view.notebook import open_page

        page = open_page(self._recorded(), height, origin, port)
        page.keep(self)  # a run in memory takes its temporary file with it
        return page

    def picture(self, frame: int = -1, **look: Any) -> Image:
        """Draw a frame (negative: from the end) with its time and the legend of its colours; notebooks show the picture.

        look : width, height in pixels; colour, "speed", "spin", "force", "mode", "body", "surface", "size" or "plain";
            arrows, chains: draw contact forces, force chains; direction to the eye; zoom
        """
        from trundle.view.films import draw_picture

        return draw_picture(self._recorded(), frame=frame, **look)

    def plot(self, *bodies: str) -> Figure:
        """Draw the energies over time; with names of bodies, their velocities and angular velocities."""
        from trundle.view.curves import draw_bodies, draw_energy

        return draw_bodies(_questions(self), bodies) if bodies else draw_energy(_questions(self))

    def to_pandas(self, table: str = "bodies") -> Any:
        """A pandas table: "bodies" (a row per body and frame), "contacts", "energy" or "steps"; SI units."""
        if not known(table, TABLES):
            raise TrundleError(unknown("table", table, TABLES))
        pandas = _needed("pandas", "to_pandas")
        run = _questions(self)
        if run.frame_count == 0:
            raise TrundleError("to_pandas: the run has no frames yet.")
        if table in ("energy", "steps"):
            return pandas.DataFrame(getattr(run, table)).set_index("time")
        rows = _body_rows(run) if table == "bodies" else _contact_rows(run)
        return pandas.DataFrame(rows).set_index(["time", "body"] if table == "bodies" else "time")

    def to_xarray(self) -> Any:
        """An xarray dataset of the bodies over time, with units; NaN while a body is not yet poured."""
        xarray = _needed("xarray", "to_xarray")
        run = _questions(self)
        names, variables = list(run.names), {}
        for quantity, axes in VECTORS.items():
            values = np.full((run.frame_count, len(names), len(axes)), np.nan)
            variables[quantity] = (
                ("time", "body", "quaternion" if len(axes) == 4 else "axis"),
                values,
                {"units": UNITS[quantity]},
            )
        for k in range(run.frame_count):
            frame = run.frame(k)
            for quantity, (_, values, _) in variables.items():
                values[k, frame.body] = getattr(frame, quantity)
        places = {"time": ("time", run.time, {"units": "s"}), "body": names, "axis": list("xyz"),
                  "quaternion": list("wxyz")}  # fmt: skip
        return xarray.Dataset(variables, places)

    def _repr_html_(self) -> str:
        """What a notebook shows: a picture, a summary, the energy balance."""
        from trundle.view.notebook import run_html

        return run_html(_questions(self))


def _questions(run: Shown) -> Questions:
    return run  # type: ignore[return-value]


def _needed(package: str, method: str) -> Any:
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        raise TrundleError(
            f'{method} needs {package}, which is not installed: pip install "trundle[notebook]".'
        ) from error


def _body_rows(run: Questions) -> dict[str, Any]:
    frames = [run.frame(k) for k in range(run.frame_count)]
    names = np.array(run.names, dtype=object)
    rows: dict[str, Any] = {
        "time": np.concatenate([np.full(len(frame), frame.time) for frame in frames]),
        "body": names[np.concatenate([frame.body for frame in frames])],
    }
    for quantity, axes in VECTORS.items():
        values = np.concatenate([getattr(frame, quantity) for frame in frames])
        rows |= {axis: values[:, i] for i, axis in enumerate(axes)}
    return rows


def _contact_rows(run: Questions) -> dict[str, Any]:
    found = [run.contacts(k) for k in range(run.frame_count)]
    names = np.array(run.names, dtype=object)
    pairs = np.concatenate([contacts.body for contacts in found])
    rows: dict[str, Any] = {
        "time": np.concatenate([np.full(len(contacts), contacts.time) for contacts in found]),
        "one": names[pairs[:, 0]], "other": names[pairs[:, 1]],
    }  # fmt: skip
    for quantity, prefix in (("point", ""), ("normal", "n"), ("force", "f"), ("torque", "m")):
        values = np.concatenate([getattr(contacts, quantity) for contacts in found])
        rows |= {f"{prefix}{axis}": values[:, i] for i, axis in enumerate("xyz")}
    if any(contacts.deflection is not None for contacts in found):  # springs that remember
        for quantity, prefix in (("sliding_deflection", "s"), ("rolling_deflection", "theta_"), ("elastic_force", "fe"),
                                 ("elastic_torque", "me")):  # fmt: skip
            values = np.concatenate([getattr(contacts, quantity) for contacts in found])
            rows |= {f"{prefix}{axis}": values[:, i] for i, axis in enumerate("xyz")}
        rows["psi"] = np.concatenate([contacts.spinning_deflection for contacts in found])
    rows["gap"] = np.concatenate([contacts.gap for contacts in found])
    rows["mode"] = np.concatenate([contacts.mode for contacts in found])
    return rows
