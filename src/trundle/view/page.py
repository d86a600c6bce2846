"""A run in one HTML file that plays anywhere, without a server and without the internet.

The page is that of `trundle view`; frames are inside it, in blocks that are unpacked as they are needed.  In a block,
positions are whole multiples of a step no larger than 1/200 of the smallest body, stored as what differs from straight
motion; quaternions have 8 bits per number; speeds and forces for the colours follow a square law; both are stored as
differences to the frame before.  What a block holds is compressed (gzip) and written as text (base64).
"""

from __future__ import annotations

import base64
import gzip
import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import output
from trundle.errors import TrundleError
from trundle.record import Recording
from trundle.view.drape import Drape
from trundle.view.packing import pack
from trundle.view.server import static_text
from trundle.view.source import RunSource, contact_arrays, frame_arrays, held_bodies, measure_ranges, telling_frame

Arrays = dict[str, NDArray[Any]]
Progress = Callable[[int, int], None]

FRAMES_OF_BLOCK = 16
ROWS_OF_BLOCK = 400_000  # bodies times frames
MOST_ROWS = 5_000_000  # bodies times frames of a page; longer runs keep every n-th frame
FINE_ROWS = 1_000_000  # up to this many, speeds have 16 bits
CONTACT_ROWS = 300_000  # contacts of all frames; of more, the strongest of each frame are kept
FEWEST_CONTACTS = 200
FINENESS = 200  # steps of the position in the radius of the smallest body
COLOURED = ("speed", "spin", "force")
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"


def export_page(
    path: str | Path,
    page: str | Path,
    *,
    every: int | None = None,
    most_contacts: int | None = None,
    progress: Progress | None = None,
    drapes: Sequence[Drape] = (),
    look: Mapping[str, Any] | None = None,
) -> Path:
    """Write a recording as one self-contained HTML file.

    Parameters
    ----------
    every : keep every n-th frame; by default all, or as many as 5 million bodies x frames allow
    most_contacts : contacts kept per frame, the strongest; by default so many that the page stays small
    progress : called with the number of frames done and the number of all
    drapes, look : see `view.source.RunSource`
    """
    source, page = RunSource(path, drapes, look), Path(page)
    try:
        with output.writing(page) as file:
            for piece in source.recording(lambda run: _pieces(source, run, every, most_contacts, progress)):
                file.write(piece)
    finally:
        source.close()
    return page


def chosen_frames(run: Recording, every: int | None) -> NDArray[np.int64]:
    """Numbers of the frames that a page holds."""
    if run.frame_count == 0:
        raise TrundleError(f"{run.path}: has no frames yet; there is nothing to show.")
    if every is None:
        every = max(1, -(-run.frame_count * len(run.bodies) // MOST_ROWS))
    if every < 1:
        raise TrundleError(f"every = {every} must be at least 1.")
    return np.arange(0, run.frame_count, every)


def _pieces(
    source: RunSource, run: Recording, every: int | None, most_contacts: int | None, progress: Progress | None
) -> Iterator[str]:
    """The page, piece by piece."""
    frames = chosen_frames(run, every)
    if most_contacts is None:
        most_contacts = max(FEWEST_CONTACTS, CONTACT_ROWS // len(frames))
    size = max(1, min(FRAMES_OF_BLOCK, ROWS_OF_BLOCK // max(1, len(run.bodies))))
    meta, arrays = source.head_parts(run)
    notes = []
    if int(run.contact_counts[frames].max()) > most_contacts:
        notes.append(f"contacts: the {most_contacts:,} strongest of each frame")
    if len(frames) < run.frame_count:
        notes.append(f"every {frames[1] - frames[0]}th frame of {run.frame_count:,}")
    meta |= {"finished": True, "ranges": measure_ranges(run), "block": size, "contact_note": "; ".join(notes)}
    meta["telling"] = telling_frame(run, frames)
    arrays["times"] = run.time[frames]
    before, after = _template(meta["title"])
    yield before
    yield _element("run-head", pack(meta, arrays))
    yield _element("run-series", source.series())
    if any(group["ground"] for group in meta["groups"]):
        yield _element("run-paths", source.paths())
    fine = len(frames) * len(run.bodies) <= FINE_ROWS
    for number, start in enumerate(range(0, len(frames), size)):
        numbers = frames[start : start + size]
        content = [(frame_arrays(run, int(k)), contact_arrays(run, int(k))) for k in numbers]
        yield _element(f"run-frames-{number}", encode_block(content, _smallest(run), most_contacts, fine))
        if progress is not None:
            progress(start + len(numbers), len(frames))
    yield after


def _template(title: str) -> tuple[str, str]:
    """The page before and after the run, with everything that it needs inside it."""
    text = static_text("index.html")
    icon = base64.b64encode(static_text("icon.svg").encode()).decode()
    script = static_text("viewer.js").replace("</script", "<\\/script")
    for tag, content in (
        ("<title>trundle</title>", f"<title>{html.escape(title)}</title>"),
        ('<meta charset="utf-8">', f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        ('<link rel="icon" href="icon.svg">', f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">'),
        ('<link rel="stylesheet" href="viewer.css">', f"<style>{static_text('viewer.css')}</style>"),
        ('<script src="viewer.js" defer></script>', f"<!--run--><script>{script}</script>"),
    ):  # fmt: skip
        if text.count(tag) != 1:
            raise TrundleError(f"the page's index.html has {text.count(tag)} times {tag}; build it again: make page.")
        text = text.replace(tag, content)
    before, after = text.split("<!--run-->")
    return before, after


def _element(name: str, data: bytes) -> str:
    text = base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()
    return f'<script type="text/plain" id="{name}">{text}</script>\n'


def _smallest(run: Recording) -> float:
    """Radius of the smallest body that moves [m]."""
    radius = run.bodies["radius"][~held_bodies(run)]
    radius = radius[np.isfinite(radius) & (radius > 0)]
    return float(radius.min()) if len(radius) else 1.0


def encode_block(content: list[tuple[Arrays, Arrays]], smallest: float, most_contacts: int, fine: bool) -> bytes:
    """Frames in few bytes; smallest: radius of the smallest body [m]; fine: 16 bits for speeds instead of 8."""
    frames = [frame for frame, _ in content]
    contacts = [_strongest(touching, most_contacts) for _, touching in content]
    places = np.concatenate([frame["position"] for frame in frames] + [c["point"] for c in contacts])
    low = places.min(axis=0).astype(float) if len(places) else np.zeros(3)
    span = max(float((places - low).max()) if len(places) else 0.0, 1e-9)
    width = int(np.clip(np.ceil(np.log2(span / smallest * FINENESS + 1) / 8), 2, 4))
    step = span / (256**width - 1)
    largest = {name: _largest(frame[name] for frame in frames) for name in COLOURED}
    largest["contact"] = _largest(np.abs(c["force"]) for c in contacts)
    top = 65535 if fine else 255
    arrays = _encode_bodies(frames, low, step, width, largest, top)
    for name in ("mode", "joint_point", "joint_axis"):
        arrays[name] = np.concatenate([frame[name] for frame in frames])
    arrays |= _encode_contacts(contacts, low, span, largest["contact"])
    meta = {"low": low.tolist(), "step": step, "span": span, "width": width, "largest": largest, "top": top}
    return pack(meta, arrays)


def _largest(values: Any) -> float:
    return max((float(v.max()) for v in values if v.size), default=0.0) or 1.0


def _encode_bodies(
    frames: list[Arrays], low: NDArray[Any], step: float, width: int, largest: dict[str, float], top: int
) -> Arrays:
    """Columns of all frames; where a frame has the bodies of the one before, what has changed."""
    found: dict[str, list[NDArray[Any]]] = {name: [] for name in ("body", "position", "orientation", *COLOURED)}
    fresh = np.ones(len(frames), np.uint8)
    former: Arrays = {}
    for k, frame in enumerate(frames):
        now: Arrays = {"body": frame["body"]}
        now["position"] = np.rint((frame["position"].astype(float) - low) / step).astype(np.int64).ravel()
        now["orientation"] = (np.rint(frame["orientation"] * (127.0 / 32767.0)) + 128).astype(np.int64).ravel()
        for name in COLOURED:
            now[name] = np.rint(top * np.sqrt(np.clip(frame[name] / largest[name], 0.0, 1.0))).astype(np.int64)
        if not former or not np.array_equal(former["body"], now["body"]):
            found["body"].append(now["body"])
            former = {}
        fresh[k] = not former
        change = now["position"]
        if "earlier" in former:
            change = change - 2 * former["position"] + former["earlier"]
        elif former:
            change = change - former["position"]
        found["position"] += [(change >> (8 * plane)) & 255 for plane in range(width)]
        for name in ("orientation", *COLOURED):
            found[name].append(now[name] - former.get(name, 0))
        former = now | ({"earlier": former["position"]} if former else {})
    arrays = {name: np.concatenate(columns) for name, columns in found.items()}
    kinds = {"body": np.uint32, "position": np.uint8, "orientation": np.uint8}
    arrays = {
        name: values.astype(kinds.get(name, np.uint16 if top > 255 else np.uint8)) for name, values in arrays.items()
    }
    return {"rows": np.array([len(frame["body"]) for frame in frames], np.uint32), "fresh": fresh, **arrays}


def _strongest(contacts: Arrays, most: int) -> Arrays:
    """The contacts with the largest normal forces, in the order in which they were."""
    order = np.argsort(-contacts["normal"], kind="stable")[:most]
    kept = np.sort(order[contacts["normal"][order] > 0.0])
    return {name: values[kept] for name, values in contacts.items()}


def _encode_contacts(contacts: list[Arrays], low: NDArray[Any], span: float, largest: float) -> Arrays:
    def column(name: str) -> NDArray[Any]:
        return np.concatenate([c[name] for c in contacts])

    return {
        "contacts": np.array([len(c["normal"]) for c in contacts], np.uint32),
        "contact_body": column("body"),
        "contact_point": np.rint((column("point") - low) * (65535 / span)).astype(np.uint16),
        "contact_force": np.rint(column("force") * (32767 / largest)).astype(np.int16),
        "contact_normal": np.rint(np.clip(column("normal") / largest, 0.0, 1.0) * 65535).astype(np.uint16),
        "contact_mode": column("mode"),
    }
