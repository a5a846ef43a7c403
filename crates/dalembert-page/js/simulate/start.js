// A start that meets the constraints: values that must be met are, guesses move as little as possible in the metric of the mass matrix, and what
// is open moves freely. Newton's method sets out from several places, and what is nearest to the guesses counts.
import { Solver } from "./linear.js";

const MOST_ROUNDS = 50;
/** Halvings of a step before it is given up. */
const MOST_SHORTENINGS = 13;
/** Unknowns up to which several ways to meet the rows are compared. */
const FEW = 12;
/** How far from what is given these searches begin, in sizes of the unknowns, and how often each. */
const REACHES = [0.1, 1, 0.3, 2, 3.1, 1, 10, 0.5];
const ROUNDS_OF_REACHES = 3;

/**
 * The values of x nearest to `near` that meet rows, over those that are free: to the rows first, by steps that are shortened until each leaves
 * less to correct, as in Rust; then along them. Whole steps from far away may end at another way to close a loop.
 * @param {{x: Float64Array, near: ArrayLike<number>, free: boolean[], metric: Float64Array, rows: () => {values: number[], slopes: Float64Array[], sizes: number[]}, decide: any}} search
 */
function nearest({ x, near, free, metric, rows, decide }) {
  const n = x.length;
  const open = [...free.keys()].filter((i) => free[i]);
  const count = open.length;
  /** @type {Solver | null} */
  let known = null;
  /** Factors the rows of now. @param {Float64Array[]} slopes */
  const factor = (slopes) => {
    const size = count + slopes.length;
    const solver = known || new Solver(size);
    known = solver;
    solver.matrix.fill(0);
    open.forEach((i, a) => open.forEach((j, b) => (solver.matrix[a * size + b] = metric[i * n + j])));
    slopes.forEach((slope, k) => {
      open.forEach((j, b) => {
        solver.matrix[b * size + count + k] = slope[j];
        solver.matrix[(count + k) * size + b] = slope[j];
      });
    });
    solver.factor(decide.RANK);
  };
  /** The step that takes residuals away by the rows that were factored: the least, or the one towards `near`. @param {number[]} values @param {boolean} towards */
  const wayOf = (values, towards) => {
    const [asked, way] = [new Float64Array(count + values.length), new Float64Array(count + values.length)];
    if (towards) open.forEach((i, a) => { for (let j = 0; j < n; j++) asked[a] += metric[i * n + j] * (near[j] - x[j]); });
    values.forEach((r, k) => (asked[count + k] = -r));
    known?.solve(asked, way);
    return way.subarray(0, count);
  };
  /** @param {Float64Array} way */
  const lengthOf = (way) => {
    let sum = 0;
    open.forEach((i, a) => open.forEach((j, b) => (sum += way[a] * metric[i * n + j] * way[b])));
    return Math.sqrt(sum);
  };
  const worstOf = ({ values, sizes }) => values.reduce((most, r, i) => (r === 0 ? most : Math.max(most, Math.abs(r) / sizes[i])), 0);
  /** Moves x by the longest part of a step that leaves no more to correct than is wanted of that part; whether there is one. @param {Float64Array} way @param {(part: number) => number} most */
  const move = (way, most) => {
    const from = open.map((i) => x[i]);
    for (let k = 0; k <= MOST_SHORTENINGS; k++) {
      const part = 0.5 ** k;
      open.forEach((i, a) => (x[i] = from[a] + part * way[a]));
      if (lengthOf(wayOf(rows().values, false)) <= most(part)) return true;
    }
    open.forEach((i, a) => (x[i] = from[a]));
    return false;
  };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = rows();
    const worst = worstOf(found);
    if (Number.isNaN(worst)) return false;
    if (worst <= decide.MET) break;
    factor(found.slopes);
    const way = wayOf(found.values, false);
    const length = lengthOf(way);
    if (!move(way, (part) => (1 - part / 4) * length)) break;
  }
  let before = [Infinity, Infinity];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = rows();
    const worst = worstOf(found);
    if (Number.isNaN(worst)) return false;
    factor(found.slopes);
    const way = wayOf(found.values, true);
    let [step, length] = [0, 0];
    for (let a = 0; a < count; a++) {
      step = Math.max(step, Math.abs(way[a]));
      length = Math.max(length, Math.abs(x[open[a]]), Math.abs(way[a]));
    }
    if (!Number.isFinite(step)) return false;
    // Over where rows are met and the way is no way, or where neither gets better.
    const still = step <= decide.EVALUATED * length;
    if (worst <= decide.ROUNDING && still) return true;
    if (worst <= decide.EVALUATED && worst >= before[0] && (still || step >= before[1])) return true;
    before = [worst, step];
    // Along the rows no farther than they can be followed.
    const whole = lengthOf(way);
    const follows = worst <= decide.MET && step > decide.MET * length && move(way, (part) => (part * whole) / 2);
    if (!follows) open.forEach((i, a) => (x[i] += way[a]));
  }
  const { values, sizes } = rows();
  return values.every((r, i) => r === 0 || Math.abs(r) <= decide.MET * sizes[i]);
}

/**
 * The same of several that are found: from the guesses, from the start that was recorded, and where unknowns are few from about the guesses, as
 * in Rust. A loop closes in several ways.
 * @param {{x: Float64Array, near: ArrayLike<number>, from: number[], free: boolean[], metric: Float64Array, sizes: Float64Array, rows: any, decide: any}} asked
 */
function search({ from, sizes, ...asked }) {
  const { x, near, free, metric, decide } = asked;
  const n = x.length;
  const given = Float64Array.from(near);
  const starts = [given, Float64Array.from(from)];
  let state = 1;
  const signed = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
  if (free.filter((it) => it).length <= FEW) {
    for (let k = 0; k < ROUNDS_OF_REACHES * REACHES.length; k++) starts.push(given.map((value, i) => value + REACHES[k % REACHES.length] * sizes[i] * signed()));
  }
  // What has no inertia, as the length of a quaternion, counts a little by its size.
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, metric[i * n + i] * sizes[i] ** 2);
  /** @type {{x: Float64Array, distance: number} | null} */
  let best = null;
  for (const start of starts) {
    x.forEach((_, i) => (x[i] = free[i] ? start[i] : near[i]));
    // What meets the rows as it is given stays.
    if (start === given) {
      const { values, sizes: terms } = asked.rows();
      if (values.every((r, i) => Math.abs(r) <= decide.ROUNDING * terms[i])) return true;
    }
    if (!nearest(asked)) continue;
    let distance = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) distance += (x[i] - near[i]) * metric[i * n + j] * (x[j] - near[j]);
      distance += decide.CLEAR * largest * ((x[i] - near[i]) / sizes[i]) ** 2;
    }
    if (best === null || distance < best.distance * (1 - decide.CLEAR)) best = { x: x.slice(), distance };
  }
  if (best) x.set(best.x);
  return best !== null;
}

/**
 * The start for values of the parameters that are set in a motion, and of some of what is given.
 * @param {import("./motion.js").Motion} motion @param {Map<number, number>} changed by the place of what is given
 * @returns {{q: Float64Array, rates: Float64Array, t: number, moved: {name: string, given: number, found: number}[]} | {refused: string}}
 */
export function assemble(motion, changed) {
  const { data, n, decide } = motion;
  const { start: values, said } = motion.programs;
  const t = data.start.t;
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
  const guess = Float64Array.from(q);
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
  motion.look(t, q, none);
  const metricOf = () => {
    const metric = Float64Array.from(motion.mass);
    // What has no inertia is compared by its size.
    for (let i = 0; i < n; i++) if (!(metric[i * n + i] > 0)) metric[i * n + i] = 1e-12 / motion.sizes[0][i] ** 2;
    return metric;
  };
  // What is open sets out from where it was.
  data.start.q.forEach((value, i) => {
    if (!must[i]) q[i] = value;
    if (!known[i]) guess[i] = value;
  });
  const unknown = known.map((it) => !it);
  if (data.position_rows.length + data.slopes[0].length > 0) {
    const metric = metricOf();
    let met = false;
    if (unknown.includes(true)) {
      known.forEach((it, i) => it && (q[i] = guess[i]));
      met = nearest({ x: q, near: guess, free: unknown, metric, rows: level(q, 0, () => []), decide });
    }
    if (!met) met = search({ x: q, near: guess, from: data.start.q, free: must.map((it) => !it), metric, sizes: motion.sizes[0], rows: level(q, 0, () => []), decide });
    if (!met) return { refused: "these values exclude each other: no position meets the constraints" };
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
    nearest({ x: wanted, near: Float64Array.from(wanted), free: isGiven.map((it) => !it), metric: metricOf(), rows: level(wanted, 1, speedRows(true), { own: false, all: true }), decide });
  }
  rates.set(wanted);
  motion.look(t, q, rates);
  if (data.velocity_rows.length + otherGiven > 0) {
    const rows = level(rates, 1, speedRows(false), { own: true, all: false });
    if (!nearest({ x: rates, near: wanted, free: fixed.map((it) => !it), metric: metricOf(), rows, decide })) return { refused: "these values exclude each other: no velocity meets the constraints" };
  }
  const moved = [];
  given.forEach(([kind, i], k) => {
    const [found, name] = kind === "q" ? [q[i], data.names[i]] : kind === "r" ? [rates[i], `${data.names[i]}'`] : [NaN, ""];
    if (Math.abs(found - numbers[k]) > decide.CANCELLED * Math.max(Math.abs(found), Math.abs(numbers[k]))) moved.push({ name, given: numbers[k], found });
  });
  return { q, rates, t, moved };
}
