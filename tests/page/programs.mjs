// Programs as WebAssembly against the tape: reads what `cargo run --example wasm_cases` writes, and says how many numbers were compared.
import { createInterface } from "node:readline";

const bits = new DataView(new ArrayBuffer(8));
/** A number as an integer in whose order neighbours are neighbours. */
const place = (x) => {
  bits.setFloat64(0, x);
  const raw = bits.getBigInt64(0);
  return raw < 0n ? -(raw & 0x7fff_ffff_ffff_ffffn) : raw;
};
const numbers = (text) => {
  const found = [];
  for (let at = 0; at < text.length; at += 16) {
    bits.setBigUint64(0, BigInt("0x" + text.slice(at, at + 16)));
    found.push(bits.getFloat64(0));
  }
  return found;
};
const same = (a, b, ulps) => {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  if (ulps === 0) return Object.is(a, b);
  const apart = place(a) - place(b);
  return (apart < 0n ? -apart : apart) <= BigInt(ulps);
};

let [compared, wrong] = [0, 0];
for await (const line of createInterface({ input: process.stdin })) {
  const { module, ulps, programs } = JSON.parse(line);
  const { instance } = await WebAssembly.instantiate(Buffer.from(module, "hex"), { Math });
  const { memory, free, ...functions } = instance.exports;
  for (const { name, states } of programs) {
    for (const [before, after] of states) {
      const [inputs, wanted] = [numbers(before), numbers(after)];
      const room = 8 * (inputs.length + wanted.length);
      const missing = free.value + room - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / 65536));
      const cells = new Float64Array(memory.buffer, free.value, inputs.length + wanted.length);
      cells.set(inputs);
      functions[name](free.value, free.value + 8 * inputs.length);
      wanted.forEach((number, k) => {
        compared += 1;
        if (same(cells[inputs.length + k], number, ulps)) return;
        wrong += 1;
        if (wrong < 20) console.error(`${name} at ${inputs}: output ${k} is ${cells[inputs.length + k]}, the tape has ${number}`);
      });
    }
  }
}
console.log(`${compared} numbers of programs compared with the tape, ${wrong} wrong`);
if (wrong > 0 || compared < 10_000) process.exit(1);
