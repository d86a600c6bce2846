// Where frames come from: the server of `trundle view`, or the blocks inside an exported page.
// Both answer the same questions and keep a bounded number of bytes.
import { unpack } from "./packing.js";

const CACHE_BYTES = 256e6;

class Cache {
  constructor(limit) {
    this.limit = limit;
    this.bytes = 0;
    this.entries = new Map(); // in order of use, oldest first
  }

  get(key) {
    const entry = this.entries.get(key);
    if (entry) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    return entry?.value;
  }

  set(key, value, bytes) {
    if (this.entries.has(key)) return;
    this.entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const [oldest, entry] of this.entries) {
      if (this.bytes <= this.limit || this.entries.size === 1) break;
      this.entries.delete(oldest);
      this.bytes -= entry.bytes;
    }
  }

  clear() {
    this.entries.clear();
    this.bytes = 0;
  }
}

class Run {
  constructor() {
    this.cache = new Cache(CACHE_BYTES);
    this.pending = new Map();
  }

  // The value of a key, loaded at most once at a time.
  load(key, work) {
    const kept = this.cache.get(key);
    if (kept) return Promise.resolve(kept);
    if (!this.pending.has(key)) {
      const promise = work()
        .then((packed) => {
          this.cache.set(key, packed, packed.bytes);
          return packed;
        })
        .finally(() => this.pending.delete(key));
      this.pending.set(key, promise);
    }
    return this.pending.get(key);
  }

  has(key) {
    return this.cache.entries.has(key);
  }
}

// Frames from `trundle view`.
export class ServerRun extends Run {
  async ask(path) {
    let response;
    try {
      response = await fetch(path);
    } catch {
      throw new Error("The server does not answer: is `trundle view` still running?");
    }
    if (!response.ok) {
      const text = await response.json().then((x) => x.error, () => response.statusText);
      throw new Error(text);
    }
    return response;
  }

  async packed(path) {
    return unpack(await (await this.ask(path)).arrayBuffer());
  }

  head() {
    return this.packed("api/head");
  }

  async status() {
    return (await this.ask("api/status")).json();
  }

  async times() {
    return (await this.packed("api/times")).arrays.time;
  }

  async ranges() {
    return (await this.ask("api/ranges")).json();
  }

  series() {
    return this.packed("api/series");
  }

  get hasPaths() {
    return true;
  }

  paths() {
    return this.packed("api/paths");
  }

  frame(k) {
    return this.load(`frame ${k}`, () => this.packed(`api/frame/${k}`));
  }

  contacts(k) {
    return this.load(`contacts ${k}`, () => this.packed(`api/contacts/${k}`));
  }

  body(i) {
    return this.packed(`api/body/${i}`);
  }

  hasFrame(k) {
    return this.has(`frame ${k}`);
  }
}

// Frames inside the page, written by `trundle export --html` (src/trundle/view/page.py describes the blocks).
export class FileRun extends Run {
  async block(id) {
    const element = document.getElementById(id);
    if (!element) throw new Error(`this page is incomplete: it has no part '${id}'`);
    const text = element.textContent.trim();
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return unpack(await new Response(stream).arrayBuffer());
  }

  async head() {
    this.information = await this.block("run-head");
    return this.information;
  }

  async status() {
    return { frames: this.information.arrays.times.length, finished: true };
  }

  async ranges() {
    return this.information.meta.ranges;
  }

  series() {
    return this.block("run-series");
  }

  get hasPaths() {
    return document.getElementById("run-paths") !== null;
  }

  paths() {
    return this.block("run-paths");
  }

  async decoded(k) {
    const size = this.information.meta.block;
    const number = Math.floor(k / size);
    const block = await this.load(`block ${number}`, async () => decode(await this.block(`run-frames-${number}`)));
    return block.frames[k - number * size];
  }

  async frame(k) {
    return (await this.decoded(k)).bodies;
  }

  async contacts(k) {
    return (await this.decoded(k)).contacts;
  }

  // History of a body, frame by frame; blocks come and go through the bounded cache.
  async body(i) {
    const times = this.information.arrays.times;
    const found = { time: [], position: [], speed: [], spin: [] };
    for (let k = 0; k < times.length; k++) {
      const { arrays } = await this.frame(k);
      const row = arrays.body[i] === i ? i : arrays.body.indexOf(i);
      if (row < 0) continue;
      found.time.push(times[k]);
      found.position.push(...arrays.position.subarray(3 * row, 3 * row + 3));
      found.speed.push(arrays.speed[row]);
      found.spin.push(arrays.spin[row]);
    }
    return { meta: { body: i }, arrays: found };
  }

  hasFrame(k) {
    return this.has(`block ${Math.floor(k / this.information.meta.block)}`);
  }
}

// Numbers stored as planes of bytes (all lowest bytes first): how much they differ from a straight motion.
function follow(planes, count, width, before, earlier) {
  const mask = width === 4 ? 0xffffffff : (1 << (8 * width)) - 1;
  const out = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let number = 0;
    for (let p = width - 1; p >= 0; p--) number = (number << 8) | planes[p * count + i];
    if (earlier) number += 2 * before[i] - earlier[i];
    else if (before) number += before[i];
    out[i] = number & mask;
  }
  return out;
}

// Square law: small values keep their digits.
function companded(values, top, largest) {
  const out = new Float32Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = largest * (values[i] / top) ** 2;
  return out;
}

// The frames of a block, as the server would send them.
function decode({ meta, arrays }) {
  const { low, step, width, largest, top } = meta;
  const frames = [];
  let before = null;
  let bytes = 0;
  const at = { body: 0, position: 0, orientation: 0, scalar: 0, contact: 0 };
  for (let k = 0; k < arrays.rows.length; k++) {
    const n = arrays.rows[k];
    const linked = before && !arrays.fresh[k]; // the same bodies as before: only changes are stored
    const last = linked ? before : {};
    const body = last.body ?? arrays.body.slice(at.body, (at.body += n));
    const position = follow(arrays.position.subarray(at.position), 3 * n, width, last.position, last.earlier);
    at.position += 3 * width * n;
    const changed = (name, from, count) => {
      const values = arrays[name].slice(from, from + count); // of 8 or 16 bits, where sums wrap around as they should
      if (linked) for (let i = 0; i < count; i++) values[i] += last[name][i];
      return values;
    };
    const now = { body, position, earlier: last.position, orientation: changed("orientation", at.orientation, 4 * n) };
    at.orientation += 4 * n;
    for (const name of ["speed", "spin", "force"]) now[name] = changed(name, at.scalar, n);
    const metres = new Float32Array(3 * n);
    for (let i = 0; i < 3 * n; i++) metres[i] = low[i % 3] + step * position[i];
    const turn = new Int16Array(4 * n);
    for (let i = 0; i < 4 * n; i++) turn[i] = ((now.orientation[i] - 128) * 32767) / 127;
    const scalar = (name) => companded(now[name], top, largest[name]);
    const mode = arrays.mode.slice(at.scalar, (at.scalar += n));
    const joints = (name) => arrays[name].subarray((k * arrays[name].length) / arrays.rows.length, ((k + 1) * arrays[name].length) / arrays.rows.length);
    const bodies = { body, position: metres, orientation: turn, speed: scalar("speed"), spin: scalar("spin"), force: scalar("force"), mode, joint_point: joints("joint_point"), joint_axis: joints("joint_axis") };
    const from = at.contact;
    at.contact += arrays.contacts[k];
    frames.push({ bodies: { arrays: bodies }, contacts: { arrays: contactsOf(arrays, from, at.contact, meta) } });
    before = now;
    bytes += 55 * n + 37 * arrays.contacts[k];
  }
  return { frames, bytes };
}

function contactsOf(arrays, from, to, { low, span, largest }) {
  return {
    body: arrays.contact_body.slice(2 * from, 2 * to),
    point: Float32Array.from(arrays.contact_point.subarray(3 * from, 3 * to), (x, i) => low[i % 3] + (span * x) / 65535),
    force: Float32Array.from(arrays.contact_force.subarray(3 * from, 3 * to), (x) => (x / 32767) * largest.contact),
    normal: Float32Array.from(arrays.contact_normal.subarray(from, to), (x) => (x / 65535) * largest.contact),
    mode: arrays.contact_mode.slice(from, to),
  };
}
