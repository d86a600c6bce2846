// What is written on the picture, on the page and on saved ones: axes, scales, legend, time.
import * as THREE from "three";
import * as colours from "./colours.js";
import { number } from "./panel.js";

const AXES = [["x", "#d1495b"], ["y", "#3a9a5c"], ["z", "#3b78c2"]];
const BAR = [45, 120]; // pixels that a scale may be long

// 1, 2 or 5 times a power of ten, at most x.
function round(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

// Scales of the picture: [{ text, pixels, arrow }], true at the point that the camera turns around.
export function scales(stage, forceUnit) {
  const { pixelsPerMetre } = stage;
  const metres = round(BAR[1] / pixelsPerMetre);
  const found = [{ text: `${number(metres)} m`, pixels: metres * pixelsPerMetre, arrow: false }];
  if (stage.planes.some((plane) => plane.visible)) found[0].text += ` · grid ${number(stage.cell)} m`;
  if (stage.overlays.arrows) {
    const perNewton = stage.metresPerNewton * pixelsPerMetre;
    const newtons = round(BAR[1] / perNewton);
    const cut = `arrows are cut off at ${number(stage.longestArrow)} ${forceUnit}`;
    found.push({ text: `${number(newtons)} ${forceUnit} · ${cut}`, pixels: newtons * perNewton, arrow: true });
  }
  if (stage.overlays.chains) {
    const words = `force chains, 0 to ${number(stage.ranges.normal[1])} ${forceUnit}, as the square root`;
    found.push({ text: words, pixels: 60, map: "force" });
  }
  return found;
}

// Axes of the world, as the camera sees them; the length of each tells how much it points out of the picture.
export function drawTriad(pen, x, y, size, camera, ink) {
  const turn = camera.quaternion.clone().invert();
  const axes = AXES.map(([name, tint], i) => ({ name, tint, v: new THREE.Vector3().setComponent(i, 1).applyQuaternion(turn) }));
  axes.sort((a, b) => a.v.z - b.v.z); // those that point at the reader last
  pen.save();
  pen.lineWidth = size / 16;
  pen.lineCap = "round";
  pen.font = `600 ${Math.round(size / 3.2)}px system-ui, "DejaVu Sans", sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (const { name, tint, v } of axes) {
    pen.strokeStyle = pen.fillStyle = tint;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + 0.7 * size * v.x, y - 0.7 * size * v.y);
    pen.stroke();
    pen.fillText(name, x + 0.95 * size * v.x, y - 0.95 * size * v.y);
  }
  pen.fillStyle = ink;
  pen.beginPath();
  pen.arc(x, y, size / 14, 0, 7);
  pen.fill();
  pen.restore();
}

// A drawing with everything that a reader of a talk needs: time, title, legend, scales, axes.
export function annotated(canvas, { stage, legend, title, time, forceUnit, ink }) {
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [canvas.width, canvas.height];
  const pen = picture.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const unit = Math.max(11, Math.min(picture.width, picture.height) / 42);
  const ratio = canvas.width / Math.max(1, canvas.clientWidth);
  pen.fillStyle = pen.strokeStyle = ink;
  pen.font = `${unit}px system-ui, "DejaVu Sans", sans-serif`;
  pen.textBaseline = "top";
  pen.fillText(`t = ${number(time, 4)} s`, unit, unit);
  pen.fillText(title, unit, 2.5 * unit);
  drawLegend(pen, legend, picture.width - unit, unit, unit);
  let y = picture.height - 2.6 * unit;
  pen.textBaseline = "middle";
  for (const { text, pixels, arrow, map } of scales(stage, forceUnit)) {
    if (map) drawMap(pen, map, 5.5 * unit, y - 0.3 * unit, ratio * pixels, 0.6 * unit);
    else drawBar(pen, 5.5 * unit, y, ratio * pixels, unit, arrow);
    pen.fillText(text, 6.2 * unit + ratio * pixels, y);
    y -= 1.7 * unit;
  }
  drawTriad(pen, 2.6 * unit, picture.height - 2.6 * unit, 1.9 * unit, stage.camera, ink);
  return picture;
}

function drawBar(pen, x, y, length, unit, arrow) {
  pen.save();
  if (arrow) pen.strokeStyle = pen.fillStyle = `rgb(${colours.ARROW})`;
  pen.lineWidth = unit / 7;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + length - (arrow ? unit / 2 : 0), y);
  if (!arrow) for (const end of [x, x + length]) pen.moveTo(end, y - unit / 3), pen.lineTo(end, y + unit / 3);
  pen.stroke();
  if (arrow) {
    pen.beginPath();
    pen.moveTo(x + length, y);
    pen.lineTo(x + length - 0.8 * unit, y - 0.35 * unit);
    pen.lineTo(x + length - 0.8 * unit, y + 0.35 * unit);
    pen.fill();
  }
  pen.restore();
}

function drawMap(pen, map, x, y, width, height) {
  const ink = pen.fillStyle;
  const bar = pen.createLinearGradient(x, 0, x + width, 0);
  colours.MAPS[map].forEach(([r, g, b], i) => bar.addColorStop(i / 255, `rgb(${r},${g},${b})`));
  pen.fillStyle = bar;
  pen.fillRect(x, y, width, height);
  pen.fillStyle = ink;
}

function drawLegend(pen, legend, right, top, unit) {
  if (!legend) return;
  pen.save();
  pen.textAlign = "right";
  if (legend.lines) {
    legend.lines.forEach(([name, tint], i) => {
      const y = top + 1.5 * i * unit;
      pen.fillText(name, right, y);
      const x = right - pen.measureText(name).width - 0.9 * unit;
      const ink = pen.fillStyle;
      pen.fillStyle = tint;
      pen.beginPath();
      pen.arc(x, y + 0.5 * unit, 0.4 * unit, 0, 7);
      pen.fill();
      pen.fillStyle = ink;
    });
  } else {
    const left = right - 12 * unit;
    pen.fillText(legend.title, right, top);
    drawMap(pen, legend.map, left, top + 1.5 * unit, 12 * unit, 0.6 * unit);
    pen.fillText(legend.ends[1], right, top + 2.4 * unit);
    pen.textAlign = "left";
    pen.fillText(legend.ends[0], left, top + 2.4 * unit);
  }
  pen.restore();
}
