"""Blocks of 1 m3 on one terrain of 300 m x 400 m: trundle, MuJoCo, PyBullet and Siconos, in one run.

    python benchmarks/rockfall.py --blocks 20 --against mujoco,mujoco-stiff,pybullet,siconos -o rockfall.csv
    python benchmarks/rockfall.py --blocks 10000 --workers 2

Every engine gets the same heights (a grid of 2 m), the same polyhedra, the same starts, friction, rolling friction and time step
(5 ms), and as much of the restitution as it knows.  A block is followed until it rests (|v| + R |omega| < 0.05 m/s at three looks
0.5 s apart), leaves the terrain, or 60 s are over.  Each block falls twice: the first time 100 steps at a stretch, to measure CPU
time (one thread; what must be built for a new block is counted), the second time step by step, to look at what it does.

Depth is that of the deepest corner below the triangle under it, along its normal, after any step; every engine is judged by the
triangles that it makes of the heights itself (Bullet divides cells along the other diagonal).  Gain is the largest rise of the
mechanical energy in 0.5 s, in units of m g (1 m): nothing drives the blocks, so all of it is wrong.

With --workers trundle alone is timed, by `trundle rockfall`, with maps and tables.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import trundle
from trundle.bench.with_siconos import python_with_siconos
from trundle.rockfall.blocks import Blocks
from trundle.rockfall.chance import Chance
from trundle.rockfall.slope import Options, Slope, Soil, Start
from trundle.rockfall.terrain import Terrain

Array = NDArray[np.float64]
State = tuple[Array, Array, Array, Array]
SPACING = 2.0  # [m]
WIDTH, LENGTH = 300.0, 400.0  # [m]
TIME_STEP, DURATION, LOOK = 0.005, 60.0, 0.5  # [s]
MU, RATIO, RESTITUTION = (
    0.5,
    0.15,
    0.2,
)  # friction, rolling friction in radii of the ball of the same volume, restitution
DENSITY, GRAVITY = 2600.0, 9.81
REST_SPEED, LOOKS_AT_REST = 0.05, 3
RADIUS = (3.0 / (4.0 * np.pi)) ** (1.0 / 3.0)  # [m], of a ball of 1 m3
TIMES_ALLOWED = 50.0  # CPU seconds that Siconos may need for a block


def heights() -> Array:
    """Heights [m] (151, 201): meadow, scree, a cliff and a shoulder, with hollows of 10 to 60 m; y goes uphill."""
    x, y = np.meshgrid(np.arange(0.0, WIDTH + 1, SPACING), np.arange(0.0, LENGTH + 1, SPACING), indexing="ij")
    z = np.interp(y, [0.0, 60.0, 140.0, 330.0, 342.0, 400.0], [0.0, 4.0, 26.0, 150.0, 172.0, 190.0])
    random = np.random.default_rng(7)
    for _ in range(40):
        wave = random.uniform(10.0, 60.0)
        angle, phase = random.uniform(0.0, 2.0 * np.pi, 2)
        z += 0.006 * wave * np.cos(2.0 * np.pi * (np.cos(angle) * x + np.sin(angle) * y) / wave + phase)
    return np.asarray(z)


def terrain() -> Terrain:
    """The terrain of all engines."""
    return Terrain(trundle.HeightField(heights=heights(), spacing=SPACING))


def starts(slope: Slope, count: int) -> Iterator[Start]:
    """Blocks above the cliff's edge, each a function of its number."""
    for k in range(count):
        shape, mass = Blocks(kind="equant", volume=1.0, density=DENSITY).make(1, k)
        chance = Chance(1, k, "start")
        x, y = chance.uniform(60.0, 240.0), chance.uniform(326.0, 340.0)
        velocity = np.array([0.0, -1.0, 0.0])
        yield slope.place(k, shape, mass, x, y, 0.5, chance.orientation(), velocity, np.zeros(3))


def inertia(start: Start) -> Array:
    """(3, 3) [kg m^2], frame of the block."""
    unit = np.asarray(start.shape.unit_inertia, float)
    return np.asarray(start.mass * (np.diag(unit) if unit.ndim == 1 else unit))


@dataclass(frozen=True)
class Fall:
    """One block in one engine: cpu, made [s] of steps and of building; steps; stop; runout [m]; depth [m]; gain [m]."""

    engine: str
    block: int
    cpu: float
    made: float
    steps: int
    stop: str
    runout: float
    depth: float
    gain: float


class Watch:
    """Looks at a block after every step: whether it rests or has left, how deep it is, whether energy appears.

    mirrored: the engine divides cells along the diagonal that goes down, as ours would be over the terrain seen in a mirror.
    """

    def __init__(self, ground: Terrain, start: Start, mirrored: bool) -> None:
        self.ground, self.start, self.inertia, self.mirrored = ground, start, inertia(start), mirrored
        self.corners = start.shape.polytope.vertices  # type: ignore[attr-defined]
        self.depth, self.gain, self.quiet, self.energy = 0.0, 0.0, 0, np.inf

    def measure_depth(self, position: Array, orientation: Array) -> bool:
        """Note how deep the block is; whether it is still over the ground."""
        corners = position + self.corners @ _rotation(orientation).T
        x = WIDTH - corners[:, 0] if self.mirrored else corners[:, 0]
        z, sx, sy = self.ground.height_and_slope(x, corners[:, 1])
        below = (z - corners[:, 2]) / np.sqrt(1.0 + sx**2 + sy**2)
        if np.isnan(below).any():
            return False
        self.depth = max(self.depth, float(below.max()))
        return True

    def look(self, position: Array, orientation: Array, velocity: Array, spin: Array) -> str:
        """Note what is seen; why the block ends here, or ""."""
        if not self.measure_depth(position, orientation):
            return "out"
        local = _rotation(orientation).T @ spin
        kinetic = 0.5 * velocity @ velocity + 0.5 * local @ self.inertia @ local / self.start.mass
        energy = kinetic / GRAVITY + position[2]
        self.gain = max(self.gain, energy - self.energy)
        self.energy = energy
        slow = np.linalg.norm(velocity) + RADIUS * np.linalg.norm(spin) < REST_SPEED
        self.quiet = self.quiet + 1 if slow else 0
        return "rest" if self.quiet >= LOOKS_AT_REST else ""


def _rotation(q: Array) -> Array:
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


@dataclass
class World:
    """A block over the ground in an engine.

    advance : goes on by so many steps; gives position, orientation (w first), velocity, angular velocity
    made : CPU seconds that it took to build ; cpu : clock of the steps ; close : when it is no longer needed
    """

    advance: Callable[[int], State]
    made: float
    cpu: Callable[[], float] = time.process_time
    close: Callable[[], None] = lambda: None


def follow(engine: str, build: Callable[[Slope, Start], World], slope: Slope, start: Start) -> Fall:
    """Let a block fall twice: to measure the time, and to look at it after every step."""
    per_look, done, stop, spent = round(LOOK / TIME_STEP), 0, "", 0.0
    mirrored = engine in MIRRORED
    ground = (
        Terrain(trundle.HeightField(heights=slope.terrain.heights[::-1], spacing=SPACING))
        if mirrored
        else slope.terrain
    )
    watch, world, place = Watch(ground, start, mirrored), build(slope, start), start.position
    made = world.made
    while done < round(DURATION / TIME_STEP) and not stop:
        begun = world.cpu()
        try:
            place, *rest = world.advance(per_look)
        except EOFError:
            stop = "gave up"
            break
        finally:
            spent += world.cpu() - begun
        done += per_look
        stop = watch.look(place, *rest)
    world.close()
    world = build(slope, start)
    for _ in range(done):
        if not watch.measure_depth(*world.advance(1)[:2]):
            break
    world.close()
    runout = float(np.linalg.norm(place[:2] - start.position[:2]))
    return Fall(engine, start.block, spent, made, done, stop or "time", runout, watch.depth, watch.gain)


# --- engines ----------------------------------------------------------------------------------------


def with_trundle(slope: Slope, start: Start) -> World:
    """Ours, through the steppers of `trundle rockfall`."""
    begun = time.process_time()
    slope._kept.clear()  # every block is a new one
    model, first, stepper, memory = slope.stepper(start.shape, start.mass)
    made = time.process_time() - begun
    state, b = first.copy(), model.number_of["block"]
    state.position[b], state.orientation[b] = start.position, start.orientation
    state.velocity[b], state.angular_velocity[b] = start.velocity, start.angular_velocity
    stepper.recall(memory)

    def advance(steps: int) -> State:
        stepper.advance(state, TIME_STEP, steps)
        return state.position[b].copy(), state.orientation[b], state.velocity[b], state.angular_velocity[b]

    return World(advance, made)


def with_mujoco(slope: Slope, start: Start, contact: str = "") -> World:
    """Height field and mesh; elliptic cones with rolling friction, Newton's solver; it has no restitution as such."""
    import mujoco

    begun = time.process_time()
    z = slope.terrain.heights
    low, high = float(z.min()), float(z.max())
    corners = " ".join(f"{v:.9g}" for v in start.shape.polytope.vertices.ravel())  # type: ignore[attr-defined]
    xx = inertia(start)
    full = f"{xx[0, 0]} {xx[1, 1]} {xx[2, 2]} {xx[0, 1]} {xx[0, 2]} {xx[1, 2]}"
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{TIME_STEP}" gravity="0 0 {-GRAVITY}" cone="elliptic"/>
        <default><geom condim="6" {contact} friction="{MU} 0 {RATIO * RADIUS}"/></default>
        <asset><hfield name="ground" nrow="{z.shape[1]}" ncol="{z.shape[0]}" size="{WIDTH / 2} {LENGTH / 2} {high - low} 5"/>
        <mesh name="block" vertex="{corners}"/></asset>
        <worldbody><geom type="hfield" hfield="ground" pos="{WIDTH / 2} {LENGTH / 2} {low}"/>
        <body><freejoint/><inertial pos="0 0 0" mass="{start.mass}" fullinertia="{full}"/>
        <geom type="mesh" mesh="block"/></body></worldbody></mujoco>"""
    )
    model.hfield_data[:] = ((z.T - low) / (high - low)).ravel()
    data = mujoco.MjData(model)
    data.qpos[:] = [*start.position, *start.orientation]
    data.qvel[:3] = start.velocity
    made = time.process_time() - begun

    def advance(steps: int) -> State:
        mujoco.mj_step(model, data, steps)
        turn = _rotation(data.qpos[3:7])
        return data.qpos[:3].copy(), data.qpos[3:7].copy(), data.qvel[:3].copy(), turn @ data.qvel[3:6]

    return World(advance, made)


def with_stiff_mujoco(slope: Slope, start: Start) -> World:
    """The same with the stiffest contacts that its manual allows: a time constant of two steps."""
    return with_mujoco(slope, start, f'solref="{2 * TIME_STEP} 1"')


def with_pybullet(slope: Slope, start: Start) -> World:
    """Height field and convex hull, 50 iterations, with its restitution and rolling friction."""
    import pybullet as bullet

    begun = time.process_time()
    if bullet.isConnected():
        bullet.resetSimulation()
    else:
        bullet.connect(bullet.DIRECT)
    bullet.setGravity(0, 0, -GRAVITY)
    bullet.setPhysicsEngineParameter(fixedTimeStep=TIME_STEP, numSolverIterations=50, numSubSteps=0)
    z = slope.terrain.heights
    middle = 0.5 * float(z.min() + z.max())
    field = bullet.createCollisionShape(
        bullet.GEOM_HEIGHTFIELD, meshScale=[SPACING, SPACING, 1.0], heightfieldData=z.T.ravel().tolist(),
        numHeightfieldRows=z.shape[0], numHeightfieldColumns=z.shape[1],
    )  # fmt: skip
    ground = bullet.createMultiBody(0, field, basePosition=[WIDTH / 2, LENGTH / 2, middle])
    corners = start.shape.polytope.vertices  # type: ignore[attr-defined]
    # it has no products of inertia: the body's frame is turned to the principal axes
    moments, axes = np.linalg.eigh(inertia(start))
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    hull = bullet.createCollisionShape(bullet.GEOM_MESH, vertices=(corners @ axes).tolist())
    turned = Rotation.from_matrix(_rotation(start.orientation) @ axes).as_quat().tolist()
    block = bullet.createMultiBody(start.mass, hull, basePosition=start.position.tolist(), baseOrientation=turned)
    # friction and restitution of a pair are products, its rolling friction is m_1 mu_2 + m_2 mu_1
    bullet.changeDynamics(ground, -1, lateralFriction=1.0, restitution=1.0, rollingFriction=0.0)
    bullet.changeDynamics(
        block, -1, lateralFriction=MU, restitution=RESTITUTION, rollingFriction=RATIO * RADIUS, linearDamping=0,
        angularDamping=0, localInertiaDiagonal=moments.tolist(),
    )  # fmt: skip
    bullet.resetBaseVelocity(block, start.velocity.tolist(), [0, 0, 0])
    made = time.process_time() - begun

    def advance(steps: int) -> State:
        for _ in range(steps):
            bullet.stepSimulation()
        place, q = bullet.getBasePositionAndOrientation(block)
        velocity, spin = bullet.getBaseVelocity(block)
        turn = Rotation.from_quat(q).as_matrix() @ axes.T
        return (
            np.array(place),
            Rotation.from_matrix(turn).as_quat(scalar_first=True),
            np.array(velocity),
            np.array(spin),
        )

    return World(advance, made)


def with_siconos(slope: Slope, start: Start) -> World:
    """Height map and convex hull (Bullet's collision), rolling friction and restitution, Gauss-Seidel to 1e-4 of its measure."""
    python = python_with_siconos()
    if python is None:
        raise SystemExit("siconos: there is no interpreter that has it. Install python3-siconos.")
    scene = {
        "heights": slope.terrain.heights.tolist(), "size": [WIDTH, LENGTH], "mass": start.mass, "gravity": GRAVITY,
        "corners": start.shape.polytope.vertices.tolist(),  # type: ignore[attr-defined]
        "inertia": inertia(start).tolist(), "position": [*start.position.tolist(), *start.orientation.tolist()],
        "velocity": [*start.velocity.tolist(), 0.0, 0.0, 0.0], "mu": MU, "mu_r": RATIO * RADIUS, "restitution": RESTITUTION,
        "time_step": TIME_STEP, "allowed": TIMES_ALLOWED,
    }  # fmt: skip
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "scene.json"
    path.write_text(json.dumps(scene))
    process = subprocess.Popen(
        [python[0], str(Path(__file__).with_name("rockfall_siconos.py")), str(path)], cwd=folder.name, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    asked, answers = process.stdin, process.stdout
    assert asked is not None
    assert answers is not None
    line = answers.readline()
    clock = [json.loads(line)["cpu"] if line else 0.0]

    def advance(steps: int) -> State:
        try:
            asked.write(f"{steps}\n")
            asked.flush()
            line = answers.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise EOFError
        answer = json.loads(line)
        clock[0] = answer["cpu"]
        q, v = np.array(answer["q"]), np.array(answer["v"])
        return q[:3], q[3:], v[:3], _rotation(q[3:]) @ v[3:]

    def close() -> None:
        process.kill()
        process.communicate()
        folder.cleanup()

    return World(advance, clock[0], lambda: clock[0], close)


ENGINES: dict[str, Callable[[Slope, Start], World]] = {
    "trundle": with_trundle,
    "mujoco": with_mujoco,
    "mujoco-stiff": with_stiff_mujoco,
    "pybullet": with_pybullet,
    "siconos": with_siconos,
}
MIRRORED = ("pybullet", "siconos")  # Bullet divides cells along the other diagonal


def table(falls: list[Fall]) -> str:
    """A row per engine."""
    columns = (
        "engine", "CPU per block [s]", "per step [µs]", "at rest", "out", "still moving after 60 s", "run-out [m]",
        "depth, median and worst [m]", "energy gained, worst [m]",
    )  # fmt: skip
    rows = [f"| {' | '.join(columns)} |", "|---" + "|---:" * (len(columns) - 1) + "|"]
    for name in dict.fromkeys(fall.engine for fall in falls):
        own = [fall for fall in falls if fall.engine == name]
        count = {stop: sum(fall.stop == stop for fall in own) for stop in ("rest", "out", "time", "gave up")}
        depth = np.array([fall.depth for fall in own])
        moving = f"{count['time']}" + (f" ({count['gave up']} given up)" if count["gave up"] else "")
        steps = max(1, sum(fall.steps for fall in own))
        cells = (
            name, f"{np.mean([fall.cpu + fall.made for fall in own]):.3g}",
            f"{1e6 * sum(fall.cpu for fall in own) / steps:.3g}", count["rest"], count["out"], moving,
            f"{np.mean([fall.runout for fall in own]):.0f}", f"{np.median(depth):.2g}, {depth.max():.2g}",
            f"{max(fall.gain for fall in own):.2g}",
        )  # fmt: skip
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows)


def campaign(count: int, workers: int) -> None:
    """`trundle rockfall` with all it writes; wall and CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        z = heights()
        head = f"ncols {z.shape[0]}\nnrows {z.shape[1]}\nxllcenter 0\nyllcenter 0\ncellsize {SPACING}\n"
        (Path(folder) / "terrain.asc").write_text(
            head + "\n".join(" ".join(f"{v:.4f}" for v in row) for row in z.T[::-1])
        )
        (Path(folder) / "case.toml").write_text(
            f"""name = "benchmark"\nseed = 1\n[terrain]\nfile = "terrain.asc"\nsurface = "meadow"
[soils.meadow]\nlaw = {{ name = "Rolling", mu = {MU}, mu_r = {{ ratio = {RATIO} }} }}\nrestitution = {RESTITUTION}
[blocks]\nkind = "equant"\nvolume = 1.0\ndensity = {DENSITY}
[release]\npolygon = [[60.0, 326.0], [240.0, 326.0], [240.0, 340.0], [60.0, 340.0]]\ncount = {count}\nheight = 0.5
[simulation]\ntime_step = {TIME_STEP}\nduration = {DURATION}\n"""
        )
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "trundle", "rockfall", str(Path(folder) / "case.toml"), "-o", str(Path(folder) / "out"),
             "--workers", str(workers)], check=True,
        )  # fmt: skip
        wall = time.perf_counter() - begun
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = used.ru_utime + used.ru_stime
        print(f"{count:,} blocks with {workers} workers: {wall / 60:.1f} minutes, {cpu / count:.3f} CPU s per block")


def main() -> None:
    """Run what was asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=20, help="how many blocks fall")
    parser.add_argument("--against", default="", help="a list of mujoco, mujoco-stiff, pybullet, siconos")
    parser.add_argument("--workers", type=int, default=0, help="time `trundle rockfall` with so many processes instead")
    parser.add_argument("--time-step", type=float, default=TIME_STEP, help="[s], of all engines")
    parser.add_argument("-o", "--output", help="a CSV file with a row per block and engine")
    args = parser.parse_args()
    globals()["TIME_STEP"] = args.time_step
    if args.workers:
        campaign(args.blocks, args.workers)
        return
    law = trundle.laws.Rolling(mu=MU, mu_r=RATIO)
    slope = Slope(
        terrain(), {"ground": Soil(law, RESTITUTION, ratio=True)}, Options(time_step=TIME_STEP, duration=DURATION)
    )
    falls: list[Fall] = []
    names = ["trundle", *(name.strip() for name in args.against.split(",") if name.strip())]
    missing = [name for name in names if name not in ENGINES]
    if missing:
        parser.error(f"unknown engine {missing[0]!r}. Known: {', '.join(ENGINES)}.")
    for start in starts(slope, args.blocks + 1):
        for name in names:
            fall = follow(name, ENGINES[name], slope, start)
            if start.block:  # the first warms everyone up: kernels, modules
                falls.append(fall)
        print(f"\r{start.block} of {args.blocks} blocks", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if args.output:
        with Path(args.output).open("w", newline="") as file:
            writer = csv.DictWriter(file, [f.name for f in fields(Fall)])
            writer.writeheader()
            writer.writerows(asdict(fall) for fall in falls)
    print(table(falls))


if __name__ == "__main__":
    main()
