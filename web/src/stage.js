// The picture: bodies, planes, arrows, chains, paths, camera, picking.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import * as colours from "./colours.js";
import { BodyLayer, StickLayer, planeMesh } from "./layers.js";

const GHOST = 0.3; // opacity of bodies under arrows and chains
const DRAFT = 0.6; // without a graphics card: resolution while things move
const REFINE = 250; // milliseconds of rest after which the full resolution is drawn
const STRONGEST = 20000; // arrows and chains drawn at most

export class Stage {
  constructor(canvas, head) {
    this.head = head;
    this.software = rendersInSoftware();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.software, powerPreference: "high-performance" });
    // the edges of spheres are cut by pixels, not by triangles: a graphics card smooths them by drawing more pixels
    this.ratio = this.software ? 1 : Math.min(Math.max(window.devicePixelRatio || 1, 1.5), 2);
    this.renderer.setPixelRatio(this.ratio);
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(colours.BACKGROUND);
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.draw());
    this.controls.addEventListener("start", () => (this.touched = true));
    this.uniforms = { opacity: { value: 1 }, pixels: { value: 500 } };
    this.layers = head.meta.groups.map((group, i) => this.layer(group, i));
    this.planes = [];
    this.arrows = new StickLayer(true);
    this.chains = new StickLayer(false);
    this.paths = new StickLayer(false);
    this.scene.add(this.arrows.object, this.chains.object, this.paths.object);
    this.colour = "speed";
    this.overlays = { arrows: false, chains: false };
    this.ranges = { speed: 1, spin: 1, force: 1, normal: 1 };
    this.histories = new Map(); // picked bodies and their paths
    this.time = 0;
    this.asked = false;
    this.drawn = [];
  }

  layer(group, i) {
    if (group.kind === "plane") return null;
    const { arrays } = this.head;
    const layer = new BodyLayer(group, this.uniforms, arrays[`vertices${i}`], arrays[`triangles${i}`], this.software);
    this.scene.add(layer.object);
    return layer;
  }

  get instances() {
    return this.layers.reduce((sum, layer) => sum + (layer ? layer.count : 0), 0);
  }

  // --- a frame ---------------------------------------------------------------------------------------

  setFrame(frame, contacts, time) {
    this.frame = frame;
    this.contacts = contacts;
    this.time = time;
    const { group, scale } = this.head.arrays;
    const { body, position, orientation } = frame.arrays;
    const sizes = new Array(this.layers.length).fill(0);
    for (let i = 0; i < body.length; i++) sizes[group[body[i]]]++;
    this.layers.forEach((layer, g) => layer?.begin(sizes[g]));
    for (const layer of this.layers) if (layer) layer.rows.length = 0;
    const standing = [];
    for (let i = 0; i < body.length; i++) {
      const layer = this.layers[group[body[i]]];
      if (!layer) {
        standing.push(i);
        continue;
      }
      layer.add(i, position, scale.subarray(3 * body[i], 3 * body[i] + 3), orientation);
    }
    if (!this.centre) this.measure();
    else this.grow();
    this.setPlanes(standing);
    this.recolour();
    this.setContacts();
    this.setPaths();
    this.draw();
  }

  // Colours of the bodies; also ends the layers, so it comes after everything else.
  recolour() {
    if (!this.frame) return;
    const { fixed } = this.head.arrays;
    const { body, mode } = this.frame.arrays;
    const values = this.frame.arrays[this.colour];
    const map = colours.MAPS[this.colour];
    const largest = this.ranges[this.colour];
    let tint;
    for (const layer of this.layers) {
      if (!layer) continue;
      for (let j = 0; j < layer.count; j++) {
        const i = layer.rows[j];
        if (this.histories.has(body[i])) tint = colours.PICKED;
        else if (fixed[body[i]]) tint = colours.FIXED;
        else if (this.colour === "mode") tint = colours.ofMode(mode[i]);
        else if (map) tint = colours.of(map, values[i], largest);
        else tint = colours.PLAIN;
        layer.paint(j, tint[0], tint[1], tint[2]);
      }
      layer.end();
    }
    this.draw();
  }

  setPlanes(rows) {
    const { body, position, orientation } = this.frame.arrays;
    const { group } = this.head.arrays;
    const up = new THREE.Vector3(0, 0, 1);
    rows.forEach((row, p) => {
      const { normal, offset } = this.head.meta.groups[group[body[row]]];
      const q = quaternion(orientation, row);
      const n = new THREE.Vector3(...normal).applyQuaternion(q).normalize();
      if (!this.planes[p]) {
        const ground = Math.abs(n.dot(up)) > 0.5;
        this.planes[p] = planeMesh((ground ? 9 : 1.6) * this.size, nice(this.size / 8), ground ? 1 : 0.12);
        this.scene.add(this.planes[p]);
      }
      const place = new THREE.Vector3(...position.subarray(3 * row, 3 * row + 3)).addScaledVector(n, offset);
      const away = n.dot(place.clone().sub(this.centre));
      this.planes[p].position.copy(this.centre).addScaledVector(n, away);
      this.planes[p].quaternion.setFromUnitVectors(up, n);
    });
    this.planes.forEach((plane, p) => (plane.visible = p < rows.length));
  }

  // --- contacts and paths ----------------------------------------------------------------------------

  setContacts() {
    const { arrows, chains } = this.overlays;
    const data = this.contacts?.arrays;
    const count = data ? data.normal.length : 0;
    const drawn = data && count > STRONGEST ? strongest(data.normal, STRONGEST) : null;
    const n = drawn ? drawn.length : count;
    this.arrows.begin(arrows ? n : 0);
    this.chains.begin(chains ? n : 0);
    const largest = this.ranges.normal || 1;
    for (let k = 0; k < n && (arrows || chains); k++) {
      const c = drawn ? drawn[k] : k;
      const strength = data.normal[c] / largest;
      if (!(strength > 1e-4)) continue;
      if (arrows) this.addArrow(data, c, largest);
      if (chains) this.addChain(data, c, strength);
    }
    this.arrows.end();
    this.chains.end();
    this.uniforms.opacity.value = this.opacity ?? (arrows || chains ? GHOST : 1);
    this.draw();
  }

  addArrow({ point, force }, c, largest) {
    const a = point.subarray(3 * c, 3 * c + 3);
    const f = force.subarray(3 * c, 3 * c + 3);
    const size = Math.hypot(f[0], f[1], f[2]) / largest;
    const unit = Math.min(this.grain, 0.25 * this.size); // one body that fills the picture shall not hide its arrows' heads
    const length = unit * 2.5 * Math.min(size, 3) / Math.max(size * largest, 1e-300);
    this.arrows.add(a, [a[0] + length * f[0], a[1] + length * f[1], a[2] + length * f[2]], unit * 0.06 * Math.min(0.35 + size, 1.6), colours.ARROW);
  }

  addChain({ body, point, mode }, c, strength) {
    const p = point.subarray(3 * c, 3 * c + 3);
    const ends = [0, 1].map((side) => this.place(body[2 * c + side]) ?? p);
    const tint = this.colour === "mode" ? colours.ofMode(mode[c]) : colours.of(colours.MAPS.force, Math.sqrt(strength), 1); // else most are dark
    this.chains.add(ends[0], ends[1], this.grain * 0.3 * Math.sqrt(Math.min(strength, 2)), tint);
  }

  // Centre of a body that is small enough to have one worth drawing to.
  place(body) {
    const row = this.row(body);
    if (row < 0 || this.head.arrays.fixed[body]) return null;
    return this.frame.arrays.position.subarray(3 * row, 3 * row + 3);
  }

  row(body) {
    const numbers = this.frame.arrays.body;
    return numbers[body] === body ? body : numbers.indexOf(body);
  }

  setPaths() {
    let count = 0;
    for (const { time } of this.histories.values()) count += Math.max(0, time.length - 1);
    this.paths.begin(count);
    for (const { time, position } of this.histories.values()) {
      for (let k = 0; k + 1 < time.length; k++) {
        const past = time[k + 1] <= this.time * (1 + 1e-9);
        const [a, b] = [k, k + 1].map((i) => Array.from(position.slice(3 * i, 3 * i + 3)));
        this.paths.add(a, b, this.size * (past ? 0.004 : 0.0015), past ? colours.PICKED : [150, 150, 160]);
      }
    }
    this.paths.end();
  }

  // --- camera ----------------------------------------------------------------------------------------

  // Box that bodies move in: that of the run, and of the frame at hand where a run is still growing.
  measure() {
    const { meta, arrays } = this.head;
    const box = new THREE.Box3(new THREE.Vector3(...meta.low), new THREE.Vector3(...meta.high));
    if (!meta.finished) box.union(this.frameBox());
    this.centre = box.getCenter(new THREE.Vector3());
    this.size = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    const sizes = arrays.radius.filter((r, i) => r > 0 && !arrays.fixed[i]).sort();
    this.grain = sizes.length ? sizes[Math.floor(sizes.length / 2)] : this.size / 20;
    this.fit();
  }

  // Box around the bodies that move in this frame.
  frameBox() {
    const box = new THREE.Box3();
    const { body, position } = this.frame.arrays;
    const { fixed, radius } = this.head.arrays;
    const [p, r] = [new THREE.Vector3(), new THREE.Vector3()];
    for (let i = 0; i < body.length; i++) {
      if (fixed[body[i]]) continue;
      r.setScalar(radius[body[i]]);
      p.fromArray(position, 3 * i);
      box.expandByPoint(p.clone().sub(r)).expandByPoint(p.add(r));
    }
    return box;
  }

  // In a run that is still growing, the picture grows with it until the user takes the camera.
  grow() {
    if (this.head.meta.finished || this.touched) return;
    const reach = this.frameBox().getBoundingSphere(new THREE.Sphere());
    if (reach.radius + reach.center.distanceTo(this.centre) > 1.3 * this.size) this.measure();
  }

  fit() {
    const distance = (this.size / Math.sin((this.camera.fov * Math.PI) / 360)) * 0.95;
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).add(new THREE.Vector3(0.62, -0.72, 0.36).normalize().multiplyScalar(distance));
    this.camera.near = this.size / 500;
    this.camera.far = this.size * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  resize(width, height) {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.uniforms.pixels.value = height / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
    this.draw();
  }

  // Draws with the next picture of the screen: only when something has changed, however often it is called.
  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.render());
  }

  render(fine = !this.software) {
    this.asked = false;
    clearTimeout(this.refining);
    const ratio = fine ? this.ratio : DRAFT * this.ratio;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    if (!fine) this.refining = setTimeout(() => this.render(true), REFINE);
    this.renderer.render(this.scene, this.camera);
    const waiting = this.drawn;
    this.drawn = [];
    for (const done of waiting) done();
  }

  // Resolves when the next picture is drawn.
  nextPicture() {
    return new Promise((resolve) => {
      this.drawn.push(resolve);
      this.draw();
    });
  }

  // --- picking ---------------------------------------------------------------------------------------

  // Number of the body under a point of the canvas (-1 ... 1), or null.
  pickAt(x, y) {
    if (!this.frame) return null;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(x, y), this.camera);
    let best = { distance: Infinity, body: null };
    for (const layer of this.layers) {
      if (layer) best = nearest(layer, caster.ray, this.frame.arrays, this.head.arrays, best);
    }
    return best.body;
  }
}

// Whether the browser draws without a graphics card.
function rendersInSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new Error("no WebGL 2");
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

// First body of a layer that a ray meets, exactly: spheres by formula, others by their triangles.
function nearest(layer, ray, { body, position, orientation }, { scale, radius }, best) {
  const centre = new THREE.Vector3();
  const off = new THREE.Vector3();
  for (let j = 0; j < layer.count; j++) {
    const i = layer.rows[j];
    centre.fromArray(position, 3 * i);
    const r = layer.kind === "sphere" ? scale[3 * body[i]] : radius[body[i]] || Infinity;
    off.subVectors(centre, ray.origin);
    const along = off.dot(ray.direction);
    const inside = r * r - (off.lengthSq() - along * along);
    if (inside < 0 || along + r < 0) continue;
    if (layer.kind === "sphere") {
      const distance = along - Math.sqrt(inside);
      if (distance > 0 && distance < best.distance) best = { distance, body: body[i] };
    } else {
      const distance = meetMesh(layer.corner, ray, centre, quaternion(orientation, i), scale.subarray(3 * body[i], 3 * body[i] + 3));
      if (distance < best.distance) best = { distance, body: body[i] };
    }
  }
  return best;
}

function meetMesh(numbers, ray, centre, turn, extent) {
  const own = new THREE.Matrix4().compose(centre, turn, new THREE.Vector3(...extent));
  const local = ray.clone().applyMatrix4(own.clone().invert());
  const [a, b, c, hit] = [0, 1, 2, 3].map(() => new THREE.Vector3());
  let best = Infinity;
  for (let t = 0; t + 24 <= numbers.length; t += 24) {
    a.fromArray(numbers, t);
    b.fromArray(numbers, t + 8);
    c.fromArray(numbers, t + 16);
    if (local.intersectTriangle(a, b, c, false, hit)) best = Math.min(best, hit.applyMatrix4(own).distanceTo(ray.origin));
  }
  return best;
}

function quaternion(orientation, i) {
  const [w, x, y, z] = orientation.subarray(4 * i, 4 * i + 4);
  return new THREE.Quaternion(x, y, z, w).normalize();
}

function strongest(normal, count) {
  const order = Uint32Array.from(normal.keys());
  return order.sort((a, b) => normal[b] - normal[a]).subarray(0, count);
}

// 1, 2 or 5 times a power of ten near x.
function nice(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}
