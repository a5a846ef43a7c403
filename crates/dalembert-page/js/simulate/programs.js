// The programs of a model: functions of a WebAssembly module, with room for what they read and write.

/** @typedef {{call: () => void, in: Float64Array, out: Float64Array}} Program */

/** A module with room for all its programs. */
export class Programs {
  /** @param {WebAssembly.Module} module @param {Record<string, number[]>} sizes inputs and outputs of each program */
  constructor(module, sizes) {
    const instance = new WebAssembly.Instance(module, /** @type {any} */ ({ Math }));
    const { memory, free } = /** @type {any} */ (instance.exports);
    let end = free.value;
    const places = Object.entries(sizes).map(([name, [inputs, outputs]]) => {
      const at = end;
      end += 8 * (inputs + outputs);
      return { name, at, inputs, outputs };
    });
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
    /** @type {Record<string, Program>} */
    this.all = {};
    for (const { name, at, inputs, outputs } of places) {
      const f = /** @type {(a: number, b: number) => void} */ (instance.exports[name]);
      const behind = at + 8 * inputs;
      this.all[name] = { call: () => f(at, behind), in: new Float64Array(memory.buffer, at, inputs), out: new Float64Array(memory.buffer, behind, outputs) };
    }
  }
}
