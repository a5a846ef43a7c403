// What a page costs: node tests/page/bench.mjs
// Sizes of files, milliseconds of JavaScript: the least of several, on a machine that may be busy. Drawing itself is the graphics card's, or
// here the processor's in its place, and is not counted.
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { file, launch, open, pageOf } from "./browser.mjs";

/** Bodies in a plane, each of which falls and turns by itself. */
function falling(count, span, samples) {
  return `dalembert = 1
title   = "${count} bodies"
planar  = true
gravity = "[0, -9.81, 0]"
[repeat.all]
count = ${count}
[repeat.all.body.b]
mass  = "1 kg"
shape = { box = { size = ["0.5 m", "0.3 m", "0.2 m"] } }
start = { center = "[{i}, 0, 0]", attitude = "Rz({i})" }
[run]
span    = "${span} s"
samples = ${samples}
`;
}

function modelOf(name, text) {
  const path = file(`${name}.toml`);
  writeFileSync(path, text);
  return path;
}

const kilobytes = (path) => Math.round(statSync(path).size / 1000);

const browser = await launch();

console.log("gallery: kB of each page, ms until it is ready; goals 500 kB, 300 ms");
let [largest, slowest] = [0, 0];
const models = process.argv.includes("--quick") ? ["double-pendulum.toml"] : readdirSync("examples").filter((name) => name.endsWith(".toml"));
for (const name of models) {
  const page = pageOf(join("examples", name), name.replace(".toml", ""));
  let ready = Infinity;
  for (let k = 0; k < 3; k++) {
    const { page: tab, close } = await open(browser, page);
    ready = Math.min(ready, await tab.evaluate(() => globalThis.dalembert.ready));
    await close();
  }
  largest = Math.max(largest, kilobytes(page));
  slowest = Math.max(slowest, ready);
  console.log(`${name.padEnd(34)} ${String(kilobytes(page)).padStart(5)} kB ${ready.toFixed(0).padStart(5)} ms`);
}
console.log(`${"the most of all".padEnd(34)} ${String(largest).padStart(5)} kB ${slowest.toFixed(0).padStart(5)} ms`);

const many = pageOf(modelOf("many", falling(200, 1, 61)), "many");
const { page, close } = await open(browser, many);
const frame = await page.evaluate(() => {
  const { frame, model } = globalThis.dalembert;
  let least = Infinity;
  for (let k = 0; k < 40; k++) least = Math.min(least, frame(model.begin + (k / 40) * (model.end - model.begin)));
  return least;
});
await close();
console.log(`one picture of 200 bodies: ${frame.toFixed(2)} ms of JavaScript; goal 4 ms`);

const long = pageOf(modelOf("long", falling(50, 60, 6001)), "long");
console.log(`60 s of 50 bodies: ${kilobytes(long)} kB; goal 5000 kB`);
await browser.close();
