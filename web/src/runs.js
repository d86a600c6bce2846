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

  async decoded(k) {
    const size = this.information.meta.block;
    const number = Math.floor(k / size);
    const block = await this.load(`block ${number}`, async () => decode(await this.block(`run-frames-${number}`), this.information.meta));
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

// Bytes of one plane after the other (all low bytes, then all high ones) -> 16-bit numbers, differences summed up.
function sums(planes, rows, columns, previous) {
  const count = rows * columns;
  const out = new Uint16Array(count);
  for (let i = 0; i < count; i++) {
    const difference = planes[i] | (planes[count + i] << 8);
    out[i] = previous ? previous[i] + difference : difference;
  }
  return out;
}

function companded(values, largest) {
  // square law: small values keep their digits
  const top = values instanceof Uint8Array ? 255 : 65535;
  return Float32Array.from(values, (x) => largest * (x / top) ** 2);
}

function decode({ arrays }, { low, high, largest }) {
  const frames = [];
  let before = null;
  let bytes = 0;
  const { rows, fresh } = arrays;
  const at = { body: 0, position: 0, orientation: 0, scalar: 0, contact: 0 };
  for (let k = 0; k < rows.length; k++) {
    const n = rows[k];
    const linked = before && !fresh[k]; // the same bodies as before: only differences are stored
    const body = linked ? before.body : arrays.body.slice(at.body, at.body + n);
    if (!linked) at.body += n;
    const position = sums(arrays.position.subarray(at.position), n, 3, linked ? before.position : null);
    at.position += 6 * n;
    const turn = new Uint8Array(4 * n);
    const stored = arrays.orientation.subarray(at.orientation, (at.orientation += 4 * n));
    for (let i = 0; i < 4 * n; i++) turn[i] = linked ? before.turn[i] + stored[i] : stored[i];
    const metres = new Float32Array(3 * n);
    for (let i = 0; i < 3 * n; i++) metres[i] = low[i % 3] + ((high[i % 3] - low[i % 3]) * position[i]) / 65535;
    const orientation = new Int16Array(4 * n);
    for (let i = 0; i < 4 * n; i++) orientation[i] = ((turn[i] - 128) * 32767) / 127;
    const scalar = (name) => companded(arrays[name].subarray(at.scalar, at.scalar + n), largest[name]);
    const bodies = {
      body, position: metres, orientation, speed: scalar("speed"), spin: scalar("spin"), force: scalar("force"),
      mode: arrays.mode.slice(at.scalar, at.scalar + n),
    };
    at.scalar += n;
    frames.push({ bodies: { arrays: bodies }, contacts: { arrays: decodeContacts(arrays, at, arrays.contacts[k], low, high, largest) } });
    before = { body, position, turn };
    bytes += 50 * n + 40 * arrays.contacts[k];
  }
  return { frames, bytes };
}

function decodeContacts(arrays, at, count, low, high, largest) {
  const start = at.contact;
  at.contact += count;
  const force = Float32Array.from(arrays.contact_force.subarray(3 * start, 3 * at.contact), (x) => (x / 32767) * largest.contact);
  return {
    body: arrays.contact_body.slice(2 * start, 2 * at.contact),
    point: Float32Array.from(arrays.contact_point.subarray(3 * start, 3 * at.contact), (x, i) => low[i % 3] + ((high[i % 3] - low[i % 3]) * x) / 65535),
    force,
    normal: Float32Array.from(arrays.contact_normal.subarray(start, at.contact), (x) => (x / 65535) * largest.contact),
    mode: arrays.contact_mode.slice(start, at.contact),
  };
}
