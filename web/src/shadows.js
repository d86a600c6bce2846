// Soft shadows: the bodies as the sun sees them, a map of depths, which the shaders of bodies and planes look up around each point.
// Off without a graphics card: the map is a second picture.
import * as THREE from "three";

const SIZE = 2048; // texels along an edge of the map
const SUN = new THREE.Vector3(-0.35, -0.45, 0.82).normalize(); // towards it, in the world
const FOV = 2; // degrees; the sun is so far away that its rays are parallel to 2 %
const SOFT = 0.004; // width of the soft edge, as a share of the map

export class Shadows {
  constructor() {
    this.on = false;
    this.camera = new THREE.PerspectiveCamera(FOV, 1, 1, 2);
    this.camera.up.set(0, 1, 0);
    this.uniforms = {
      shadowMap: { value: null }, shadowMatrix: { value: new THREE.Matrix4() }, shadowOn: { value: 0 },
      shadowSoft: { value: SOFT }, shadowBias: { value: 0 }, sun: { value: new THREE.Vector3() },
    };
  }

  // Draws the map for the bodies of a stage; `hidden` are objects that cast no shadow.
  prepare(renderer, scene, camera, centre, size, hidden) {
    const { shadowMap, shadowMatrix, shadowOn, shadowBias, sun } = this.uniforms;
    shadowOn.value = 0;
    sun.value.copy(SUN).transformDirection(camera.matrixWorldInverse);
    if (!this.on || !centre) return;
    this.target ??= new THREE.WebGLRenderTarget(SIZE, SIZE, { depthTexture: new THREE.DepthTexture(SIZE, SIZE, THREE.UnsignedIntType) });
    const away = (1.4 * size) / Math.tan((FOV * Math.PI) / 360);
    this.camera.position.copy(centre).addScaledVector(SUN, away);
    this.camera.lookAt(centre);
    Object.assign(this.camera, { near: away - 1.5 * size, far: away + 1.5 * size });
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const shown = hidden.map((object) => object.visible);
    for (const object of hidden) object.visible = false;
    shadowMap.value = null; // a texture cannot be drawn and read at once
    renderer.setRenderTarget(this.target);
    renderer.render(scene, this.camera);
    renderer.setRenderTarget(null);
    hidden.forEach((object, i) => (object.visible = shown[i]));
    shadowMap.value = this.target.depthTexture;
    shadowMatrix.value.copy(this.camera.projectionMatrix).multiply(this.camera.matrixWorldInverse).multiply(camera.matrixWorld);
    shadowBias.value = (5.6 * size) / SIZE; // two texels
    shadowOn.value = 1;
  }
}
