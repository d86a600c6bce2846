// Shaders of bodies.  A sphere is a triangle on which every pixel meets the ray with the sphere: round at any distance,
// at no cost in triangles.  Everything else is a mesh.
//
// All copies of a shape are one plain draw call: vertex number -> number of the copy and of the vertex in it, both looked
// up in textures.  Drawn as WebGL instances, software renderers spend 35 microseconds on each copy.

const COMMON = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform mat4 modelViewMatrix, projectionMatrix, viewMatrix;
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
`;

const PULL = /* glsl */ `
uniform sampler2D copies, shape;
uniform int corners;
vec4 texel(sampler2D map, int i) { int w = textureSize(map, 0).x; return texelFetch(map, ivec2(i % w, i / w), 0); }
vec4 copy(int k) { return texel(copies, 3 * (gl_VertexID / corners) + k); }
vec3 vertex(int k) { return texel(shape, 2 * (gl_VertexID % corners) + k).xyz; }
vec3 unpacked(float c) { return vec3(mod(c, 256.0), mod(floor(c / 256.0), 256.0), floor(c / 65536.0)) / 255.0; }
`;

// Share of the sun's light that reaches a point of the camera's frame: 25 looks at the map of shadows, see shadows.js.
const SHADOW = /* glsl */ `
#ifdef SHADOWS
uniform sampler2D shadowMap;
uniform mat4 shadowMatrix;
uniform float shadowOn, shadowSoft, shadowBias;
uniform vec3 sun;
float lit(vec3 place, vec3 n) {
  if (shadowOn < 0.5) return 1.0;
  vec4 at = shadowMatrix * vec4(place + shadowBias * (n + 0.5 * sun), 1.0);
  vec3 p = 0.5 * at.xyz / at.w + 0.5;
  float inside = 1.0 - smoothstep(0.4, 0.5, max(abs(p.x - 0.5), abs(p.y - 0.5))); // shadows fade out at the edge of the map
  if (inside == 0.0) return 1.0;
  p.z = min(p.z, 1.0); // ground far below the bodies is in their shadow, too
  float free = 0.0;
  for (int i = -2; i <= 2; i++) for (int j = -2; j <= 2; j++)
    free += texture(shadowMap, p.xy + 0.25 * shadowSoft * vec2(i, j)).r < p.z ? 0.0 : 1.0;
  return mix(1.0, free / 25.0, inside);
}
#else
float lit(vec3 place, vec3 n) { return 1.0; }
#endif
`;

// Light comes from the left above the camera, or with shadows from the sun; edges are darker, which tells grains of a heap apart.
const SHADE = SHADOW + /* glsl */ `
uniform float opacity;
vec3 shade(vec3 colour, vec3 n, vec3 toEye, float light) {
  vec3 up = viewMatrix[2].xyz;
  float sky = 0.5 + 0.5 * dot(n, up);
#ifdef SHADOWS
  float key = light * max(dot(n, sun), 0.0);
  sky *= 0.55 + 0.45 * light;
#else
  float key = max(dot(n, vec3(-0.4504, 0.6005, 0.6606)), 0.0);
#endif
  float facing = max(dot(n, toEye), 0.0);
  float shine = max(dot(n, normalize(vec3(-0.45, 0.6, 0.66) + toEye)), 0.0);
  shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine * light;
  return colour * (0.44 + 0.26 * sky + 0.42 * key) * mix(0.62, 1.0, smoothstep(0.0, 0.55, facing)) + 0.10 * shine;
}
`;

// A triangle in the plane of the circle in which the eye sees the sphere's edge.  That plane lies within the sphere, so its
// depth puts bodies that do not overlap into the right order.  With QUICK, for software renderers, this depth is kept, and
// normals are those of a distant eye: both save a third of the time.
export const sphere = {
  vertexShader: COMMON + PULL + /* glsl */ `
uniform float pixels;
out vec2 vCorner;
out vec3 vRay;
flat out vec3 vCentre, vRight, vTint;
flat out vec4 vTurn;
flat out float vRadius, vDetail;
void main() {
  vec4 first = copy(0);
  float radius = first.w;
  vec3 c = (modelViewMatrix * vec4(first.xyz, 1.0)).xyz;
  float d = max(length(c), 1.0001 * radius);
  vec3 ahead = c / d;
  vRight = normalize(cross(ahead, abs(ahead.y) < 0.99 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  float t = sqrt(d * d - radius * radius) / d;
  vCorner = vertex(0).xy;
  vRay = t * t * d * ahead + radius * t * (vCorner.x * vRight + vCorner.y * cross(vRight, ahead));
  vCentre = c; vRadius = radius;
  vTint = unpacked(copy(2).z);
  // from the camera's frame to the body's own
  vec4 q = copy(1);
  vTurn = vec4(q.x, -q.yzw);
  vDetail = smoothstep(4.0, 9.0, radius / d * pixels);
  gl_Position = projectionMatrix * vec4(vRay, 1.0);
}`,
  fragmentShader: COMMON + SHADE + /* glsl */ `
in vec2 vCorner;
in vec3 vRay;
flat in vec3 vCentre, vRight, vTint;
flat in vec4 vTurn;
flat in float vRadius, vDetail;
out vec4 colour;
void main() {
  float inside = 1.0 - dot(vCorner, vCorner);
  if (inside < 0.0) discard;
#ifdef QUICK
  vec3 ray = normalize(vCentre);
  vec3 n = vCorner.x * vRight + vCorner.y * cross(vRight, ray) - sqrt(inside) * ray;
  vec3 hit = vCentre + vRadius * n;
#else
  vec3 ray = normalize(vRay);
  float b = dot(ray, vCentre);
  vec3 off = vCentre - b * ray; // more digits than b * b - dot(c, c) + r * r
  vec3 hit = (b - sqrt(max(vRadius * vRadius - dot(off, off), 0.0))) * ray;
  vec3 n = (hit - vCentre) / vRadius;
  vec4 clip = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
#endif
  // sectors like a beach ball's show the rotation
  float sector = 0.92;
  if (vDetail > 0.0) {
    vec3 own = turned(vTurn, n * mat3(viewMatrix));
    sector = mix(0.92, own.x * own.y > 0.0 ? 1.0 : 0.78, vDetail);
  }
  colour = vec4(shade(vTint * sector, n, -ray, lit(hit, n)), opacity);
}`,
};

export const mesh = {
  vertexShader: COMMON + PULL + /* glsl */ `
out vec3 vTint, vNormal, vPlace;
out vec2 vOwn;
void main() {
  vec4 first = copy(0), q = copy(1), last = copy(2);
  vec3 extent = vec3(first.w, last.xy);
  vec4 place = modelViewMatrix * vec4(first.xyz + turned(q, extent * vertex(0)), 1.0);
  vNormal = mat3(modelViewMatrix) * turned(q, vertex(1) / extent);
  vTint = unpacked(last.z); vPlace = place.xyz; vOwn = vertex(0).xy;
  gl_Position = projectionMatrix * place;
}`,
  fragmentShader: COMMON + SHADE + /* glsl */ `
in vec3 vTint, vNormal, vPlace;
#ifdef ROUND
in vec2 vOwn;
#endif
out vec4 colour;
void main() {
  vec3 toEye = normalize(-vPlace), n = normalize(vNormal);
  float sector = 1.0;
#ifdef ROUND
  if (vOwn.x * vOwn.y < 0.0) sector = 0.78; // quarters show how it turns
#endif
  if (dot(n, toEye) < 0.0) n = -n;
  colour = vec4(shade(sector * vTint, n, toEye, lit(vPlace, n)), opacity);
}`,
};

// A stick from one point to another: arrows, force chains, joints, paths; at least `least` pixels wide.
export const stick = {
  vertexShader: COMMON + PULL + /* glsl */ `
uniform float pixels, least;
out vec3 vTint, vNormal, vPlace;
void main() {
  vec4 start = copy(0), end = copy(1);
  vec3 along = end.xyz - start.xyz;
  float long_ = max(length(along), 1e-20);
  vec3 z = along / long_;
  vec3 x = normalize(cross(abs(z.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0), z));
  mat3 axes = mat3(x, cross(z, x), z);
  float away = -(modelViewMatrix * vec4(0.5 * (start.xyz + end.xyz), 1.0)).z;
  float wide = max(start.w, 0.5 * least * away / pixels);
  vec4 place = modelViewMatrix * vec4(start.xyz + axes * (vertex(0) * vec3(wide, wide, long_)), 1.0);
  vNormal = mat3(modelViewMatrix) * (axes * (vertex(1) / vec3(wide, wide, long_)));
  vTint = unpacked(copy(2).z); vPlace = place.xyz;
  gl_Position = projectionMatrix * place;
}`,
  fragmentShader: mesh.fragmentShader,
};

export const plane = {
  vertexShader: COMMON + /* glsl */ `
in vec3 position;
uniform mat4 modelMatrix;
out vec3 vPlace;
out vec2 vOwn;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vec4 eye = viewMatrix * world;
  vPlace = eye.xyz; vOwn = position.xy;
  gl_Position = projectionMatrix * eye;
}`,
  fragmentShader: COMMON + SHADOW + /* glsl */ `
in vec3 vPlace;
in vec2 vOwn;
uniform float cell, reach;
uniform vec3 ground, ink;
uniform float fill;
out vec4 colour;
float lines(vec2 p) {
  vec2 width = fwidth(p);
  vec2 near = abs(fract(p - 0.5) - 0.5) / max(width, vec2(1e-6));
  return (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.2, 0.7, max(width.x, width.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(vOwn) / reach);
  float front = gl_FrontFacing ? 1.0 : 0.0;
  float line = 0.55 * lines(vOwn / cell) + 0.75 * lines(vOwn / (10.0 * cell));
  float alpha = max(fill * front, 0.5 * line * mix(0.35, 1.0, front)) * fade;
  float shadow = 0.38 * (1.0 - lit(vPlace, vec3(0)));
  colour = vec4(mix(ground, ink, min(line, 1.0)) * (1.0 - shadow), max(alpha, shadow * fade));
}`,
};
