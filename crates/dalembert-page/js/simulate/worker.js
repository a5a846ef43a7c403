// The simulator in a worker: it is given a module and what is known of it once, then settings, and gives columns and places.
import { Programs } from "./programs.js";
import { simulate } from "./run.js";
import { drawn } from "./scene.js";

/** A run with all that is shown of it. @param {Programs} programs @param {any} live @param {any} setting */
export function runAndDraw(programs, live, setting) {
  const found = simulate(programs, live.run, setting);
  return found.columns && found.rows > 0 ? { ...found, scene: drawn(programs, live.scene, live.run, found) } : found;
}

/** Listens as a worker does. @param {any} scope */
export function serve(scope) {
  /** @type {Programs | null} */
  let programs = null;
  /** @type {any} */
  let live = null;
  scope.onmessage = ({ data }) => {
    if (data.module) {
      live = data.live;
      programs = new Programs(data.module, { ...live.run.sizes_of, ...live.scene.sizes_of });
      return;
    }
    let answer;
    try {
      answer = runAndDraw(/** @type {Programs} */ (programs), live, data.setting);
    } catch (error) {
      answer = { refused: `the simulator failed: ${error instanceof Error ? error.message : error}` };
    }
    const buffers = (answer.columns || []).map((column) => column.buffer);
    scope.postMessage({ id: data.id, answer }, [...new Set(buffers)]);
  };
}
