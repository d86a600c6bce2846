// From numbers to colours.
import table from "./colours.json";

const parse = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

function ramp(stops) {
  const colours = stops.map(parse);
  return Array.from({ length: 256 }, (_, i) => {
    const x = (i / 255) * (colours.length - 1);
    const k = Math.min(Math.floor(x), colours.length - 2);
    return [0, 1, 2].map((c) => Math.round(colours[k][c] + (x - k) * (colours[k + 1][c] - colours[k][c])));
  });
}

export const MAPS = Object.fromEntries(Object.entries(table.maps).map(([name, stops]) => [name, ramp(stops)]));
export const MODES = Object.entries(table.modes).map(([bits, [name, colour]]) => ({ bits: Number(bits), name, colour }));
export const ELEVATION = ramp(table.elevation);
export const PLAIN = parse(table.plain);
export const FIXED = parse(table.fixed);
export const PICKED = parse(table.picked);
export const ARROW = parse(table.arrow);
export const JOINT = parse(table.joint);
export const KINDS = table.kinds;
export const FIELDS = table.fields; // name of a field: [words, unit]
export const ENERGY = table.energy; // column of the ledger: [words, colour]
export const THEMES = { light: table.light, dark: table.dark };
const KIND_COLOURS = table.kinds.map(parse);
const MODE_COLOURS = Array.from({ length: 16 }, (_, bits) => parse((table.modes[bits] ?? table.modes[0])[1]));

// Colour of a value between low and high.
export function of(map, value, low, high) {
  const x = high > low ? (value - low) / (high - low) : 0;
  return map[Math.max(0, Math.min(255, Math.round(255 * x)))] ?? map[0];
}

export const ofMode = (bits) => MODE_COLOURS[bits & 15];

export const ofKind = (number) => KIND_COLOURS[number % KIND_COLOURS.length];

// A colour as three numbers from 0 to 1, as shaders of ours take it.
export const unit = (hex) => parse(hex).map((x) => x / 255);

export const gradient = (name) => `linear-gradient(to right, ${table.maps[name].join(", ")})`;
