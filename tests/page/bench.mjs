// What a page costs: node tests/page/bench.mjs
// Sizes of files, milliseconds of JavaScript: the least of several, on a machine that may be busy. Drawing itself is the graphics card's, or
// here the processor's in its place, and is not counted.
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { dalembert, file, launch, open, pageOf } from "./browser.mjs";

/** Bodies in a plane, each of which swings on its own spring. */
function swinging(count, span, samples) {
  return `dalembert = 1
title   = "${count} bodies"
planar  = true
gravity = "[0, -9.81, 0]"
[parameters]
k = "1 N/m"
[repeat.all]
count = ${count}
[repeat.all.body.b]
mass  = "1 kg"
shape = { box = { size = ["0.5 m", "0.3 m", "0.2 m"] } }
start = { center = "[{i}, 0, 0]", attitude = "Rz({i} deg)" }
[repeat.all.spring.s]
between   = ["point(ground, [{i}, 1, 0])", "b{i}"]
stiffness = "(20 + {i})*k"
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

/** Milliseconds until a page is ready, and how many of them its scripts had the processor. */
async function readiness(browser, path) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(pathToFileURL(path).href);
  const ready = await page.evaluate(() => globalThis.dalembert.ready);
  const { metrics } = await session.send("Performance.getMetrics");
  await context.close();
  return [ready, 1000 * metrics.find((it) => it.name === "ScriptDuration").value];
}

const kilobytes = (path) => Math.round(statSync(path).size / 1000);

const browser = await launch();

console.log("gallery: kB of each page, ms until it is ready, ms of its scripts on the processor; goals 500 kB, 300 ms");
let [largest, slowest, busiest] = [0, 0, 0];
const models = process.argv.includes("--quick") ? ["double-pendulum.toml", "whipple-bicycle.toml"] : readdirSync("examples").filter((name) => name.endsWith(".toml"));
for (const name of models) {
  const page = pageOf(join("examples", name), name.replace(".toml", ""));
  let [ready, busy] = [Infinity, Infinity];
  for (let k = 0; k < 3; k++) {
    const [all, own] = await readiness(browser, page);
    [ready, busy] = [Math.min(ready, all), Math.min(busy, own)];
  }
  largest = Math.max(largest, kilobytes(page));
  slowest = Math.max(slowest, ready);
  busiest = Math.max(busiest, busy);
  console.log(`${name.padEnd(34)} ${String(kilobytes(page)).padStart(5)} kB ${ready.toFixed(0).padStart(5)} ms ${busy.toFixed(0).padStart(5)} ms`);
}
console.log(`${"the most of all".padEnd(34)} ${String(largest).padStart(5)} kB ${slowest.toFixed(0).padStart(5)} ms ${busiest.toFixed(0).padStart(5)} ms`);

console.log("runs in the page, and by the command, in ms, the least of many; from the move of a slider to the picture; goals: three times as long, 50 ms");
for (const name of ["double-pendulum", "rolling-disk", "pendulum", "four-bar", "heavy-top", "andrews-squeezer"]) {
  const path = pageOf(join("examples", `${name}.toml`), `live-${name}`);
  const { page, close } = await open(browser, path);
  const [steps, own, whole] = await page.evaluate(async () => {
    const { live, stage } = globalThis.dalembert;
    const slider = live.sliders[0];
    let [steps, own, whole] = [0, Infinity, Infinity];
    for (let k = 1; k <= 40; k++) {
      const began = performance.now();
      live.set(slider.name, slider.value * (1 + 1e-9 * k));
      const answer = await live.simulator.run(live.setting());
      live.show({ ...answer, keep: true });
      stage.draw();
      whole = Math.min(whole, performance.now() - began);
      own = Math.min(own, answer.ms);
      steps = answer.steps;
    }
    return [steps, own, whole];
  });
  await close();
  let native = Infinity;
  for (let k = 0; k < 10; k++) {
    const words = ["run", join("examples", `${name}.toml`), "--json", "--integrator", "dop853", "--record", "all"];
    native = Math.min(native, 1000 * JSON.parse(dalembert(...words)).wall_s);
  }
  console.log(`${name.padEnd(34)} ${String(steps).padStart(5)} steps ${own.toFixed(1).padStart(6)} ms in the page ${native.toFixed(1).padStart(6)} ms by the command ${whole.toFixed(1).padStart(6)} ms to the picture`);
}

const many = pageOf(modelOf("many", swinging(200, 1, 61)), "many");
const { page, close } = await open(browser, many);
const frame = await page.evaluate(() => {
  const { frame, model } = globalThis.dalembert;
  let least = Infinity;
  for (let k = 0; k < 40; k++) least = Math.min(least, frame(model.begin + (k / 40) * (model.end - model.begin)));
  return least;
});
await close();
console.log(`one picture of 200 bodies: ${frame.toFixed(2)} ms of JavaScript; goal 4 ms`);

const long = pageOf(modelOf("long", swinging(50, 60, 6001)), "long");
console.log(`60 s of 50 bodies: ${kilobytes(long)} kB; goal 5000 kB`);
await browser.close();
