"""Pictures and films of a run as files: PNG, GIF, MP4."""

from __future__ import annotations

import errno
import io
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from trundle import output
from trundle.errors import TrundleError
from trundle.record import Recording
from trundle.view.pictures import Renderer, colour_map, palette

Pixels = NDArray[np.uint8]
Progress = Callable[[int, int], None]
INK = (60, 66, 75)
MOST_KINDS = 10  # lines of a legend
MOST_PICTURES = 20_000  # of a film; more is surely a mistake in the speed
LONGEST_GIF = 400


def draw_picture(path: str | Path, *, frame: int = -1, label: bool = True, **look: Any) -> Image.Image:
    """Draw one frame (negative: from the end) of a recording; `look`: see `Renderer`; label: with time and legend."""
    with Recording(path) as run:
        if not -run.frame_count <= frame < run.frame_count:
            raise TrundleError(f"{path}: no frame {frame}; there are {run.frame_count}, counted from 0.")
        renderer = Renderer(run, **look)
        pixels = renderer.draw(frame)
        return _labelled(pixels, renderer, float(run.time[frame])) if label else Image.fromarray(pixels)


def save_picture(path: str | Path, picture: str | Path, *, frame: int = -1, label: bool = True, **look: Any) -> Path:
    """Draw one frame (negative: from the end) of a recording into a file; `look`: see `Renderer`.

    The ending of the name says what is written: .png, or another that Pillow knows.
    """
    picture = Path(picture)
    image = draw_picture(path, frame=frame, label=label, **look)
    try:
        with output.beside(picture) as unfinished:
            image.save(unfinished)
    except (ValueError, KeyError) as error:  # Pillow does not know the ending
        raise TrundleError(f"{picture}: cannot be written ({error}). Use a name that ends in .png.") from error
    return picture


def save_film(
    path: str | Path,
    film: str | Path,
    *,
    fps: float = 25.0,
    speed: float = 1.0,
    label: bool = True,
    progress: Progress | None = None,
    **look: Any,
) -> Path:
    """Draw a recording as a film, .mp4 or .gif.

    fps : pictures per second; speed : seconds of the run per second of the film; `look`: see `Renderer`.
    """
    film = Path(film)
    kind = film.suffix.lower()
    if kind not in (".mp4", ".gif"):
        raise TrundleError(f"{film}: films end in .mp4 or .gif.")
    if not (0.1 <= fps <= 240 and speed > 0):
        raise TrundleError(f"fps = {fps:g} must lie between 0.1 and 240, and speed = {speed:g} be positive.")
    encoder = find_ffmpeg() if kind == ".mp4" else ""
    with Recording(path) as run:
        if run.frame_count == 0:
            raise TrundleError(f"{path}: has no frames yet; there is nothing to draw.")
        frames = film_frames(run.time, fps, speed)
        if kind == ".gif" and len(frames) > LONGEST_GIF:
            raise TrundleError(
                f"{film}: {len(frames)} pictures are too many for a GIF (at most {LONGEST_GIF}). Raise the speed, lower "
                "the pictures per second, or write an .mp4."
            )
        if kind == ".mp4":  # its colours are stored for squares of two pixels
            look["width"], look["height"] = (
                2 * (int(look.get(n, d)) // 2) for n, d in (("width", 1280), ("height", 720))
            )
        renderer = Renderer(run, **look)
        pictures = _pictures(renderer, frames, label, progress)
        with output.beside(film) as unfinished:
            if kind == ".gif":
                _write_gif(unfinished, pictures, fps)
            else:
                _write_mp4(unfinished, pictures, fps, encoder, renderer)
    return film


def film_frames(time: NDArray[np.float64], fps: float, speed: float) -> NDArray[np.int64]:
    """Number of the frame that each picture of a film shows: the last one that is not later."""
    duration = float(time[-1] - time[0])
    count = int(duration / speed * fps + 1e-9) + 1
    if count > MOST_PICTURES:
        raise TrundleError(
            f"a film of {count:,} pictures ({duration:g} s of the run at speed {speed:g}); at most {MOST_PICTURES:,}. "
            "Raise the speed."
        )
    moments = time[0] + np.arange(count) * speed / fps
    return np.clip(np.searchsorted(time, moments * (1 + 1e-12) + 1e-12, side="right") - 1, 0, len(time) - 1)


def find_ffmpeg() -> str:
    """The program that encodes films: of the package imageio-ffmpeg, or of the system."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        found = shutil.which("ffmpeg")
    if found is None:
        raise TrundleError(
            "no ffmpeg found, which encodes .mp4 films. Install one: pip install imageio-ffmpeg, or apt install ffmpeg. "
            "A .gif needs nothing."
        )
    return found


def _pictures(
    renderer: Renderer, frames: NDArray[np.int64], label: bool, progress: Progress | None
) -> Iterator[Image.Image]:
    former, image = -1, Image.new("RGB", (1, 1))
    for done, k in enumerate(frames):
        if k != former:
            pixels = renderer.draw(int(k))
            image = _labelled(pixels, renderer, float(renderer.run.time[k])) if label else Image.fromarray(pixels)
            former = int(k)
        yield image
        if progress is not None:
            progress(done + 1, len(frames))


def _write_gif(film: Path, pictures: Iterator[Image.Image], fps: float) -> None:
    first = None
    rest = []
    for picture in pictures:
        # the usual method, median cut, spends all colours on the ground and leaves none for the legend
        few = picture.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        if first is None:
            first = few
        else:
            rest.append(few)
    assert first is not None
    pause = max(20, round(1000 / fps))  # milliseconds; browsers slow shorter ones down
    first.save(film, save_all=True, append_images=rest, duration=pause, loop=0)


def _write_mp4(film: Path, pictures: Iterator[Image.Image], fps: float, encoder: str, renderer: Renderer) -> None:
    size = f"{renderer.width}x{renderer.height}"
    command = [encoder, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", f"{fps:g}",
               "-i", "-", "-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart",
               str(film)]  # fmt: skip
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stderr is not None
    complaint = b""
    try:
        for picture in pictures:
            process.stdin.write(picture.tobytes())
        process.stdin.close()
    except BrokenPipeError:
        pass  # ffmpeg says below what is wrong
    except BaseException:
        process.kill()
        raise
    finally:
        complaint = process.stderr.read()
        process.stderr.close()
        process.wait()
    if process.returncode != 0:
        said = complaint.decode(errors="replace").strip()[-400:]
        if os.strerror(errno.ENOSPC) in said:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        raise TrundleError(f"{film}: ffmpeg failed: {said}")


# --- time and colours on the picture ------------------------------------------------------------------


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    import matplotlib

    file = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    # read here: Pillow does not say why it cannot read
    return ImageFont.truetype(io.BytesIO(file.read_bytes()), size) if file.exists() else ImageFont.load_default()


def _labelled(pixels: Pixels, renderer: Renderer, time: float) -> Image.Image:
    """The picture with its time and the meaning of its colours."""
    image = Image.fromarray(pixels)
    pen = ImageDraw.Draw(image)
    unit = max(10, min(image.height, image.width) // 40)
    font = _font(unit)
    pen.text((unit, unit), f"t = {time:.3f} s", fill=INK, font=font)
    if renderer.arrows:
        _draw_arrow(image, pen, renderer, unit, font)
    if renderer.colour in palette()["fields"]:
        _draw_scale(image, pen, renderer, unit, font)
    else:
        for line, (name, colour) in enumerate(_kinds(renderer)):
            right, y = image.width - unit, unit + 1.4 * unit * line
            pen.text((right, y), name, fill=INK, font=font, anchor="ra")
            edge = right - pen.textlength(name, font=font) - unit
            pen.ellipse((edge - 0.4 * unit, y + 0.2 * unit, edge + 0.4 * unit, y + unit), fill=colour)
    return image


def _draw_scale(image: Image.Image, pen: Any, renderer: Renderer, unit: int, font: Any) -> None:
    """The scale of colours of a field, with its unit and its ends."""
    words, si = palette()["fields"][renderer.colour]
    left, right, top = image.width - 12 * unit, image.width - unit, unit
    pen.text((right, top), f"{words} [{si}]", fill=INK, font=font, anchor="ra")
    bar = np.rint(255 * colour_map(renderer.colour)[np.linspace(0, 255, right - left).astype(int)]).astype(np.uint8)
    image.paste(Image.fromarray(np.tile(bar, (unit // 2, 1, 1))), (left, top + 2 * unit))
    low, high = renderer.ranges[renderer.colour]
    pen.text((left, top + 2.8 * unit), f"{low:.3g}", fill=INK, font=font)
    pen.text((right, top + 2.8 * unit), f"{high:.3g}", fill=INK, font=font, anchor="ra")


def _draw_arrow(image: Image.Image, pen: Any, renderer: Renderer, unit: int, font: Any) -> None:
    """How long the arrow of a force is, in the middle of the picture."""
    per_newton = renderer.metres_per_newton * renderer.pixels_per_metre()
    newtons = _nice_below(image.width / 8 / per_newton)
    x, y, length, red = unit, image.height - 2 * unit, newtons * per_newton, palette()["arrow"]
    pen.line((x, y, x + length - unit / 2, y), fill=red, width=max(2, unit // 6))
    head = [(x + length, y), (x + length - 0.8 * unit, y - 0.35 * unit), (x + length - 0.8 * unit, y + 0.35 * unit)]
    pen.polygon(head, fill=red)
    text = f"{newtons:g} N, arrows are cut off at {renderer.longest_arrow:.3g} N"
    pen.text((x + length + unit / 2, y), text, fill=INK, font=font, anchor="lm")


def _nice_below(x: float) -> float:
    """1, 2 or 5 times a power of ten, at most x."""
    power = 10.0 ** np.floor(np.log10(x))
    return float(power * max(digit for digit in (1, 2, 5) if digit * power <= x * (1 + 1e-12)))


def _kinds(renderer: Renderer) -> list[tuple[str, str]]:
    """Name and colour of each line of a legend."""
    if renderer.colour == "mode":
        return [(name, colour) for name, colour in palette()["modes"].values()]
    kinds = palette()["kinds"]
    if renderer.colour == "surface":
        used = np.unique(renderer.surface[~renderer.fixed]).tolist()  # fixed bodies have a colour of their own
        return [(renderer.surfaces[i], kinds[i % len(kinds)]) for i in used][:MOST_KINDS]
    if renderer.colour == "body":
        moving = np.flatnonzero(~renderer.fixed).tolist()
        if len(moving) <= MOST_KINDS:
            return [(renderer.run.names[i], kinds[i % len(kinds)]) for i in moving]
    return []
