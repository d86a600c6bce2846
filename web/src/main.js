// The page of `trundle view` and of exported runs.
import "./viewer.css";
import { Player } from "./player.js";
import { FileRun, ServerRun } from "./runs.js";
import { element, showMessage } from "./panel.js";

const inside = document.getElementById("run-head") !== null;
const run = inside ? new FileRun() : new ServerRun();

// What tests and curious users may ask: everything is a number, a text or a promise.
const state = { ready: false, errors: [], instances: 0, frame: -1, frames: 0, exported: inside };
window.trundle = state;
window.addEventListener("error", (event) => state.errors.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => state.errors.push(String(event.reason)));

async function begin() {
  for (;;) {
    try {
      const head = await run.head();
      const player = new Player(run, head, state);
      await player.begin();
      return;
    } catch (error) {
      state.errors.push(String(error.message ?? error));
      if (!document.createElement("canvas").getContext("webgl2")) {
        showMessage("This browser offers no WebGL 2, which the page draws with. Switch on hardware or software rendering, or take another browser.");
        return;
      }
      showMessage(String(error.message ?? error));
      if (inside) return;
      await new Promise((resolve) => setTimeout(resolve, 2000));
      element("message").hidden = true;
    }
  }
}

begin();
