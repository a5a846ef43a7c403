// The search for coordinates that meet the rows: from what is given, and from elsewhere, in the order and from the places of `start/solved/search.rs`
// in Rust. A loop closes in several ways, and of mirror images none is nearer: page and command take the same.
import { nearest } from "./newton.js";

/** Work of one search, in multiplications or so: some seconds at worst. */
const BUDGET = 3e9;
/** Unknowns up to which other solutions are looked for when one is found, and restarts are many. */
const FEW = 40;
/** Solutions found from elsewhere that are compared. */
const COMPARED = 8;
/** Restarts where nothing was found: of few unknowns, and of many. */
const RESTARTS = [40, 12];
/** How far from what is given restarts begin, in sizes of the unknowns, one after the other. */
const REACHES = [0.1, 1, 0.3, 2, 3.1, 1, 10, 0.5];

/** The numbers of Rust's `fastrand` (wyrand), from −1 to 1. @param {number} seed */
function signedFrom(seed) {
  const all = (1n << 64n) - 1n;
  let state = BigInt(seed);
  const next = () => {
    for (;;) {
      state = (state + 0x2d358dccaa6c78a5n) & all;
      const t = state * (state ^ 0x8bb84b93962eacc9n);
      const x = Number(((t ^ (t >> 64n)) & all) >> 1n) / 2 ** 63;
      if (x < 1) return x;
    }
  };
  return () => 2 * next() - 1;
}

/** For each unknown a size like those that are known, the middle one of which is taken; unlike ones are compared in units of their inertia. @param {(number | null)[]} sizes @param {(number | null)[]} units */
function likeSizes(sizes, units) {
  const middle = (/** @type {number[]} */ list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
  const ofUnits = middle(sizes.flatMap((size, i) => (size !== null && units[i] !== null ? [size / /** @type {number} */ (units[i])] : [])));
  const plain = middle(sizes.flatMap((size) => (size !== null ? [size] : [])));
  return units.map((unit) => (unit !== null && ofUnits !== undefined ? unit * ofUnits : plain));
}

/** How large coordinates are: what stands in a sine as its argument wants, others as they are given, or like those that are. @param {(number | null)[]} natural @param {(number | null)[]} given @param {(number | null)[]} units */
export function scalesOf(natural, given, units) {
  const own = natural.map((it, i) => (it === null && given[i] ? Math.abs(/** @type {number} */ (given[i])) : null));
  const usual = likeSizes(own, units);
  const known = natural.map((it, i) => it ?? own[i]);
  return { sizes: Float64Array.from(known, (it, i) => it ?? usual[i] ?? 1), open: known.map((it) => it === null) };
}

/** The mass matrix, made definite: what is not given costs a little only. @param {Float64Array} mass @param {ArrayLike<number>} sizes @param {(i: number) => boolean} isGiven @param {(i: number) => boolean} moves @param {any} decide */
export function metricOf(mass, sizes, isGiven, moves, decide) {
  const n = sizes.length;
  const prices = Array.from({ length: n }, (_, i) => mass[i * n + i] * sizes[i] ** 2);
  const dearest = prices.reduce((most, price, i) => (isGiven(i) && moves(i) ? Math.max(most, price) : most), 0);
  const metric = new Float64Array(n * n);
  if (!mass.every(Number.isFinite) || !(dearest > 0) || prices.some((price) => price < 0)) {
    for (let i = 0; i < n; i++) metric[i * n + i] = sizes[i] ** -2;
    return metric;
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) if (isGiven(i) && isGiven(j)) metric[i * n + j] = mass[i * n + j];
    if (!isGiven(i) || !(prices[i] > 0)) metric[i * n + i] += (decide.WIDE * dearest) / sizes[i] ** 2;
  }
  return metric;
}

/** How large unknowns are that only the rows tell about: the least power of ten by which moving them changes half of the rows that are missed by half of what they miss. @param {{x: Float64Array, near: ArrayLike<number>, sizes: Float64Array, open: number[], rows: any, decide: any}} asked */
function naturalSize({ x, near, sizes, open, rows, decide }) {
  if (!open.length) return 1;
  x.set(near);
  const before = rows();
  const missed = [...before.values.keys()].filter((k) => Math.abs(before.values[k]) > decide.CLEAR * before.sizes[k]);
  let size = 0;
  for (let power = -15; power <= 15; power++) {
    const unit = 10 ** power;
    const signed = signedFrom(2);
    x.set(near);
    for (const j of open) x[j] += unit * sizes[j] * (0.75 + 0.25 * signed());
    const { values } = rows();
    const changed = missed.filter((k) => Math.abs(values[k] - before.values[k]) >= Math.abs(before.values[k]) / 2).length;
    if (changed > 0 && size === 0) size = unit;
    if (2 * changed >= missed.length && changed > 0) return unit;
  }
  return size || 1;
}

/**
 * Moves x to the values nearest to `near` that meet the rows, over those that are free, of several that are found; whether there are any, and whether
 * they meet the rows as well as numbers can.
 * @param {{x: Float64Array, near: ArrayLike<number>, from: ArrayLike<number>, free: boolean[], moves: boolean[], metric: Float64Array, scales: {sizes: Float64Array, open: boolean[]}, rows: any, decide: any, work: {left: number}}} asked
 */
export function search({ from, moves, scales, ...asked }) {
  const { x, near, free, metric, rows, decide, work } = asked;
  const { sizes } = scales;
  const n = x.length;
  x.set(near);
  const missed = () => {
    const { values, sizes: terms } = rows();
    return values.reduce((most, r, i) => (r === 0 ? most : Math.max(most, Math.abs(r) / terms[i])), 0);
  };
  const count = free.filter((it) => it).length;
  const begun = missed();
  if (begun <= decide.ROUNDING || count === 0) return { met: begun <= decide.MET, miss: begun };
  /** @type {{x: Float64Array, distance: number, miss: number} | null} */
  let best = null;
  let solutions = 0;
  const attempt = () => {
    if (!nearest(asked)) return;
    solutions += 1;
    let square = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) square += (x[i] - near[i]) * metric[i * n + j] * (x[j] - near[j]);
    const distance = Math.sqrt(Math.max(square, 0));
    if (best === null || distance < best.distance * (1 - decide.CLEAR)) best = { x: x.slice(), distance, miss: missed() };
  };
  attempt();
  const found = solutions > 0;
  const restarts = found ? (count <= FEW ? COMPARED : 0) : RESTARTS[count <= FEW ? 0 : 1];
  const moving = [...free.keys()].filter((j) => free[j] && moves[j]);
  const unit = restarts ? naturalSize({ x, near, sizes, open: moving.filter((j) => scales.open[j]), rows, decide }) : 1;
  const signed = signedFrom(1);
  solutions = 0;
  for (let restart = 0; restart < restarts; restart++) {
    x.set(near);
    for (const j of moving) {
      // The first to the positive side: of two mirror images that one is taken.
      const towards = restart === 0 ? 0.75 + 0.25 * signed() : signed();
      x[j] += REACHES[restart % REACHES.length] * (scales.open[j] ? unit : 1) * sizes[j] * towards;
    }
    attempt();
    if (solutions >= (count <= FEW ? COMPARED : 1) || work.left < 0) break;
  }
  if (best === null) {
    // From the start that was recorded, which met the rows of other values.
    x.forEach((_, i) => (x[i] = free[i] ? from[i] : near[i]));
    attempt();
  }
  const taken = /** @type {{x: Float64Array, distance: number, miss: number} | null} */ (best);
  if (taken) x.set(taken.x);
  return { met: taken !== null, miss: taken ? taken.miss : Infinity };
}

/** Work that a search may do. */
export function budget() {
  return { left: BUDGET };
}
