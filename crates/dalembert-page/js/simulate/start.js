// A start that meets the constraints: values that must be met are, guesses move as little as possible in the metric of the mass matrix, and what
// is open moves freely.
import { knownUnits } from "./inertia.js";
import { nearest } from "./newton.js";
import { budget, metricOf, scalesOf, search } from "./search.js";

const NO_POSITION = "these values exclude each other: no position is found that meets the constraints";

/** The coordinates that a row of positions, or something that is said of them, knows. @param {import("./motion.js").Motion} motion */
function knownToRows({ data, n, active }) {
  const known = new Array(n).fill(false);
  const first = n * n + 2 * n;
  const held = data.position_rows.filter((row) => active.get(data.constraints[row]) !== false);
  for (const place of data.places) {
    const [row, j] = [Math.floor((place - first) / n), (place - first) % n];
    if (held.includes(row)) known[j] = true;
  }
  data.slopes[0].forEach((columns) => columns.forEach((j) => (known[j] = true)));
  return known;
}

/** Moves coordinates to where they meet the rows: what is open alone if guesses can stay. @param {import("./motion.js").Motion} motion @param {{q: Float64Array, known: boolean[], must: boolean[], rows: any}} asked */
function meetPositions(motion, { q, known, must, rows }) {
  const { data, n, decide } = motion;
  const given = known.map((it, i) => (it ? q[i] : null));
  const near = Float64Array.from(given, (it) => it ?? 0);
  motion.look(motion.plan.from, near, new Float64Array(n));
  const inertias = Array.from({ length: n }, (_, i) => motion.mass[i * n + i]);
  const units = knownUnits(inertias, data.position_rows.length, (r, j) => motion.jacobian[data.position_rows[r] * n + j]);
  const scales = scalesOf(data.natural, given, units);
  const metric = metricOf(motion.mass, scales.sizes, (i) => known[i], (i) => !must[i], decide);
  const shared = { x: q, near, from: data.start.q, moves: knownToRows(motion), metric, scales, rows, decide, work: budget() };
  const unknown = known.map((it) => !it);
  const free = must.map((it) => !it);
  const someUnknown = unknown.includes(true);
  const found = search({ ...shared, free: someUnknown ? unknown : free });
  if (!someUnknown || found.miss <= decide.SOLVED || free.every((it, i) => it === unknown[i])) return found.met;
  const kept = q.slice();
  const all = search({ ...shared, free });
  const closer = all.met && (!found.met || all.miss < decide.COARSE * found.miss);
  if (found.met && !closer) q.set(kept);
  return found.met || all.met;
}

/**
 * The start for values of the parameters that are set in a motion, and of some of what is given.
 * @param {import("./motion.js").Motion} motion @param {Map<number, number>} changed by the place of what is given
 * @returns {{q: Float64Array, rates: Float64Array, t: number, moved: {name: string, given: number, found: number}[]} | {refused: string}}
 */
export function assemble(motion, changed) {
  const { data, n, decide } = motion;
  const { start: values, said } = motion.programs;
  const t = motion.plan.from;
  const given = data.given;
  const parameters = motion.parameters;
  /** @type {number[]} */
  let numbers = [];
  const evaluate = (q, rates) => {
    values.in.set(q, 0);
    values.in.set(rates, n);
    values.in[2 * n] = t;
    values.in.set(parameters, 2 * n + 1);
    values.call();
    numbers = given.map((_, k) => (changed.has(k) ? /** @type {number} */ (changed.get(k)) : values.out[k]));
  };
  // Values may be written in other start values: each round makes some more of them right.
  const q = Float64Array.from(data.start.q);
  const none = new Float64Array(n);
  for (let round = 0; round <= n; round++) {
    evaluate(q, none);
    given.forEach(([kind, i], k) => {
      if (kind === "q") q[i] = numbers[k];
    });
  }
  if (!numbers.every(Number.isFinite)) return { refused: "a start value is no number" };
  const isMust = (k) => given[k][2] || changed.has(k);
  const must = new Array(n).fill(false);
  const known = new Array(n).fill(false);
  given.forEach(([kind, i], k) => {
    if (kind !== "q") return;
    known[i] = true;
    must[i] = isMust(k);
  });
  const look = (coordinates, rates) => {
    motion.look(t, coordinates, rates);
    said.in.set(coordinates, 0);
    said.in.set(rates, n);
    said.in[2 * n] = t;
    said.in.set(parameters, 2 * n + 1);
    said.call();
  };
  const sizeOf = (slopes, x, least) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += Math.abs(slopes[j]) * (Math.abs(x[j]) + least[j]);
    return sum;
  };
  /** What is said otherwise, all of it or what must be met. @param {number} which @param {boolean} all */
  const otherwise = (which, all) => {
    const kind = which === 0 ? "p" : "u";
    const list = [];
    let at = which === 0 ? 0 : data.slopes[0].reduce((sum, columns) => sum + 1 + columns.length, 0);
    data.slopes[which].forEach((columns, k) => {
      const place = given.findIndex((it) => it[0] === kind && it[1] === k);
      const slopes = new Float64Array(n);
      columns.forEach((j, c) => (slopes[j] = said.out[at + 1 + c]));
      if (place >= 0 && (all || isMust(place))) list.push({ value: said.out[at] - numbers[place], slopes, target: numbers[place] });
      at += 1 + columns.length;
    });
    return list;
  };
  const level = (x, which, extra, { own: hasOwn, all } = { own: true, all: true }) => () => {
    const list = !hasOwn ? [] : which === 0 ? data.position_rows : data.velocity_rows;
    const found = which === 0 ? motion.positions : motion.velocities;
    if (which === 0) look(x, none);
    else look(q, x);
    /** @type {number[]} */
    const values = [];
    /** @type {Float64Array[]} */
    const slopes = [];
    /** @type {number[]} */
    const sizes = [];
    list.forEach((row, r) => {
      const own = motion.jacobian.slice(row * n, row * n + n);
      values.push(found[r]);
      slopes.push(own);
      sizes.push(sizeOf(own, x, motion.sizes[which]));
    });
    for (const { value, slopes: own, target } of [...otherwise(which, all), ...extra(x)]) {
      values.push(value);
      slopes.push(own);
      sizes.push(Math.abs(target) + sizeOf(own, x, motion.sizes[which]));
    }
    return { values, slopes, sizes };
  };
  const inertias = () => {
    const metric = Float64Array.from(motion.mass);
    // What has no inertia is compared by its size.
    for (let i = 0; i < n; i++) if (!(metric[i * n + i] > 0)) metric[i * n + i] = 1e-12 / motion.sizes[0][i] ** 2;
    return metric;
  };
  if (data.position_rows.length + data.slopes[0].length > 0) {
    if (!meetPositions(motion, { q, known, must, rows: level(q, 0, () => []) })) return { refused: NO_POSITION };
  } else given.forEach(([kind, i], k) => kind === "q" && (q[i] = numbers[k]));
  evaluate(q, none);
  const rates = new Float64Array(n);
  const wanted = new Float64Array(n);
  const fixed = new Array(n).fill(false);
  given.forEach(([kind, i], k) => {
    if (kind !== "r") return;
    wanted[i] = numbers[k];
    fixed[i] = isMust(k);
  });
  /** What is given of speeds, all of it or what must be met, as rows. @param {boolean} all */
  const speedRows = (all) => (x) => given.flatMap(([kind, i], k) => {
    if (kind !== "v" || !(all || isMust(k))) return [];
    const slopes = motion.speedMatrix.slice(i * n, i * n + n);
    let value = motion.offset[i] - numbers[k];
    for (let j = 0; j < n; j++) value += slopes[j] * x[j];
    return [{ value, slopes, target: numbers[k] }];
  });
  motion.look(t, q, rates);
  const otherGiven = given.filter((it) => it[0] === "v" || it[0] === "u").length;
  if (otherGiven > 0) {
    // Guesses of all kinds together say where to set out from; the rows are not asked yet.
    const isGiven = new Array(n).fill(false);
    given.forEach(([kind, i]) => kind === "r" && (isGiven[i] = true));
    nearest({ x: wanted, near: Float64Array.from(wanted), free: isGiven.map((it) => !it), metric: inertias(), rows: level(wanted, 1, speedRows(true), { own: false, all: true }), decide });
  }
  rates.set(wanted);
  motion.look(t, q, rates);
  if (data.velocity_rows.length + otherGiven > 0) {
    const rows = level(rates, 1, speedRows(false), { own: true, all: false });
    if (!nearest({ x: rates, near: wanted, free: fixed.map((it) => !it), metric: inertias(), rows, decide })) return { refused: "these values exclude each other: no velocity is found that meets the constraints" };
  }
  const moved = [];
  given.forEach(([kind, i], k) => {
    const [found, name] = kind === "q" ? [q[i], data.names[i]] : kind === "r" ? [rates[i], `${data.names[i]}'`] : [NaN, ""];
    if (Math.abs(found - numbers[k]) > decide.CANCELLED * Math.max(Math.abs(found), Math.abs(numbers[k]))) moved.push({ name, given: numbers[k], found });
  });
  return { q, rates, t, moved };
}
