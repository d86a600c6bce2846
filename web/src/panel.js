// Small pieces of the page: texts, legend, facts about a picked body.
import * as colours from "./colours.js";

export const element = (id) => document.getElementById(id);

export function showMessage(text) {
  element("message").textContent = text;
  element("message").hidden = !text;
}

export function number(x, digits = 3) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return x.toExponential(digits - 1);
  return String(Number(x.toPrecision(digits)));
}

const UNITS = { speed: ["velocity", "m/s"], spin: ["angular velocity", "rad/s"], force: ["sum of normal forces on the body", "N"] };

export function showLegend(colour, largest, forceUnit) {
  const legend = element("legend");
  legend.replaceChildren();
  legend.hidden = colour === "plain";
  if (colour === "mode") {
    for (const { name, colour: tint } of colours.MODES) {
      const line = document.createElement("div");
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = tint;
      line.append(swatch, name);
      legend.append(line);
    }
  } else if (UNITS[colour]) {
    const [name, unit] = UNITS[colour];
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.style.background = colours.gradient(colour);
    const ends = document.createElement("div");
    ends.className = "ends";
    for (const text of ["0", number(largest)]) ends.append(Object.assign(document.createElement("span"), { textContent: text }));
    legend.append(`${name} [${colour === "force" ? forceUnit : unit}]`, bar, ends);
  }
}

// Facts about the picked body in the frame at hand: [[name, text], ...]
export function showPicked(name, facts) {
  element("picked").hidden = name === null;
  element("picked-name").textContent = name ?? "";
  const list = element("picked-facts");
  list.replaceChildren();
  for (const [label, text] of facts) {
    list.append(Object.assign(document.createElement("dt"), { textContent: label }), Object.assign(document.createElement("dd"), { textContent: text }));
  }
}

export function modeName(bits) {
  return colours.MODES.find((mode) => mode.bits === (bits & 15))?.name ?? "–";
}
