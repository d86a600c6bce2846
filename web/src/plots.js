// Plots that follow the timeline: energy, residual, velocities of a picked body.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { ENERGY } from "./colours.js";

const LINES = ["#3b78c2", "#e4572e", "#2e9e6b", "#f0a73a", "#8a5fd0", "#35b6c4", "#d6459b", "#7a7f87"]; // of components

function number(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return "";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-2 || size >= 1e5)) return x.toExponential(1).replace(".0e", "e");
  return String(Number(x.toPrecision(3)));
}

// Powers of ten on a logarithmic axis, at most five or so.
function decades(_plot, _axis, low, high) {
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((to - from) / 4));
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => 10 ** (to - i * step)).reverse();
}

class Plot {
  constructor(place, title, unit, { log = false, onSeek }) {
    this.place = place;
    this.title = title;
    this.unit = unit;
    this.log = log;
    this.onSeek = onSeek;
    this.time = 0;
    this.plot = null;
  }

  // lines: [{ name, values, colour }]; time [s]
  setData(time, lines) {
    this.shown = [time, lines];
    this.plot?.destroy();
    this.plot = null;
    this.place.replaceChildren();
    this.place.hidden = !time.length || !lines.length;
    if (this.place.hidden) return;
    const data = [Array.from(time), ...lines.map(({ values }) => Array.from(values, (v) => this.drawable(v)))];
    const style = getComputedStyle(document.documentElement);
    const grid = { stroke: style.getPropertyValue("--line"), width: 1 };
    const axis = { stroke: style.getPropertyValue("--soft"), grid, ticks: grid, font: "11px system-ui, sans-serif" };
    this.plot = new uPlot(
      {
        width: Math.max(200, this.place.clientWidth),
        height: 140,
        title: `${this.title} [${this.unit}]`,
        cursor: { y: false, drag: { x: false, y: false } },
        legend: { live: true, markers: { width: 2 } },
        scales: { x: { time: false }, y: this.log ? { distr: 3 } : {} },
        series: [
          { label: "t", value: (_, v) => (v === null || v === undefined ? "" : `${number(v)} s`) },
          ...lines.map(({ name, colour }, i) => ({ label: name, stroke: colour ?? LINES[i % LINES.length], width: 1.4, points: { show: false }, value: (_, v) => number(v) })),
        ],
        axes: [
          { ...axis, size: 24, values: (_, ticks) => ticks.map(number) },
          { ...axis, size: 48, space: 26, values: (_, ticks) => ticks.map((t) => (t === null ? "" : number(t))), ...(this.log ? { splits: decades, filter: (_, ticks) => ticks } : {}) },
        ],
        hooks: { draw: [(u) => this.drawMarker(u)], ready: [() => queueMicrotask(() => this.setTime(this.time))] },
      },
      data,
      this.place,
    );
    this.plot.over.addEventListener("click", (event) => this.onSeek(this.plot.posToVal(event.offsetX, "x")));
  }

  // A logarithmic axis has no zero: residuals of exactly 0 are drawn at the bottom.
  drawable(v) {
    if (!Number.isFinite(v)) return null;
    return this.log ? Math.max(v, 1e-17) : v;
  }

  drawMarker(u) {
    const x = u.valToPos(this.time, "x", true);
    const { left, top, width, height } = u.bbox;
    if (x < left - 1 || x > left + width + 1) return;
    u.ctx.save();
    u.ctx.strokeStyle = "#ff2d6f";
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x, top + height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  setTime(t) {
    this.time = t;
    if (!this.plot) return;
    this.plot.redraw(false, false);
    if (!(this.plot.cursor.left >= 0)) this.plot.setLegend({ idx: this.rowAt(t) }); // under the mouse, its own values are shown
  }

  // Last row that is not later than t.
  rowAt(t) {
    const time = this.plot.data[0];
    let [low, high] = [0, time.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (time[middle] <= t + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // In the colours of the page, which have changed.
  redraw() {
    if (this.shown) this.setData(...this.shown);
  }

  resize() {
    this.plot?.setSize({ width: Math.max(200, this.place.clientWidth), height: 140 });
  }
}

export class Plots {
  constructor(places, onSeek) {
    this.energy = new Plot(places.energy, "Energy", "J", { onSeek });
    this.residual = new Plot(places.residual, "Residual of the steps", "-", { log: true, onSeek });
    this.velocity = new Plot(places.velocity, "Velocity of the picked body", "m/s", { onSeek });
    this.spin = new Plot(places.spin, "Its angular velocity", "rad/s", { onSeek });
    this.all = [this.energy, this.residual, this.velocity, this.spin];
  }

  setSeries({ arrays }) {
    const lines = [];
    for (const [column, [name, colour]] of Object.entries(ENERGY)) {
      const values = arrays[`energy/${column}`];
      if (!values || values.every((v) => v === 0)) continue;
      lines.push({ name, colour, values: column === "potential" ? values.map((v) => v - values[0]) : values });
    }
    this.energy.setData(arrays["energy/time"] ?? [], lines);
    const residual = arrays["steps/residual"];
    this.residual.setData(arrays["steps/time"] ?? [], residual ? [{ name: "residual", values: residual }] : []);
  }

  setBody(history) {
    if (!history) {
      this.velocity.setData([], []);
      this.spin.setData([], []);
      return;
    }
    const { time, velocity, angular_velocity: spin } = history;
    this.velocity.setData(time, velocity ? components(velocity, "v") : [{ name: "|v|", values: history.speed }]);
    this.spin.setData(time, spin ? components(spin, "ω") : [{ name: "|ω|", values: history.spin }]);
  }

  setTime(t) {
    for (const plot of this.all) plot.setTime(t);
  }

  resize() {
    for (const plot of this.all) plot.resize();
  }

  redraw() {
    for (const plot of this.all) plot.redraw();
  }
}

function components(values, letter) {
  const n = values.length / 3;
  const part = (f) => Array.from({ length: n }, (_, i) => f(values[3 * i], values[3 * i + 1], values[3 * i + 2]));
  return [
    { name: `|${letter}|`, values: part((x, y, z) => Math.hypot(x, y, z)) },
    { name: `${letter}x`, values: part((x) => x) },
    { name: `${letter}y`, values: part((_, y) => y) },
    { name: `${letter}z`, values: part((_x, _y, z) => z) },
  ];
}
