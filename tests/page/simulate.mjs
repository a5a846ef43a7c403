// The simulator of the page against `dalembert run`: every model of the gallery, as it is and with random settings of its sliders. The modules run
// here as they are; that they do in a browser too is looked at by `check.mjs`.
//
//   node tests/page/simulate.mjs [NAME…] [--settings N]
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { dalembert, dataOf, file, pageOf } from "./command.mjs";
import { Programs } from "../../crates/dalembert-page/js/simulate/programs.js";
import { simulate } from "../../crates/dalembert-page/js/simulate/run.js";
import { LOOKS_AHEAD, NOT_LIVE } from "./live.mjs";

const root = resolve(import.meta.dirname, "../..");
const words = process.argv.slice(2);
const settingsAt = words.indexOf("--settings");
const SETTINGS = settingsAt >= 0 ? Number(words.splice(settingsAt, 2)[1]) : 3;
const models = ["examples", "examples/mechanisms", "tests/page/models"].flatMap((folder) => readdirSync(join(root, folder)).filter((it) => it.endsWith(".toml")).map((it) => join(folder, it)));

/** Numbers of a file, by column. */
function columnsOf(path) {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const cells = (line) => [...line.matchAll(/("([^"]*)"|[^,]*)(,|$)/g)].map((it) => it[2] ?? it[1]).slice(0, width || undefined);
  let width = 0;
  const names = cells(lines[0]);
  if (names[names.length - 1] === "") names.pop();
  width = names.length;
  const columns = names.map(() => new Float64Array(lines.length - 1));
  lines.slice(1).forEach((line, row) => cells(line).forEach((cell, c) => (columns[c][row] = cell === "" ? NaN : Number(cell))));
  return new Map(names.map((name, c) => [name.replace(/ \[[^\]]*\]$/, ""), columns[c]]));
}

/** Random numbers that are the same each time. */
function dice(seed) {
  let state = [...seed].reduce((a, c) => (Math.imul(a, 31) + c.charCodeAt(0)) >>> 0, 7);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What a column is measured by: its range; beside rounding, that of all columns of its unit. */
function rangeOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high >= low ? high - low : 0;
}

/** The largest size of values. */
function largestOf(values) {
  return values.reduce((most, it) => Math.max(most, Math.abs(it) || 0), 0);
}

/** Sizes of all that is recorded, by unit; energies, moments and powers are compared, and accelerations with rates. */
function sizesOf(data, native) {
  const sizes = new Map();
  const add = (unit, size) => Number.isFinite(size) && sizes.set(unit, Math.max(sizes.get(unit) || 0, size));
  const family = (unit) => ({ "N*m": ["J", 1], W: ["J", data.span], "N": ["N", 1] })[unit] || [unit, 1];
  for (const [name, unit, kind] of data.columns) {
    if (kind === "e") continue;
    const size = largestOf(native.get(name));
    const [of, by] = family(unit);
    add(of, size * by);
    if (kind === "r") add(`${name}'`, size / data.span);
  }
  // Forces and momenta that cancel may have no others beside them: they are measured by energies.
  const [energy, length] = [sizes.get("J") || 0, sizes.get("m") || 0];
  const byEnergy = { N: length > 0 ? energy / length : 0, "kg*m^2/s": energy * data.span };
  return (name, unit) => {
    const [of, by] = family(unit);
    return Math.max((sizes.get(of) || 0) / by, sizes.get(name) || 0, byEnergy[unit] || 0);
  };
}

/** How far columns are from those of the native run, the worst of all. */
function compare(data, columns, native) {
  const sizeOf = sizesOf(data, native);
  let worst = { name: "", apart: 0 };
  data.columns.forEach(([name, unit, kind], c) => {
    const values = native.get(name);
    const own = columns[c];
    if (kind === "e") {
      if (!own.every((it) => it < 1e-7)) worst = { name, apart: Infinity };
      return;
    }
    // What cancels varies by rounding: it is measured beside the others of its unit. What is kept varies by what integration errs by, and
    // where a step more or less is taken by other errors: it is measured by what it is.
    const [range, size] = [rangeOf(values), sizeOf(name, unit)];
    const kept = range <= 100 * data.rtol * largestOf(values);
    const scale = Math.max(range, 1e-3 * size, kept ? largestOf(values) : 0, 1e-12);
    // What is zero whatever the multipliers are is known, though these are not.
    const zero = own.every((it) => it === 0);
    let apart = 0;
    for (let i = 0; i < Math.min(values.length, own.length); i++) {
      if (Number.isNaN(values[i]) && zero) continue;
      if (Number.isNaN(values[i]) !== Number.isNaN(own[i])) apart = Infinity;
      else if (!Number.isNaN(values[i])) apart = Math.max(apart, Math.abs(values[i] - own[i]) / scale);
    }
    if (apart > worst.apart) worst = { name, apart };
  });
  return worst;
}

/** Random values for sliders: all of them within a part of their range about what they are, each within its range. */
function settingOf(sliders, random) {
  const setting = { parameters: {}, start: {} };
  const said = [];
  for (const slider of sliders) {
    if (random() < 0.4) continue;
    const [low, high] = slider.range;
    const part = 0.35 * (2 * random() - 1);
    let value = slider.log ? slider.value * (high / low) ** (part / 2) : slider.value + part * (part > 0 ? high - slider.value : slider.value - low);
    value = Number(value.toPrecision(6));
    setting[slider.parameter ? "parameters" : "start"][slider.index] = value;
    said.push(`${slider.name}=${value}`);
  }
  return { setting, said };
}

/** Settings far from what the file says, with several ways to close a loop: the nearest is taken, as by the command. */
const FAR = {
  "four-bar": ["l2=0.16", "l3=0.14", "l0=0.18"], "mechanisms/slider-crank": ["r=0.5"],
  // Of mirror images, and of places that many unknowns may come to, too.
  "models/folding-bars": ["l=2.5", "l=1.5725", "l=1.2"], "models/turned-chain": ["l=0.2", "l=2.5"],
  // Rows become dependent, or cease to be.
  "models/toed-wheels": ["delta=0", "delta=0.002"], "models/parallel-wheels": ["delta=0.1", "delta=0.002"],
  // Numbers of the run are written in these.
  "models/periods": ["T=0.2", "T=2.5", "t0=2", "tol=1e-6"],
};

/** A setting of one slider, as it is written. @param {string} text */
function settingAs(sliders, text) {
  const [name, value] = text.split("=");
  const slider = sliders.find((it) => it.name === name);
  const setting = { parameters: {}, start: {} };
  setting[slider.parameter ? "parameters" : "start"][slider.index] = Number(value);
  return { setting, said: [text] };
}

let wrong = 0;
let [runs, live, refused, sensitive, ends, stopped] = [0, 0, 0, 0, 0, 0];
const fail = (text) => {
  wrong += 1;
  console.error(text);
};
for (const path of models) {
  const name = path.replace(/^(examples|tests\/page)\//, "").replace(/\.toml$/, "");
  if (words.length && !words.includes(name)) continue;
  let page = file(`${name.replace("/", "-")}.html`);
  try {
    page = pageOf(path, name.replace("/", "-"));
  } catch {
    // A run that stops is shown as far as it came.
  }
  const data = await dataOf(page);
  const size = statSync(page).size;
  if (size > 500_000) fail(`${name}: the page has ${size} bytes`);
  if ((data.not_live || "") !== (NOT_LIVE[name] || "")) fail(`${name}: ${data.live ? "runs live" : `does not run live: ${data.not_live}`}; the table says: ${NOT_LIVE[name] || "live"}`);
  if (!data.live) continue;
  live += 1;
  const programs = new Programs(new WebAssembly.Module(data.live.module.bytes), data.live.run.sizes_of);
  const random = dice(name);
  const settings = [{ setting: { parameters: {}, start: {} }, said: [] }];
  for (let k = 0; k < SETTINGS; k++) settings.push(settingOf(data.sliders, random));
  settings.push(...(FAR[name] || []).map((text) => settingAs(data.sliders, text)));
  // Where friction sticks the page stops: other settings are looked at in place of these.
  let more = data.live.run.laws ? 3 * SETTINGS : 0;
  for (let s = 0; s < settings.length; s++) {
    const { setting, said } = settings[s];
    const found = simulate(programs, data.live.run, setting);
    const native = (settings) => {
      const out = file("native.csv");
      try {
        const report = JSON.parse(dalembert("run", path, "--json", "--integrator", "dop853", "--record", "all", "--samples", String(data.live.run.samples), "--out", out, ...settings.flatMap((it) => ["--set", it])));
        return { report, columns: columnsOf(out) };
      } catch (error) {
        return { report: { status: "error", message: String(error.stderr || error).split("\n")[0] }, columns: null };
      }
    };
    const { report, columns } = native(said);
    const setup = `${name} ${said.join(" ")}`;
    const stops = found.refused || found.stopped;
    // The page does not go through places where rows lose their rank.
    const happens = (kind) => (report.events || []).some((it) => it.kind === kind);
    const crosses = happens("change point");
    // Nor does it decide what sticks; what it has until then is the motion.
    const sticks = found.undecided && happens("stick");
    if (report.status === "error" || stops || crosses) {
      refused += 1;
      if (more-- > 0) settings.push(settingOf(data.sliders, random));
      if (!((report.status === "error" || crosses || sticks || LOOKS_AHEAD.includes(name)) && stops)) fail(`${setup}: the page says ${stops || "done"}, the run ${report.message || report.status}`);
      // Until friction sticks it is the same motion.
      if (!sticks || !found.columns || !columns) continue;
    } else runs += 1;
    const [{ length }] = columns.values();
    if (!sticks && found.rows !== length) fail(`${setup}: ${found.rows} samples, the run has ${length}`);
    const shown = (of) => (sticks ? of.subarray(0, found.rows) : of);
    const worst = compare(data.live.run, found.columns, new Map([...columns].map(([column, values]) => [column, shown(values)])));
    const counts = sticks ? [] : [["steps", found.steps, report.steps], ["rejections", found.rejected, report.rejected]];
    const off = counts.filter(([, own, wanted]) => Math.abs(own - wanted) > Math.max(2, 0.02 * (report.steps + report.rejected)));
    if (process.env.SAY) console.log(`${setup}: ${found.steps}/${report.steps} steps, ${found.rejected}/${report.rejected} rejected, ${worst.name} ${worst.apart.toExponential(1)}, ${found.ms.toFixed(1)} ms, native ${(1000 * report.wall_s).toFixed(1)} ms`);
    if (worst.apart <= 1e-9 && !off.length) continue;
    // Some motions take rounding for more than that: native runs whose start or parameter differs in the last digits tell how much.
    const shaken = data.sliders.filter((it) => said.some((text) => text.startsWith(`${it.name}=`)) || !said.length);
    const valueOf = (slider) => setting[slider.parameter ? "parameters" : "start"][slider.index] ?? slider.value;
    let own = { apart: 0, counts: [0, 0] };
    for (const slider of shaken.filter((it) => valueOf(it) !== 0).slice(0, 4)) {
      const value = valueOf(slider);
      const again = native([...said.filter((text) => !text.startsWith(`${slider.name}=`)), `${slider.name}=${value * (1 + 4e-15)}`]);
      if (!again.columns) continue;
      const apart = compare(data.live.run, data.live.run.columns.map(([column]) => shown(again.columns.get(column))), new Map([...columns].map(([column, values]) => [column, shown(values)]))).apart;
      own = { apart: Math.max(own.apart, apart), counts: [Math.max(own.counts[0], Math.abs(again.report.steps - report.steps)), Math.max(own.counts[1], Math.abs(again.report.rejected - report.rejected))] };
    }
    sensitive += 1;
    if (worst.apart > Math.max(1e-9, 30 * own.apart)) fail(`${setup}: ${worst.name} is ${worst.apart.toExponential(1)} of its range apart; runs that differ in the last digits are ${own.apart.toExponential(1)}`);
    off.forEach(([what, ours, wanted]) => {
      if (LOOKS_AHEAD.includes(name) && ours < wanted) return;
      if (Math.abs(ours - wanted) > 5 + 5 * own.counts[what === "steps" ? 0 : 1]) fail(`${setup}: ${ours} ${what}, the run has ${wanted}`);
    });
  }
  // At both ends of each slider the page refuses nothing that the command runs.
  for (const slider of data.sliders) {
    for (const end of slider.range) {
      const found = simulate(programs, data.live.run, settingAs(data.sliders, `${slider.name}=${end}`).setting);
      ends += 1;
      const words = found.refused || found.stopped;
      if (!words) continue;
      let kinds = null;
      try {
        const report = JSON.parse(dalembert("run", path, "--json", "--integrator", "dop853", "--samples", "11", "--set", `${slider.name}=${end}`));
        if (report.status !== "error") kinds = (report.events || []).map((it) => it.kind);
      } catch {
        // It does not run there either.
      }
      // Near a loss of rank the command steps on with care, and the page stops.
      const near = words.includes("losing their rank");
      if (near) stopped += 1;
      const allowed = kinds === null || near || (found.undecided && kinds.includes("stick"));
      if (!allowed) fail(`${name} ${slider.name}=${end}: the page says ${words}, the command runs it`);
    }
  }
}
console.log(`${live} models run in their pages: ${runs} runs as the command makes them, ${refused} refused by both, ${sensitive} that rounding moves, ${ends} ends of sliders (at ${stopped} rows come close to losing their rank); ${wrong} wrong`);
// One in ten, and one in forty: of more it would not be told what is wrong.
if (!words.length && sensitive > runs / 10) fail(`${sensitive} runs are moved by rounding, too many to tell`);
if (!words.length && stopped > ends / 40) fail(`at ${stopped} ends of sliders the page stops near a loss of rank`);
if (wrong > 0 || (!words.length && runs < 60)) process.exit(1);
