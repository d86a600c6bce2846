"""Runs the examples and draws the pictures of the gallery.

python docs/pictures/gallery.py [NAME ...]        all, or some of the examples, named as their files
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

import papers
from trundle.papers.report import made_by
from trundle.view.films import save_picture

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
EXAMPLES = HERE.parents[1] / "examples"
PAGE, VERSIONS = HERE.parent / "gallery.md", HERE / "gallery.json"  # the second: which version made a picture
HEADING = "## Versions"
SIZE = {"width": 960, "height": 540}
# scenes: frame as a share of the run, and how it is drawn
SCENES = {
    "ball": [("ball", 0.35, {"colour": "mode", "zoom": 1.1})],
    "box_of_grains": [
        ("box_of_grains", 0.16, {"colour": "speed", "zoom": 1.2}),
        ("box_of_grains-chains", 1.0, {"colour": "plain", "chains": True, "zoom": 1.2}),
    ],
    "bowl": [("bowl", 0.06, {"colour": "speed", "zoom": 1.3})],
    "conveyor": [("conveyor", 0.8, {"colour": "surface", "direction": (0.5, -0.8, 0.5)})],
    "history": [("history", 0.5, {"colour": "speed", "arrows": True, "zoom": 1.1})],
    "pour": [("pour", 0.36, {"colour": "mode", "zoom": 1.4}), ("pour-end", 1.0, {"colour": "force", "zoom": 1.4})],
}
SCRIPTS = {  # what they write
    "ball_bearing": "ball_bearing.png", "euler_disk_mirror": "euler_disk_mirror.png",
    "coin_on_a_table": "coin.png", "compare_laws": "laws.png", "cradle": "cradle.png", "euler_disk": "euler_disk.png",
    "masse": "masse.png", "rattleback": "rattleback.png", "castor": "castor.png", "stick_slip": "stick_slip.png",
    "slider_crank": "slider_crank.png", "tippe_top": "tippe_top.png", "cart_pole": "cart_pole.png",
}  # fmt: skip
SYMPTOMS = (
    "creep",
    "rolling",
    "euler_disk",
    "box_friction",
    "restitution",
    "determinism",
)
PLOTS = ("history_compare", "own_law", "solve_a_file", "sphere_on_a_plane")
NOTEBOOKS = {"ball.ipynb": 1, "pile.ipynb": 0, "solvers.ipynb": -1}  # which of the pictures that it shows
# the page, or the exported file: recording, end of the address, window, scheme, what is switched on
SHADOWS = "trundle.stage.setShadows(true); document.getElementById('shadows').checked = true"
CHAINS = "trundle.setOverlay('chains', true)"
DESKTOP, PHONE = (1280, 800), (390, 780)
SCREENS = {
    "page-light": ("pour", "#frame=40&colour=mode", DESKTOP, "light", SHADOWS),
    "page-dark": ("box_of_grains", "#frame=250&colour=force", (1000, 650), "dark", CHAINS),
    "page-terrain": ("rockfall", "#frame=62&paths=1&ground=velocity 95", DESKTOP, "light", ""),
    "page-phone": ("conveyor", "#frame=120&colour=surface", PHONE, "light", SHADOWS),
    "page-phone-dark": ("pour", "#frame=40&colour=mode", PHONE, "dark", SHADOWS),
    "html-light": ("conveyor", "#frame=120&colour=surface", DESKTOP, "light", SHADOWS),
    "html-dark": ("pour", "#frame=40&colour=speed", DESKTOP, "dark", SHADOWS),
    "html-machine-dark": ("conveyor", "#frame=120&colour=surface", DESKTOP, "dark", SHADOWS),
    "html-terrain-dark": ("rockfall", "#frame=62&paths=1&ground=hillshade", DESKTOP, "dark", ""),
    "html-terrain-phone": ("rockfall", "#frame=62&paths=1&ground=elevation", PHONE, "light", ""),
    "html-phone": ("pour", "#frame=40&colour=mode", PHONE, "light", SHADOWS),
    "html-phone-dark": ("pour", "#frame=60&colour=speed", PHONE, "dark", SHADOWS),
}


def main(names: list[str]) -> None:
    known = [*SCENES, *SCRIPTS, *PLOTS, *NOTEBOOKS, *SCREENS, "rockfall", *(f"symptoms/{name}" for name in SYMPTOMS)]
    wrong = [name for name in names if name not in known]
    if wrong:
        raise SystemExit(f"error: no example '{wrong[0]}'. Known: {', '.join(known)}.")
    with tempfile.TemporaryDirectory() as runs:
        for name in names or known:
            print(name, flush=True)
            with tempfile.TemporaryDirectory() as folder:
                make(name, Path(folder), Path(runs))


def shrink(source: Path, target: Path, method: Image.Quantize = Image.Quantize.MAXCOVERAGE) -> None:
    """Put a picture into the gallery, and note which version made it."""
    papers.shrink(source, target, method)
    versions = json.loads(VERSIONS.read_text(encoding="utf-8")) if VERSIONS.exists() else {}
    versions[target.name] = made_by()
    VERSIONS.write_text(json.dumps(versions, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8").partition(HEADING)[0]
    PAGE.write_text(page + "\n".join(version_lines(versions)) + "\n", encoding="utf-8")


def version_lines(versions: dict[str, str]) -> list[str]:
    """The end of the page: what made the pictures that `make gallery` draws."""
    lines = [
        HEADING,
        "",
        "Written by `make gallery`, or by `python docs/pictures/gallery.py NAME` for some of them.",
        "",
    ]
    lines += ["| made with | pictures |", "|---|---|"]
    drawn = {file.name for kind in ("example", "symptom", "page", "html") for file in HERE.glob(f"{kind}-*.png")}
    older = drawn - versions.keys()
    for made in sorted(set(versions.values()), reverse=True):
        lines.append(f"| {made} | {', '.join(sorted(Path(n).stem for n, m in versions.items() if m == made))} |")
    if older:
        lines.append(f"| before versions were noted | {', '.join(sorted(Path(name).stem for name in older))} |")
    return lines


def recorded(scene: str, runs: Path) -> Path:
    """The recording of a scene, made once."""
    run = runs / f"{scene}.h5" if scene != "rockfall" else runs / "slope" / "blocks.h5"
    if not run.exists():
        command = ["-m", "trundle.cli", "run", str(EXAMPLES / f"{scene}.toml"), "-o", str(run), "-q"]
        if scene == "rockfall":
            case = EXAMPLES / scene / "case.toml"
            command = ["-m", "trundle.cli", "rockfall", str(case), "-o", str(run.parent), "--no-report"]
        subprocess.run([sys.executable, *command], check=True)
    return run


def make(name: str, folder: Path, runs: Path) -> None:
    """Run one example in a folder, and draw it; recordings of scenes stay in another."""
    if name in SCENES:
        draw(name, recorded(name, runs))
        return
    picture = folder / "picture.png"
    if name.startswith("symptoms/"):
        stem = name.removeprefix("symptoms/")
        subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], cwd=folder, check=True)
        shrink(folder / f"{stem}.png", HERE / f"symptom-{stem}.png")
        return
    if name == "rockfall":
        command = ["-m", "trundle.cli", "rockfall", str(EXAMPLES / name / "case.toml"), "-o", str(folder)]
        subprocess.run([sys.executable, *command], check=True)
        shrink(folder / "report.png", HERE / f"example-{name}.png")
        return
    if name in SCREENS:
        take_screenshot(name, recorded(SCREENS[name][0], runs), picture)
        shrink(picture, HERE / f"{name}.png", Image.Quantize.FASTOCTREE)  # keeps the greys of a dark page
        return
    if name in NOTEBOOKS:
        run_notebook(name, picture)
        name = f"notebook-{Path(name).stem}"
    elif name in PLOTS:
        import plots

        plots.draw(name, picture)
    else:
        environment = {**os.environ, "MPLBACKEND": "Agg"}
        subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], cwd=folder, env=environment, check=True)
        picture = folder / SCRIPTS[name]
    shrink(picture, HERE / f"example-{name}.png")


def run_notebook(name: str, picture: Path) -> None:
    """Run the cells of a notebook, and keep one of the pictures that it shows."""
    import webbrowser

    webbrowser.open = lambda *_: True  # type: ignore[assignment]
    os.chdir(EXAMPLES)
    names: dict[str, object] = {"__name__": "__main__"}
    shown = []
    for cell in json.loads((EXAMPLES / name).read_text(encoding="utf-8"))["cells"]:
        tree = ast.parse("".join(cell["source"]) if cell["cell_type"] == "code" else "")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), names)
        value = eval(compile(ast.Expression(last.value), name, "eval"), names) if isinstance(last, ast.Expr) else None
        if hasattr(value, "savefig") or hasattr(value, "tobytes"):
            shown.append(value)
    chosen = shown[NOTEBOOKS[name]]
    chosen.savefig(picture, dpi=130) if hasattr(chosen, "savefig") else chosen.save(picture)


def take_screenshot(name: str, run: Path, picture: Path) -> None:
    """The page, or the file that `trundle export --html` writes, in a real browser; needs chromium and playwright."""
    import shutil

    from playwright.sync_api import sync_playwright

    from trundle.view.drape import drapes_of_study
    from trundle.view.page import export_page
    from trundle.view.server import ViewServer

    _, address, (width, height), scheme, script = SCREENS[name]
    arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
    drapes = drapes_of_study(run.parent) if run.name == "blocks.h5" else []
    with ViewServer(run, drapes=drapes) as server, sync_playwright() as tools:
        place = export_page(run, picture.with_suffix(".html")).as_uri() if name.startswith("html") else server.url
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.set_default_timeout(240_000)
        page.goto(place + address)
        page.wait_for_function("window.trundle && window.trundle.plots")
        if script:
            page.evaluate(script)
        page.wait_for_timeout(8000)  # until software has drawn it at full resolution
        page.screenshot(path=str(picture))
        browser.close()


def draw(name: str, run: Path) -> None:
    from trundle.record import Recording

    with Recording(run) as recording:
        last = recording.frame_count - 1
    for picture, share, look in SCENES[name]:
        drawn = run.with_name("picture.png")
        save_picture(run, drawn, frame=round(share * last), **SIZE, **look)
        shrink(drawn, HERE / f"example-{picture}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
