// Small pieces of the page: texts, legend, facts about a picked body.
import * as colours from "./colours.js";

const MOST_KINDS = 10; // lines of a legend

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

// What the colours mean, for the page and for saved pictures: { title, map, ends } of a scale, or { lines } of kinds.
export function legendOf(colour, [low, high], meta, { fixed, surface }) {
  if (colours.FIELDS[colour]) {
    const [words, unit] = colours.FIELDS[colour];
    return { title: `${words} [${unit === "N" ? meta.force_unit : unit}]`, map: colour, ends: [number(low), number(high)] };
  }
  const kind = (name, i) => [name, colours.KINDS[i % colours.KINDS.length]];
  if (colour === "mode") return { title: "contacts of the body", lines: colours.MODES.map(({ name, colour: tint }) => [name, tint]) };
  if (colour === "surface") return { title: "surface", lines: meta.surfaces.map(kind).filter((_, i) => surface.some((s, b) => s === i && !fixed[b])).slice(0, MOST_KINDS) };
  if (colour === "body") {
    const lines = meta.names.map(kind).filter((_, i) => !fixed[i]);
    return lines.length > MOST_KINDS ? null : { title: "", lines };
  }
  return null;
}

export function showLegend(legend) {
  const place = element("legend");
  place.replaceChildren();
  place.hidden = legend === null;
  if (legend?.lines) {
    for (const [name, tint] of legend.lines) {
      const line = document.createElement("div");
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = tint;
      line.append(swatch, name);
      place.append(line);
    }
  } else if (legend) {
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.style.background = colours.gradient(legend.map);
    const ends = document.createElement("div");
    ends.className = "ends";
    for (const text of legend.ends) ends.append(Object.assign(document.createElement("span"), { textContent: text }));
    place.append(legend.title, bar, ends);
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
