// Terrain: ground in colours of its height or under a picture, with the light of maps; and the ways of all bodies over it.
import * as THREE from "three";
import * as colours from "./colours.js";
import { BodyLayer, Copies } from "./layers.js";
import * as shaders from "./shaders.js";

const CONTOURS = 25; // at most, between the lowest and the highest place
export const LOOKS = { plain: 0, hillshade: 1, elevation: 2 }; // others are drapes
const DRAPE = 3;

// Light from the north-west, 45 degrees high, whatever the camera does; contours as thin lines.
const ground = {
  vertexShader: shaders.mesh.vertexShader
    .replace("out vec2 vOwn;", "out vec3 vOwn, vWorld;\nout vec3 vUp;")
    .replace("vOwn = vertex(0).xy;", "vOwn = vertex(0); vUp = turned(q, vertex(1) / extent); vWorld = first.xyz + turned(q, extent * vertex(0));"),
  fragmentShader: shaders.mesh.fragmentShader
    .replace("#ifdef ROUND\nin vec2 vOwn;\n#endif", /* glsl */ `
in vec3 vOwn, vUp, vWorld;
uniform int look;
uniform vec2 heights;
uniform vec4 extent;
uniform float contour;
uniform sampler2D ramp, drape;
vec3 ground(vec3 plain) {
  if (look == 2) return texture(ramp, vec2((vWorld.z - heights.x) / max(heights.y - heights.x, 1e-9), 0.5)).rgb;
  if (look < 3) return plain;
  vec2 uv = (vOwn.xy - extent.xy) / (extent.zw - extent.xy);
  bool inside = all(greaterThanEqual(uv, vec2(0.0))) && all(lessThanEqual(uv, vec2(1.0)));
  vec4 over = inside ? texture(drape, uv) : vec4(0.0);
  return mix(plain, over.rgb, over.a);
}
vec3 relief(vec3 colour) {
  vec3 up = normalize(vUp);
  up *= up.z < 0.0 ? -1.0 : 1.0;
  float line = vWorld.z / contour, width = fwidth(line);
  float near = abs(fract(line - 0.5) - 0.5) / max(width, 1e-6);
  float ink = 0.35 * (1.0 - min(near, 1.0)) * (1.0 - smoothstep(0.15, 0.5, width));
  return colour * (0.6 + 0.52 * max(dot(up, vec3(-0.5, 0.5, 0.7071)), 0.0)) * (1.0 - ink);
}`)
    .replace(
      "colour = vec4(shade(sector * vTint, n, toEye, lit(vPlace, n)), opacity);",
      `float sunny = lit(vPlace, n);
  vec3 land = look == 0 ? shade(vTint, n, toEye, sunny) : relief(ground(vec3(0.83, 0.82, 0.79))) * (0.7 + 0.3 * sunny);
  colour = vec4(land, opacity);`,
    ),
};

export class TerrainLayer extends BodyLayer {
  constructor(group, uniforms, vertices, triangles, quick) {
    super(group, uniforms, vertices, triangles, quick);
    let [low, high] = [Infinity, -Infinity];
    for (let i = 2; i < vertices.length; i += 3) [low, high] = [Math.min(low, vertices[i]), Math.max(high, vertices[i])];
    const map = colours.ELEVATION.flatMap((tint) => [...tint, 255]);
    const own = {
      look: { value: LOOKS.plain }, heights: { value: [low, high] }, contour: { value: step(high - low) }, extent: { value: [0, 0, 1, 1] },
      ramp: { value: picture(Uint8Array.from(map), map.length / 4, 1) }, drape: { value: picture(new Uint8Array(4), 1, 1) },
    };
    const { material } = this.object;
    Object.assign(material, ground);
    Object.assign(material.uniforms, own);
    this.corner2 = group.corner; // map coordinates of the origin
    this.pixels = new Map();
    this.range = [low, high];
  }

  // Heights count from where the body is.
  add(row, position, extent, orientation) {
    super.add(row, position, extent, orientation);
    const { heights } = this.object.material.uniforms;
    heights.value = this.range.map((z) => z + position[3 * row + 2]);
  }

  // name: of LOOKS; else a drape { low, high } with its pixels
  setLook(name, drape = null, pixels = null) {
    const { look, extent, drape: over } = this.object.material.uniforms;
    look.value = drape ? DRAPE : LOOKS[name];
    if (!drape) return;
    const [x, y] = this.corner2;
    extent.value = [drape.low[0] - x, drape.low[1] - y, drape.high[0] - x, drape.high[1] - y];
    if (!this.pixels.has(name)) this.pixels.set(name, picture(pixels.data, pixels.width, pixels.height));
    over.value = this.pixels.get(name);
  }
}

function picture(data, width, height) {
  const map = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.UnsignedByteType);
  map.magFilter = map.minFilter = height > 1 && width * height > 1e5 ? THREE.LinearFilter : THREE.NearestFilter;
  map.needsUpdate = true;
  return map;
}

// Height between contours: 1, 2 or 5 times a power of ten.
function step(span) {
  const least = Math.max(span, 1e-9) / CONTOURS;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((x) => x * power >= least);
}

// Ways as ribbons that face the eye, a few pixels wide at any distance: two triangles for every piece.
const ribbon = {
  vertexShader: shaders.stick.vertexShader.replace(/void main\(\) \{[^]*\}$/, /* glsl */ `
void main() {
  vec4 start = copy(0), end = copy(1);
  vec3 corner = vertex(0);
  vec3 a = (modelViewMatrix * vec4(start.xyz, 1.0)).xyz, b = (modelViewMatrix * vec4(end.xyz, 1.0)).xyz;
  vec3 here = mix(a, b, corner.y);
  vec3 side = cross(b - a, here);
  side /= max(length(side), 1e-20);
  vec3 place = here + corner.x * side * (0.5 * start.w * -here.z / pixels);
  vTint = unpacked(copy(2).z); vNormal = vec3(end.w); vPlace = place;
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`),
  fragmentShader: shaders.stick.fragmentShader.replace(/void main\(\) \{[^]*\}$/, /* glsl */ `
uniform float now;
void main() { colour = vec4(vTint, vNormal.x <= now ? 1.0 : 0.3); }`),
};

export class PathLayer extends Copies {
  constructor(pixels) {
    const corners = [[-1, 0], [1, 0], [1, 1], [-1, 0], [1, 1], [-1, 1]];
    const quad = new Float32Array(corners.flatMap(([x, y]) => [x, y, 0, 0, 0, 0, 1, 0]));
    super(ribbon, quad, { opacity: { value: 1 }, pixels, least: { value: 1 }, now: { value: 0 } }, { transparent: true });
    this.object.renderOrder = 3;
  }

  // arrays: of `run.paths()`; range: of the speeds that get the first and the last colour
  set({ first, position, speed, time }, [low, high], width = 1.8) {
    this.begin(Math.max(1, time.length));
    for (let p = 0; p + 1 < first.length; p++) {
      for (let k = first[p]; k + 1 < first[p + 1]; k++) {
        const at = 12 * this.count;
        this.numbers.set(position.subarray(3 * k, 3 * k + 3), at);
        this.numbers[at + 3] = width;
        this.numbers.set(position.subarray(3 * k + 3, 3 * k + 6), at + 4);
        this.numbers[at + 7] = time[k + 1];
        this.paint(this.count++, ...colours.of(colours.MAPS.speed, speed[k + 1], low, high));
      }
    }
    this.end();
  }

  clear() {
    this.count = 0;
    this.end();
  }

  set now(time) {
    this.object.material.uniforms.now.value = time * (1 + 1e-6) + 1e-6;
  }
}
