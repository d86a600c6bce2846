// Many copies of one shape in one draw call.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import * as shaders from "./shaders.js";

const CREASE = 0.6; // [rad]: edges sharper than this stay edges
const ROUND = 1.1; // the same for sticks, which have few sides
const WIDTH = 3072; // texels in a row of a texture; three per copy
const SIZE = 12; // numbers per copy

function material(shader, uniforms = {}, options = {}) {
  return new THREE.RawShaderMaterial({ ...shader, uniforms, glslVersion: THREE.GLSL3, ...options });
}

function texture(data) {
  const width = Math.min(WIDTH, data.length / 4);
  const rows = Math.max(1, Math.ceil(data.length / 4 / width));
  const full = data.length === 4 * width * rows ? data : new Float32Array(4 * width * rows);
  if (full !== data) full.set(data);
  const map = new THREE.DataTexture(full, width, rows, THREE.RGBAFormat, THREE.FloatType);
  map.needsUpdate = true;
  return map;
}

// Copies of a shape.  A copy is twelve numbers, see the shaders; `tint` is the one at 10.
export class Copies {
  constructor(shader, vertices, uniforms = {}, options = {}) {
    this.corners = vertices.length / 8; // texels of position and normal
    this.capacity = 0;
    this.count = 0;
    this.numbers = new Float32Array(0);
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setDrawRange(0, 0);
    const own = { ...uniforms, copies: { value: null }, shape: { value: texture(vertices) }, corners: { value: this.corners } };
    this.object = new THREE.Mesh(this.geometry, material(shader, own, { side: THREE.DoubleSide, ...options }));
    this.object.frustumCulled = false;
    this.object.visible = false;
    this.make = (more) => new THREE.Mesh(this.geometry, material(shader, own, { side: THREE.DoubleSide, ...options, ...more }));
  }

  // Makes room for n copies, and starts anew.
  begin(n) {
    if (n > this.capacity) {
      const { copies } = this.object.material.uniforms;
      copies.value?.dispose();
      const width = Math.min(WIDTH, 3 * n);
      this.capacity = Math.ceil((3 * n) / width) * (width / 3);
      copies.value = texture(new Float32Array(SIZE * this.capacity));
      this.numbers = copies.value.image.data;
    }
    this.count = 0;
  }

  paint(j, red, green, blue) {
    this.numbers[SIZE * j + 10] = red + 256 * green + 65536 * blue;
  }

  end() {
    this.geometry.setDrawRange(0, this.count * this.corners);
    this.object.visible = this.count > 0;
    if (this.depth) this.depth.visible = this.ghost && this.count > 0;
    if (this.capacity) this.object.material.uniforms.copies.value.needsUpdate = true;
  }
}

export class BodyLayer extends Copies {
  constructor({ kind, round, hollow }, uniforms, vertices, triangles, quick) {
    if (kind === "sphere") super(shaders.sphere, around(), uniforms, quick ? { defines: { QUICK: 1 } } : {});
    else {
      const shape = kind === "box" ? new THREE.BoxGeometry(1, 1, 1) : creased(vertices, triangles);
      const side = hollow ? THREE.FrontSide : THREE.DoubleSide; // one looks into what is hollow
      super(shaders.mesh, texels(shape), uniforms, { side, ...(round ? { defines: { ROUND: 1 } } : {}) });
    }
    // Bodies that one sees through: first their depth alone, so that only the nearest one of a pixel is blended over what
    // was drawn before, chains and arrows; no pattern of pixels, and nothing to be sorted.
    this.depth = this.make({ colorWrite: false, transparent: true });
    this.depth.frustumCulled = this.depth.visible = false;
    this.depth.renderOrder = 1;
    this.setGhost(false);
    this.kind = kind;
    this.rows = [];
    if (kind !== "sphere") this.corner = this.object.material.uniforms.shape.value.image.data; // for picking
  }

  setGhost(ghost) {
    this.ghost = ghost;
    this.object.renderOrder = ghost ? 2 : 0;
    Object.assign(this.object.material, { transparent: ghost, depthWrite: !ghost });
    this.depth.visible = ghost && this.count > 0;
  }

  add(row, position, extent, orientation) {
    const j = this.count++;
    this.rows[j] = row;
    const at = SIZE * j;
    const { numbers } = this;
    for (let c = 0; c < 3; c++) numbers[at + c] = position[3 * row + c];
    for (let c = 0; c < 4; c++) numbers[at + 4 + c] = orientation[4 * row + c] / 32767;
    numbers[at + 3] = extent[0];
    numbers[at + 8] = extent[1];
    numbers[at + 9] = extent[2];
  }
}

// Sticks from point to point; with a head they are arrows.
export class StickLayer extends Copies {
  // least: width in pixels; onTop: seen through everything
  constructor(head, pixels, least = 0, onTop = false) {
    // profile (radius, height) turned around the z axis
    const profile = head ? [[0, 0], [1, 0], [1, 0.72], [2.6, 0.72], [0, 1]] : [[1, 0], [1, 1]];
    const lathe = new THREE.LatheGeometry(profile.map(([x, y]) => new THREE.Vector2(x, y)), head ? 8 : 6);
    lathe.rotateX(Math.PI / 2);
    super(shaders.stick, texels(toCreasedNormals(lathe, ROUND)), { opacity: { value: 1 }, pixels, least: { value: least } }, onTop ? { depthTest: false, transparent: true } : {});
    if (onTop) this.object.renderOrder = 5;
  }

  add(a, b, width, colour) {
    const j = this.count++;
    const at = SIZE * j;
    this.numbers.set(a, at);
    this.numbers[at + 3] = width;
    this.numbers.set(b, at + 4);
    this.paint(j, ...colour);
  }
}

// Lets a material look up shadows, or not.
export function setShadows({ material }, on) {
  const { SHADOWS, ...others } = material.defines ?? {};
  material.defines = on ? { ...others, SHADOWS: 1 } : others;
  material.needsUpdate = true;
}

// A triangle around the unit circle.
function around() {
  const corners = [[0, 2], [-Math.sqrt(3), -1], [Math.sqrt(3), -1]];
  return new Float32Array(corners.flatMap(([x, y]) => [x, y, 0, 0, 0, 0, 1, 0]));
}

// Positions and normals of all corners of all triangles, two texels each.
function texels(geometry) {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const { position, normal } = flat.attributes;
  const data = new Float32Array(8 * position.count);
  for (let i = 0; i < position.count; i++) {
    data.set([position.getX(i), position.getY(i), position.getZ(i), 0, normal.getX(i), normal.getY(i), normal.getZ(i), 0], 8 * i);
  }
  return data;
}

function creased(vertices, triangles) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(vertices, 3));
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
  return toCreasedNormals(geometry, CREASE);
}

export function planeMesh(reach, cell, fill, { ground, ink }, shadows) {
  const uniforms = { cell: { value: cell }, reach: { value: reach }, fill: { value: fill }, ground, ink, ...shadows };
  const look = material(shaders.plane, uniforms, { side: THREE.DoubleSide, transparent: true, depthWrite: false });
  const object = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), look);
  object.renderOrder = -1;
  return object;
}
