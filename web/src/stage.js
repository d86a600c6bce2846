// The picture: bodies, planes, arrows, chains, paths, camera, picking.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import * as colours from "./colours.js";
import { BodyLayer, StickLayer, planeMesh, setShadows } from "./layers.js";
import { Shadows } from "./shadows.js";
import { TerrainLayer } from "./terrain.js";

const GHOST = 0.22; // opacity of bodies under arrows and chains
const ARROW = 5; // radii of a grain that an arrow of a large force is long
const LONGEST = 2.5; // times that: longer arrows are cut off
const FOV = { perspective: 35, orthographic: 1.2 }; // degrees; so narrow an angle from so far away is parallel to 1 %
const MARGIN = 1.12; // room around the bodies
export const VIEWS = { iso: [0.62, -0.72, 0.36], front: [0, -1, 0], right: [1, 0, 0], top: [0, -1e-4, 1] };
const DRAFT = 0.6; // without a graphics card: resolution while things move
const REFINE = 250; // milliseconds of rest after which the full resolution is drawn
const COILS = 12; // corners of a spring
const STRONGEST = 20000; // arrows and chains drawn at most

export class Stage {
  constructor(canvas, head, theme) {
    this.head = head;
    this.software = rendersInSoftware();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.software, powerPreference: "high-performance" });
    // the edges of spheres are cut by pixels, not by triangles: a graphics card smooths them by drawing more pixels
    this.ratio = this.software ? 1 : Math.min(Math.max(window.devicePixelRatio || 1, 1.5), 2);
    this.renderer.setPixelRatio(this.ratio);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(FOV.perspective, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.draw());
    this.controls.addEventListener("start", () => (this.touched = true));
    this.shadows = new Shadows();
    this.uniforms = { opacity: { value: 1 }, pixels: { value: 500 }, ...this.shadows.uniforms };
    this.layers = head.meta.groups.map((group, i) => this.layer(group, i));
    this.planes = [];
    this.planeColours = { ground: { value: [1, 1, 1] }, ink: { value: [0, 0, 0] } };
    const { pixels } = this.uniforms;
    this.arrows = new StickLayer(true, pixels, 1.6);
    this.chains = new StickLayer(false, pixels);
    this.paths = new StickLayer(false, pixels, 1.5);
    this.joints = new StickLayer(false, pixels, 1.5, true);
    this.scene.add(this.arrows.object, this.chains.object, this.paths.object, this.joints.object);
    this.colour = "speed";
    this.overlays = { arrows: false, chains: false, joints: true };
    this.arrowLength = 1; // a factor of the user's
    this.clip = { axis: -1, place: 0, side: 1 };
    this.ranges = Object.fromEntries(["normal", ...Object.keys(colours.FIELDS)].map((name) => [name, [0, 1]]));
    this.histories = new Map(); // picked bodies and their paths
    this.time = 0;
    this.asked = false;
    this.drawn = [];
    this.setShadows(!this.software);
    this.setTheme(theme);
  }

  setShadows(on) {
    this.shadows.on = on;
    for (const layer of this.layers) if (layer) [layer.object, layer.depth].forEach((object) => setShadows(object, on));
    for (const plane of this.planes) setShadows(plane, on);
    this.draw();
  }

  setTheme(name) {
    this.theme = name;
    const { background, ground, line } = colours.THEMES[name];
    this.scene.background = new THREE.Color(background);
    this.planeColours.ground.value = colours.unit(ground);
    this.planeColours.ink.value = colours.unit(line);
    this.draw();
  }

  layer(group, i) {
    if (group.kind === "plane") return null;
    const { arrays } = this.head;
    const Layer = group.ground ? TerrainLayer : BodyLayer;
    const layer = new Layer(group, this.uniforms, arrays[`vertices${i}`], arrays[`triangles${i}`], this.software);
    this.scene.add(layer.object, layer.depth);
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
    if (!this.centre) this.measure();
    else this.grow();
    this.layers.forEach((layer, g) => layer?.begin(sizes[g]));
    for (const layer of this.layers) if (layer) layer.rows.length = 0;
    const standing = [];
    for (let i = 0; i < body.length; i++) {
      const layer = this.layers[group[body[i]]];
      if (!layer) {
        standing.push(i);
        continue;
      }
      if (this.cut(position, 3 * i) && !this.head.arrays.fixed[body[i]]) continue;
      layer.add(i, position, scale.subarray(3 * body[i], 3 * body[i] + 3), orientation);
    }
    this.setPlanes(standing);
    this.recolour();
    this.setContacts();
    this.setPaths();
    this.setJoints();
    this.onFrame?.();
    this.draw();
  }

  // Whether a point is on the side of the clipping plane that is not shown.
  cut(numbers, at) {
    const { axis, place, side } = this.clip;
    return axis >= 0 && side * (numbers[at + axis] - place) > 0;
  }

  // The number of a field of the i-th body of the frame, such as its speed.
  field(name, i) {
    const { body, position } = this.frame.arrays;
    if (name === "height") return position[3 * i + 2];
    if (name === "size") return this.head.arrays.radius[body[i]];
    return this.frame.arrays[name][i];
  }

  // Colours of the bodies; also ends the layers, so it comes after everything else.
  recolour() {
    if (!this.frame) return;
    const { fixed, surface } = this.head.arrays;
    const { body, mode } = this.frame.arrays;
    const map = colours.MAPS[this.colour];
    const [low, high] = this.ranges[this.colour] ?? [0, 1];
    let tint;
    for (const layer of this.layers) {
      if (!layer) continue;
      for (let j = 0; j < layer.count; j++) {
        const i = layer.rows[j];
        if (this.histories.has(body[i])) tint = colours.PICKED;
        else if (fixed[body[i]]) tint = colours.FIXED;
        else if (this.colour === "mode") tint = colours.ofMode(mode[i]);
        else if (map) tint = colours.of(map, this.field(this.colour, i), low, high);
        else if (this.colour === "body") tint = colours.ofKind(body[i]);
        else if (this.colour === "surface") tint = colours.ofKind(surface[body[i]]);
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
        this.planes[p] = planeMesh((ground ? 9 : 1.6) * this.size, this.cell, ground ? 1 : 0.12, this.planeColours, this.shadows.uniforms);
        setShadows(this.planes[p], this.shadows.on);
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
    const largest = this.ranges.normal[1] || 1;
    for (let k = 0; k < n && (arrows || chains); k++) {
      const c = drawn ? drawn[k] : k;
      const strength = data.normal[c] / largest;
      if (!(strength > 1e-4) || this.cut(data.point, 3 * c)) continue;
      if (arrows) this.addArrow(data, c);
      if (chains) this.addChain(data, c, strength);
    }
    this.arrows.end();
    this.chains.end();
    this.uniforms.opacity.value = this.opacity ?? (arrows || chains ? GHOST : 1);
    for (const layer of this.layers) layer?.setGhost(this.uniforms.opacity.value < 1);
    this.draw();
  }

  // Length of an arrow per newton [m/N]: the same everywhere, so that arrows can be compared.
  get metresPerNewton() {
    return (this.arrowLength * Math.min(ARROW * this.grain, 0.4 * this.size)) / (this.ranges.normal[1] || 1);
  }

  // Force [N] of the longest arrow that is drawn.
  get longestArrow() {
    return LONGEST * (this.ranges.normal[1] || 1);
  }

  addArrow({ point, force }, c) {
    const a = point.subarray(3 * c, 3 * c + 3);
    const f = force.subarray(3 * c, 3 * c + 3);
    const newtons = Math.hypot(f[0], f[1], f[2]);
    const shown = this.metresPerNewton * Math.min(1, this.longestArrow / Math.max(newtons, 1e-300));
    const width = 0.04 * Math.min(newtons * shown, 6 * this.grain);
    this.arrows.add(a, [a[0] + shown * f[0], a[1] + shown * f[1], a[2] + shown * f[2]], width, colours.ARROW);
  }

  addChain({ body, point, mode }, c, strength) {
    const p = point.subarray(3 * c, 3 * c + 3);
    const ends = [0, 1].map((side) => this.place(body[2 * c + side]) ?? p);
    const tint = this.colour === "mode" ? colours.ofMode(mode[c]) : colours.of(colours.MAPS.force, Math.sqrt(strength), 0, 1); // else most look the same
    this.chains.add(ends[0], ends[1], this.grain * 0.3 * Math.sqrt(Math.min(strength, 2)), tint);
  }

  // A joint is a stick along its axis (a blob where it has none), with thin sticks to the centres of its bodies.  A spring is a
  // coil between its two points, a joint that keeps a distance a rod; their `axis` leads from one point to the other.
  setJoints() {
    const { joints } = this.head.meta;
    const { joint_point: point, joint_axis: axis } = this.frame.arrays;
    const count = this.overlays.joints && point ? joints.length : 0;
    this.joints.begin((COILS + 3) * count);
    for (let j = 0; j < count; j++) {
      const p = Array.from(point.subarray(3 * j, 3 * j + 3));
      if (!p.every(Number.isFinite)) continue;
      const reach = 0.8 * Math.min(this.grain, 0.2 * this.size);
      if (joints[j].kind === "spring" || joints[j].kind === "distance") {
        const from = p.map((x, c) => x - axis[3 * j + c]);
        const line = joints[j].kind === "spring" ? coil(from, p, 0.5 * reach) : [from, p];
        for (let k = 1; k < line.length; k++) {
          if (!this.cut(line[k], 0)) this.joints.add(line[k - 1], line[k], 0.06 * reach, colours.JOINT);
        }
        continue;
      }
      if (this.cut(p, 0)) continue;
      const long = { hinge: 1, slider: 1.6 }[joints[j].kind] ?? 0.25;
      const end = (s) => p.map((x, c) => x + s * long * reach * axis[3 * j + c]);
      this.joints.add(end(-1), end(1), 0.22 * reach, colours.JOINT);
      for (const body of joints[j].bodies) {
        const centre = body < 0 ? null : this.place(body);
        if (centre && !this.cut(centre, 0)) this.joints.add(p, Array.from(centre), 0.04 * reach, colours.JOINT);
      }
    }
    this.joints.end();
    this.draw();
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
        const width = Math.min(0.004 * this.size, 0.1 * this.grain);
        this.paths.add(a, b, past ? width : 0.4 * width, past ? colours.PICKED : [150, 150, 160]);
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
    this.box = box;
    this.centre = box.getCenter(new THREE.Vector3());
    this.size = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    const sizes = arrays.radius.filter((r, i) => r > 0 && !arrays.fixed[i]).sort();
    this.grain = sizes.length ? sizes[Math.floor(sizes.length / 2)] : this.size / 20;
    this.cell = nice(this.size / 8); // of the grid on the ground [m]
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

  // Looks at everything from a direction: as near as the corners of the box allow, whatever the shape of the window.
  fit(direction = VIEWS.iso) {
    this.direction = direction;
    const back = new THREE.Vector3(...direction).normalize();
    const right = new THREE.Vector3(0, 0, 1).cross(back).normalize();
    const up = back.clone().cross(right);
    const steep = Math.tan((this.camera.fov * Math.PI) / 360) / MARGIN;
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      const [x, y, z] = [0, 1, 2].map((c) => ((i >> c) & 1 ? this.box.max : this.box.min).getComponent(c));
      const corner = new THREE.Vector3(x, y, z).sub(this.centre);
      const seen = Math.max(Math.abs(corner.dot(right)) / (steep * this.camera.aspect), Math.abs(corner.dot(up)) / steep);
      distance = Math.max(distance, seen + corner.dot(back));
    }
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(back, Math.max(distance, this.size));
    this.controls.update();
    this.draw();
  }

  // Perspective or orthographic, with the same part of the scene in the picture.
  setProjection(name) {
    const tangent = (fov) => Math.tan((fov * Math.PI) / 360);
    const away = this.camera.position.clone().sub(this.controls.target);
    away.multiplyScalar(tangent(this.camera.fov) / tangent(FOV[name]));
    this.camera.fov = FOV[name];
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
    this.setPixels();
    this.draw();
  }

  setPixels() {
    this.uniforms.pixels.value = this.height / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
    this.camera.updateProjectionMatrix();
  }

  // Pixels of a metre at the point that the camera turns around.
  get pixelsPerMetre() {
    return this.uniforms.pixels.value / this.camera.position.distanceTo(this.controls.target);
  }

  resize(width, height) {
    this.renderer.setSize(width, height, false);
    const first = this.height === undefined;
    this.height = Math.max(1, height);
    this.camera.aspect = width / this.height;
    this.setPixels();
    if (!first && this.centre && !this.touched) this.fit(this.direction);
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
    const away = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(away - 20 * (this.size ?? 1), away / 500);
    this.camera.far = away + 60 * (this.size ?? 1);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const bare = [...this.planes, ...[this.arrows, this.chains, this.paths, this.joints].map((layer) => layer.object)];
    this.shadows.prepare(this.renderer, this.scene, this.camera, this.centre, this.size, bare);
    this.renderer.render(this.scene, this.camera);
    this.onRender?.();
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

// Corners of a zigzag from a to b, with straight ends.
function coil(a, b, width) {
  const [start, end] = [new THREE.Vector3(...a), new THREE.Vector3(...b)];
  const along = end.clone().sub(start);
  const across = new THREE.Vector3(0, 0, 1).cross(along);
  if (across.length() < 0.1 * along.length()) across.set(1, 0, 0).cross(along);
  across.setLength(Math.min(width, 0.3 * along.length()));
  const corners = [start];
  for (let k = 0; k <= COILS; k++) {
    const side = k === 0 || k === COILS ? 0 : k % 2 ? 1 : -1;
    corners.push(start.clone().addScaledVector(along, 0.12 + (0.76 * k) / COILS).addScaledVector(across, side));
  }
  return [...corners, end].map((corner) => corner.toArray());
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
