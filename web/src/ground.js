// What a user can do with terrain: how the ground looks, the ways of all bodies, a camera that goes with one.
import * as THREE from "three";
import * as colours from "./colours.js";
import { element, number } from "./panel.js";
import { LOOKS, PathLayer, TerrainLayer } from "./terrain.js";

const NAMES = { hillshade: "hillshade", elevation: "elevation", plain: "plain" };

const gradient = (map) => `linear-gradient(to right, ${map.filter((_, i) => i % 15 === 0).map((tint) => `rgb(${tint})`).join(", ")})`;

export class Ground {
  constructor(player) {
    this.player = player;
    this.stage = player.stage;
    this.layers = this.stage.layers.filter((layer) => layer instanceof TerrainLayer);
    this.drapes = player.head.meta.drapes ?? [];
    this.paths = new PathLayer(this.stage.uniforms.pixels);
    this.stage.scene.add(this.paths.object);
    this.stage.onFrame = () => this.update();
    const select = element("ground");
    for (const name of [...Object.keys(NAMES), ...this.drapes.map((drape) => drape.name)]) {
      select.append(Object.assign(document.createElement("option"), { value: name, textContent: NAMES[name] ?? name }));
    }
    select.parentElement.hidden = !this.layers.length;
    select.onchange = () => this.setLook(select.value);
    element("paths").parentElement.hidden = !player.run.hasPaths;
    element("paths").onchange = (event) => this.setPaths(event.target.checked);
    element("chase").onchange = (event) => this.follow(event.target.checked ? player.last : null);
    Object.assign(player.state, { setGround: (name) => this.setLook(name), setPaths: (on) => this.setPaths(on), follow: (body) => this.follow(body) });
  }

  // As asked for by the address or by whoever made the page.
  async begin(asked) {
    const look = { ...this.player.head.meta.look };
    for (const key of ["ground", "follow", "paths"]) if (asked.has(key)) look[key] = asked.get(key);
    if (asked.has("target")) look.target = asked.get("target").split(",").map(Number);
    this.setLook(look.ground ?? (this.drapes.length ? this.drapes[0].name : "hillshade"));
    if (look.paths && look.paths !== "0") await this.setPaths(true);
    if (look.target) this.lookAt(look.target);
    if (look.follow) {
      const body = this.player.head.meta.names.indexOf(look.follow);
      if (body >= 0) {
        await this.player.pick(body);
        this.follow(body);
      }
    }
  }

  setLook(name) {
    const i = this.drapes.findIndex((drape) => drape.name === name);
    if (i < 0 && !(name in LOOKS)) return null;
    const data = i < 0 ? null : this.player.head.arrays[`drape${i}`];
    const [width, height] = i < 0 ? [0, 0] : this.drapes[i].size;
    for (const layer of this.layers) layer.setLook(name, this.drapes[i], data && { data, width, height });
    element("ground").value = name;
    this.player.state.ground = name;
    const bar = element("ground-scale");
    const values = this.drapes[i]?.values ?? (name === "elevation" ? this.heights() : null);
    bar.hidden = !values || !this.layers.length;
    bar.querySelector("i").style.background = name === "elevation" ? gradient(colours.ELEVATION) : gradient(colours.MAPS.force);
    if (values) for (const [k, place] of bar.querySelectorAll("span").entries()) place.textContent = number(values[k]) + (name === "elevation" ? " m" : "");
    return this.stage.nextPicture();
  }

  heights() {
    const all = this.layers.flatMap((layer) => layer.object.material.uniforms.heights.value);
    return [Math.min(...all), Math.max(...all)];
  }

  async setPaths(on) {
    element("paths").checked = on;
    this.player.state.paths = on;
    if (on) {
      this.found ??= (await this.player.run.paths()).arrays;
      const { speed } = this.found;
      this.paths.set(this.found, [0, speed.reduce((a, b) => Math.max(a, b), 0) || 1]);
    } else this.paths.clear();
    this.player.state.pathCount = this.paths.count;
    return this.stage.nextPicture();
  }

  follow(body) {
    this.body = body ?? null;
    element("chase").checked = this.body !== null;
    this.player.state.following = this.body;
    if (this.body !== null) this.near();
    this.update();
  }

  // Near enough to see the body, from where the camera is.
  near() {
    const row = this.stage.row(this.body);
    if (row < 0) return;
    const { camera, controls } = this.stage;
    const away = camera.position.clone().sub(controls.target);
    const radius = this.player.head.arrays.radius[this.body] || this.stage.grain;
    const wanted = (40 * radius * Math.tan((35 * Math.PI) / 360)) / Math.tan((camera.fov * Math.PI) / 360);
    if (away.length() > wanted) camera.position.copy(controls.target).add(away.setLength(wanted));
  }

  lookAt(place) {
    const { camera, controls } = this.stage;
    const to = new THREE.Vector3(...place);
    camera.position.add(to.clone().sub(controls.target));
    controls.target.copy(to);
    this.stage.touched = true;
    controls.update();
  }

  // After every frame.
  update() {
    this.paths.now = this.stage.time;
    element("chase").parentElement.hidden = this.player.last === null || this.player.last === undefined;
    const row = this.body === null || this.body === undefined || !this.stage.frame ? -1 : this.stage.row(this.body);
    if (row >= 0) this.lookAt(this.stage.frame.arrays.position.subarray(3 * row, 3 * row + 3));
    this.stage.draw();
  }
}
