// Timeline, controls and what they do to the stage and the plots.
import { element, modeName, number, showLegend, showMessage, showPicked } from "./panel.js";
import { Plots } from "./plots.js";
import { Stage } from "./stage.js";

const AHEAD = 3; // frames fetched before they are needed
const POLL = 1000; // milliseconds between looks at a run that is being written
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
    this.stage = new Stage(element("canvas"), head);
    this.limits = {}; // largest values the user has chosen
    const places = Object.fromEntries(["energy", "residual", "velocity", "spin"].map((name) => [name, element(`plot-${name}`)]));
    this.plots = new Plots(places, (t) => this.show(this.frameAt(t)));
    this.listen();
    this.expose();
  }

  async begin() {
    const { meta } = this.head;
    document.title = `${meta.title} – trundle`;
    element("title").textContent = meta.title;
    const notes = meta.groups.map((group) => group.note).filter(Boolean);
    element("notes").textContent = [...notes, meta.contact_note, `trundle ${meta.version}`].filter(Boolean).join(" · ");
    this.setTimes(this.times, meta.finished);
    this.resize();
    if (this.times.length) await this.show(meta.finished ? 0 : this.times.length - 1);
    this.state.ready = true;
    this.refresh();
    if (!meta.finished) this.poll();
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
    for (const name of ["speed", "spin", "force", "normal"]) this.stage.ranges[name] = this.limits[name] ?? (this.measured?.[name] || 1);
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
    showLegend(colour, ranges[colour], this.head.meta.force_unit);
    element("largest").parentElement.hidden = !(colour in ranges);
    if (colour in ranges) element("largest").value = Number(ranges[colour].toPrecision(3));
  }

  async setOverlay(name, on) {
    this.stage.overlays[name] = on;
    element(name).checked = on;
    this.state[name] = on;
    await this.show(this.frame);
    element("opacity").value = this.stage.uniforms.opacity.value;
    this.state.arrowCount = this.stage.arrows.count;
    this.state.chainCount = this.stage.chains.count;
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
    for (const name of ["arrows", "chains"]) element(name).onchange = (event) => this.setOverlay(name, event.target.checked);
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
    const steps = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
    if (event.key === " ") this.playing ? this.pause() : this.play();
    else if (event.key in steps) this.show(this.frame + steps[event.key]);
    else if (event.key === "Home") this.show(0);
    else if (event.key === "End") this.show(this.times.length - 1);
    else if (event.key === "f" || event.key === "F") this.refit();
    else if (event.key === "Escape") this.pick(null);
    else return;
    event.preventDefault();
  }

  refit() {
    this.stage.touched = false;
    this.stage.measure();
  }

  async savePicture() {
    this.stage.render(true); // the buffer is gone once the browser has shown it, so draw and take it at once
    element("canvas").toBlob((blob) => {
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${this.head.meta.title}-${this.frame + 1}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
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
      colour: "speed",
      picked: [],
      stage: this.stage,
      run: this.run,
    });
  }
}
