// Timeline, controls and what they do to the stage and the plots.
import { annotated, drawTriad, scales } from "./annotate.js";
import { gradient } from "./colours.js";
import { element, legendOf, modeName, number, showLegend, showMessage, showPicked } from "./panel.js";
import { Ground } from "./ground.js";
import { Plots } from "./plots.js";
import { Stage, VIEWS } from "./stage.js";

const AHEAD = 3; // frames fetched before they are needed
const POLL = 1000; // milliseconds between looks at a run that is being written
const WATCHED = [4, 40]; // seconds that playing a run should take: shorter and longer ones are slowed down and sped up
const MOVED = 5; // pixels: more than that between press and release is a drag, not a pick

export class Player {
  constructor(run, head, state) {
    this.run = run;
    this.head = head;
    this.state = state;
    this.times = head.arrays.times;
    this.frame = -1;
    this.wanted = -1;
    this.playing = false;
    this.speed = 1;
    this.clock = 0; // time of the run [s] while it plays
    this.stage = new Stage(element("canvas"), head, this.theme());
    this.stage.onRender = () => this.showScales();
    this.limits = {}; // largest values the user has chosen
    const places = Object.fromEntries(["energy", "residual", "velocity", "spin"].map((name) => [name, element(`plot-${name}`)]));
    this.plots = new Plots(places, (t) => this.show(this.frameAt(t)));
    this.listen();
    this.expose();
    this.ground = new Ground(this);
  }

  async begin() {
    const { meta } = this.head;
    document.title = `${meta.title} – trundle`;
    element("title").textContent = meta.title;
    const notes = meta.groups.map((group) => group.note).filter(Boolean);
    element("notes").textContent = [...notes, meta.contact_note, `trundle ${meta.version}`].filter(Boolean).join(" · ");
    element("joints").parentElement.hidden = !meta.joints.length;
    this.setTimes(this.times, meta.finished);
    this.resize();
    const asked = new URLSearchParams(location.hash.slice(1)); // such as #frame=120&colour=mode, for links
    const colour = [...element("colour").options].find(({ value, text }) => [value, text].includes(asked.get("colour")));
    if (colour) this.setColour(colour.value);
    const chosen = asked.has("frame");
    const first = chosen ? Number(asked.get("frame")) || 0 : meta.finished ? meta.telling : this.times.length - 1;
    if (this.times.length) await this.show(first);
    await this.ground.begin(asked);
    this.state.ready = true;
    this.refresh();
    if (!meta.finished) return this.poll();
    this.chooseSpeed();
    if (!chosen && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
    return undefined;
  }

  // A run of milliseconds in slow motion, one of hours in fast motion; all others as they are.
  chooseSpeed() {
    const seconds = this.times[this.times.length - 1] - this.times[0];
    const wanted = Math.min(Math.max(1, seconds / WATCHED[1]), seconds / WATCHED[0]);
    const options = Array.from(element("speed").options, (option) => Number(option.value));
    const speed = seconds >= WATCHED[0] && seconds <= WATCHED[1] ? 1 : options.reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
    if (seconds > 0) this.speed = speed;
    element("speed").value = String(this.speed);
  }

  theme() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  setTheme(name) {
    document.documentElement.dataset.theme = name;
    this.stage.setTheme(name);
    this.plots.redraw();
    this.plots.setTime(this.times[this.frame] ?? 0);
    this.state.theme = name;
    return this.stage.nextPicture();
  }

  // Axes and scales beside the picture, after every turn of the camera.
  showScales() {
    if (!this.stage.centre) return;
    const canvas = element("triad");
    const ratio = window.devicePixelRatio || 1;
    canvas.width = canvas.height = 64 * ratio;
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    drawTriad(canvas.getContext("2d"), 32 * ratio, 32 * ratio, 26 * ratio, this.stage.camera, ink);
    const found = scales(this.stage, this.head.meta.force_unit);
    const [length, force, chains] = [found[0], found.find(({ arrow }) => arrow), found.find(({ map }) => map)];
    for (const [id, scale] of [["scale-length", length], ["scale-force", force], ["scale-chains", chains]]) {
      element(id).hidden = !scale;
      if (!scale) continue;
      if (scale.map) element(id).querySelector("i").style.background = gradient(scale.map);
      element(id).querySelector("i").style.width = `${scale.pixels.toFixed(1)}px`;
      element(id).querySelector("span").textContent = scale.text;
    }
  }

  // Ranges of colours and plots: after the first picture, since they read more of the file.
  async refresh() {
    try {
      const [ranges, series] = await Promise.all([this.run.ranges(), this.run.series()]);
      this.measured = ranges;
      this.setRanges();
      this.plots.setSeries(series);
      this.plots.setTime(this.times[this.frame] ?? 0);
      this.state.plots = true;
    } catch (error) {
      showMessage(error.message);
    }
  }

  setRanges() {
    for (const name of Object.keys(this.stage.ranges)) {
      const [low, high] = this.measured?.[name] ?? [0, 1];
      this.stage.ranges[name] = [low, this.limits[name] ?? (high > low ? high : low + 1)];
    }
    this.stage.recolour();
    this.stage.setContacts();
    this.showColour();
  }

  // --- the timeline ----------------------------------------------------------------------------------

  setTimes(times, finished) {
    this.times = times;
    this.state.frames = times.length;
    this.finished = finished;
    element("timeline").max = Math.max(0, times.length - 1);
    element("live").hidden = finished;
    element("follow-label").hidden = finished;
    element("facts").textContent = `${this.head.meta.bodies.toLocaleString("en")} bodies · ${times.length.toLocaleString("en")} frames`;
    if (!times.length) showMessage("The run has no frames yet: the page waits for the first.");
  }

  // Last frame that is not later than t.
  frameAt(t) {
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= t + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Shows frame k; of several requests while one is loading, the last wins.
  async show(k) {
    k = Math.max(0, Math.min(this.times.length - 1, Math.round(k)));
    this.wanted = k;
    this.clock = this.times[k];
    try {
      const contacts = this.stage.overlays.arrows || this.stage.overlays.chains ? this.run.contacts(k) : null;
      const [frame, touching] = await Promise.all([this.run.frame(k), contacts]);
      if (this.wanted !== k) return;
      this.frame = k;
      this.stage.setFrame(frame, touching, this.times[k]);
      this.report();
      showMessage("");
      await this.stage.nextPicture();
      this.state.frame = k;
      this.state.instances = this.stage.instances;
      for (let i = 1; i <= AHEAD && this.playing; i++) if (k + i < this.times.length) this.run.frame(k + i).catch(() => {});
    } catch (error) {
      this.pause();
      showMessage(error.message);
    }
  }

  report() {
    const t = this.times[this.frame];
    element("timeline").value = this.frame;
    element("clock").textContent = `t = ${number(t, 5)} s · frame ${this.frame + 1} of ${this.times.length}`;
    this.plots.setTime(t);
    this.state.time = t;
    this.state.cacheBytes = this.run.cache.bytes;
    this.state.cacheLimit = this.run.cache.limit;
    this.describe();
  }

  play() {
    if (this.playing || this.times.length < 2) return;
    if (this.frame >= this.times.length - 1) this.clock = this.times[0];
    else this.clock = this.times[this.frame];
    this.playing = this.state.playing = true;
    element("play").textContent = "❚❚";
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const passed = Math.min(now - before, 250) / 1000;
      before = now;
      if (!this.loading) {
        const clock = this.clock + passed * this.speed;
        const k = this.frameAt(clock);
        if (k !== this.frame) {
          this.loading = true;
          this.show(k).finally(() => (this.loading = false));
        }
        this.clock = clock;
        if (k >= this.times.length - 1 && this.finished) this.pause();
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = this.state.playing = false;
    element("play").textContent = "▶";
  }

  // Looks for new frames of a run that is still being written.
  async poll() {
    let before = -1;
    while (!this.finished) {
      await new Promise((resolve) => setTimeout(resolve, POLL));
      try {
        const status = await this.run.status();
        if (status.frames < this.times.length || status.bodies !== this.head.meta.bodies) return location.reload(); // another run
        if (status.frames !== before || status.finished) {
          before = status.frames;
          const follow = element("follow").checked && !this.playing;
          this.setTimes(await this.run.times(), status.finished);
          if (follow && this.times.length) await this.show(this.times.length - 1);
          else if (this.frame >= 0) this.report();
          await this.refresh();
        }
      } catch (error) {
        showMessage(error.message);
      }
    }
  }

  // --- colours and overlays --------------------------------------------------------------------------

  setColour(name) {
    this.stage.colour = name;
    element("colour").value = name;
    this.state.colour = name;
    this.stage.recolour();
    this.stage.setContacts();
    this.showColour();
    return this.stage.nextPicture();
  }

  showColour() {
    const { colour, ranges } = this.stage;
    this.legend = legendOf(colour, ranges[colour] ?? [0, 1], this.head.meta, this.head.arrays);
    showLegend(this.legend);
    element("largest").parentElement.hidden = !(colour in ranges);
    if (colour in ranges) element("largest").value = Number(ranges[colour][1].toPrecision(3));
  }

  // Hides the bodies on one side of a plane across an axis; axis -1: none.  place: from 0 to 1 through the run's box.
  setClip(axis, place, side = 1) {
    const { box } = this.stage;
    const at = axis < 0 ? 0 : box.min.getComponent(axis) + place * (box.max.getComponent(axis) - box.min.getComponent(axis));
    this.stage.clip = { axis, place: at, side };
    element("clip-place").parentElement.hidden = axis < 0;
    element("clip-text").textContent = axis < 0 ? "" : `${"xyz"[axis]} ${side > 0 ? "<" : ">"} ${number(at)} m`;
    return this.show(this.frame);
  }

  async setOverlay(name, on) {
    this.stage.overlays[name] = on;
    element(name).checked = on;
    element("arrow-length").parentElement.hidden = !this.stage.overlays.arrows;
    this.state[name] = on;
    await this.show(this.frame);
    element("opacity").value = this.stage.uniforms.opacity.value;
    this.state.arrowCount = this.stage.arrows.count;
    this.state.chainCount = this.stage.chains.count;
    this.state.jointCount = this.stage.joints.count;
  }

  // --- picked bodies ---------------------------------------------------------------------------------

  async pick(body, more = false) {
    const { histories } = this.stage;
    if (!more) histories.clear();
    this.last = body;
    if (body !== null) {
      histories.set(body, { time: [], position: [] });
      this.stage.recolour();
      this.describe();
      try {
        const { arrays } = await this.run.body(body);
        if (histories.has(body)) histories.set(body, arrays);
      } catch (error) {
        showMessage(error.message);
      }
    }
    this.plots.setBody(body === null ? null : histories.get(body));
    if (this.ground.body !== null && this.ground.body !== undefined) this.ground.follow(body);
    else this.ground.update();
    this.plots.setTime(this.times[this.frame]);
    this.stage.setPaths();
    this.stage.recolour();
    this.describe();
    this.state.picked = [...histories.keys()];
    return this.stage.nextPicture();
  }

  describe() {
    const { stage, last } = this;
    if (last === null || last === undefined || !stage.frame || !stage.histories.has(last)) return showPicked(null, []);
    const row = stage.row(last);
    const name = this.head.meta.names[last] ?? `body ${last}`;
    if (row < 0) return showPicked(name, [["", "not there yet"]]);
    const { position, speed, spin, force, mode } = stage.frame.arrays;
    const place = Array.from(position.subarray(3 * row, 3 * row + 3), (x) => number(x, 4)).join(", ");
    return showPicked(name, [
      ["position [m]", place], ["velocity [m/s]", number(speed[row])], ["angular velocity [rad/s]", number(spin[row])],
      [`normal forces [${this.head.meta.force_unit}]`, number(force[row])], ["contacts", modeName(mode[row])],
    ]);
  }

  // --- the user --------------------------------------------------------------------------------------

  listen() {
    element("play").onclick = () => (this.playing ? this.pause() : this.play());
    element("timeline").oninput = (event) => this.show(Number(event.target.value));
    element("speed").onchange = (event) => (this.speed = Number(event.target.value));
    element("colour").onchange = (event) => this.setColour(event.target.value);
    element("largest").onchange = (event) => {
      const value = Number(event.target.value);
      this.limits[this.stage.colour] = value > 0 ? value : undefined;
      this.setRanges();
    };
    element("opacity").oninput = (event) => {
      this.stage.opacity = Number(event.target.value);
      this.stage.setContacts();
    };
    element("shadows").checked = this.stage.shadows.on;
    element("shadows").onchange = (event) => this.stage.setShadows(event.target.checked);
    for (const name of ["arrows", "chains", "joints"]) element(name).onchange = (event) => this.setOverlay(name, event.target.checked);
    element("arrow-length").oninput = (event) => {
      this.stage.arrowLength = 10 ** Number(event.target.value);
      this.stage.setContacts();
    };
    const clip = () => {
      const [axis, side] = element("clip").value.split(" ").map(Number);
      this.setClip(axis, Number(element("clip-place").value), side);
    };
    element("clip").onchange = element("clip-place").oninput = clip;
    for (const name of Object.keys(VIEWS)) element(`view-${name}`).onclick = () => this.stage.fit(VIEWS[name]);
    element("orthographic").onchange = (event) => this.stage.setProjection(event.target.checked ? "orthographic" : "perspective");
    element("theme").onclick = () => this.setTheme(this.theme() === "dark" ? "light" : "dark");
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(this.theme()));
    element("fit").onclick = () => this.refit();
    element("picture").onclick = () => this.savePicture();
    element("unpick").onclick = () => this.pick(null);
    this.listenToCanvas();
    window.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(element("canvas"));
    window.addEventListener("resize", () => this.plots.resize());
  }

  listenToCanvas() {
    const canvas = element("canvas");
    let from = null;
    canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (!from || event.button !== 0 || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > MOVED) return;
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const body = this.stage.pickAt((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
      this.pick(body, event.shiftKey && body !== null);
    });
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      showMessage("The graphics driver gave up; reload the page.");
    });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT"].includes(event.target.tagName)) {
      if (event.target.id !== "timeline" || event.key !== " ") return;
    }
    const keyed = { 1: "iso", 2: "front", 3: "right", 4: "top" };
    const steps = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
    if (event.key === " ") this.playing ? this.pause() : this.play();
    else if (event.key in steps) this.show(this.frame + steps[event.key]);
    else if (event.key === "Home") this.show(0);
    else if (event.key === "End") this.show(this.times.length - 1);
    else if (event.key === "f" || event.key === "F") this.refit();
    else if (event.key in keyed) this.stage.fit(VIEWS[keyed[event.key]]);
    else if (event.key === "o" || event.key === "O") element("orthographic").click();
    else if (event.key === "Escape") this.pick(null);
    else return;
    event.preventDefault();
  }

  refit() {
    this.stage.touched = false;
    this.stage.measure();
  }

  async savePicture() {
    const { blob } = await this.takePicture();
    if (blob) {
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${this.head.meta.title}-${this.frame + 1}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }
  }

  // The picture with time, legend, scales and axes.
  async takePicture() {
    this.stage.render(true); // the buffer is gone once the browser has shown it, so draw and take it at once
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    const { meta } = this.head;
    const about = { stage: this.stage, legend: this.legend, title: meta.title, time: this.times[this.frame] ?? 0, forceUnit: meta.force_unit, ink };
    const canvas = annotated(element("canvas"), about);
    return { canvas, blob: await new Promise((resolve) => canvas.toBlob(resolve)) };
  }

  resize() {
    const { clientWidth, clientHeight } = element("canvas");
    this.stage.resize(clientWidth, clientHeight);
  }

  expose() {
    Object.assign(this.state, {
      show: (k) => this.show(k),
      play: () => this.play(),
      pause: () => this.pause(),
      pick: (body, more) => this.pick(body, more),
      setColour: (name) => this.setColour(name),
      setOverlay: (name, on) => this.setOverlay(name, on),
      pickAt: (x, y) => this.stage.pickAt(x, y),
      fit: () => this.stage.fit(),
      view: (name) => this.stage.fit(VIEWS[name]),
      setProjection: (name) => this.stage.setProjection(name),
      setTheme: (name) => this.setTheme(name),
      setClip: (axis, place, side) => this.setClip(axis, place, side),
      picture: async () => (await this.takePicture()).canvas.toDataURL(),
      theme: this.theme(),
      colour: "speed",
      picked: [],
      stage: this.stage,
      run: this.run,
    });
  }
}
