// Newton's method with the least step in a metric, shortened; and along the solutions to the nearest: as `start/solved/newton.rs` in Rust.
import { Solver } from "./linear.js";

const MOST_ROUNDS = 80;
/** Halvings of a step before it is given up. */
const MOST_SHORTENINGS = 13;
/** Steps along the solutions towards the nearest, and halvings of such a step. */
const MOST_DESCENTS = 80;
const MOST_SHORTER = 8;

/**
 * The values of x nearest to `near` that meet rows, over those that are free: to the rows first, by steps that are shortened until each leaves
 * less to correct; then by steepest descent along them, with the lengths of Barzilai and Borwein. Whole steps from far away may end at another way to
 * close a loop.
 * @param {{x: Float64Array, near: ArrayLike<number>, free: boolean[], metric: Float64Array, rows: () => {values: number[], slopes: Float64Array[], sizes: number[]}, decide: any, work?: {left: number}}} search
 */
export function nearest({ x, near, free, metric, rows, decide, work }) {
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
    if (work) work.left -= size ** 3;
  };
  /** The least step that takes residuals away by the rows that were factored. @param {ArrayLike<number>} values */
  const wayOf = (values) => {
    const [asked, way] = [new Float64Array(count + values.length), new Float64Array(count + values.length)];
    for (let k = 0; k < values.length; k++) asked[count + k] = -values[k];
    known?.solve(asked, way);
    return way.subarray(0, count);
  };
  /** aᵀ M b. @param {ArrayLike<number>} one @param {ArrayLike<number>} other */
  const product = (one, other) => {
    let sum = 0;
    open.forEach((i, a) => open.forEach((j, b) => (sum += one[a] * metric[i * n + j] * other[b])));
    return sum;
  };
  /** @param {ArrayLike<number>} way */
  const lengthOf = (way) => Math.sqrt(Math.max(product(way, way), 0));
  const back = () => Float64Array.from(open, (i) => near[i] - x[i]);
  const worstOf = ({ values, sizes }) => values.reduce((most, r, i) => (r === 0 ? most : Math.max(most, Math.abs(r) / sizes[i])), 0);
  /** Moves x until the rows hold as well as numbers can, or no step makes them better; gives what is missed. */
  const reach = () => {
    let last = Infinity;
    for (let round = 0; ; round++) {
      const found = rows();
      const worst = worstOf(found);
      const met = worst <= decide.MET;
      if (!(worst > 0) || (met && worst >= last) || round === MOST_ROUNDS) return worst;
      last = worst;
      factor(found.slopes);
      const way = wayOf(found.values);
      const length = lengthOf(way);
      if (!Number.isFinite(length)) return worst;
      const from = open.map((i) => x[i]);
      let better = false;
      // Where the rows are met but for rounding a whole step makes them better, or none does.
      for (let k = 0; k <= (met ? 0 : MOST_SHORTENINGS) && !better; k++) {
        const part = 0.5 ** k;
        open.forEach((i, a) => (x[i] = from[a] + part * way[a]));
        better = lengthOf(wayOf(rows().values)) <= (1 - part / 4) * length;
      }
      if (better) continue;
      open.forEach((i, a) => (x[i] = from[a]));
      return worst;
    }
  };
  /** The part of the way to `near` along which the rows hold on. */
  const tangent = () => {
    const { slopes } = rows();
    factor(slopes);
    const way = back();
    // Twice: what is left after a projection is rounding of what was there before.
    for (let k = 0; k < 2; k++) {
      const across = wayOf(slopes.map((slope) => open.reduce((sum, j, a) => sum - slope[j] * way[a], 0)));
      for (let a = 0; a < count; a++) way[a] -= across[a];
    }
    return way;
  };
  /** Moves x along a way and back to the rows, if that brings it nearer; whether it does. @param {Float64Array} way @param {number} stride */
  const advance = (way, stride) => {
    const [before, ahead, held] = [lengthOf(back()), lengthOf(way), worstOf(rows())];
    const from = x.slice();
    for (let k = 0; k < MOST_SHORTER; k++) {
      const part = stride / 2 ** k;
      open.forEach((i, a) => (x[i] = from[i] + part * way[a]));
      const missed = reach();
      const nearer = lengthOf(back());
      // Half squares: the gain of a step along a slope; where it is rounding the step is taken on trust.
      const gain = (1e-4 * part * ahead * ahead) / before;
      const trusted = ahead <= decide.CLEAR * before && nearer <= before * (1 + decide.SOLVED);
      if ((nearer <= before - gain || trusted) && missed <= Math.max(held, decide.KNOWN)) return true;
      x.set(from);
    }
    return false;
  };
  if (!(reach() <= decide.MET)) return false;
  /** @type {{at: number[], way: Float64Array} | null} */
  let last = null;
  for (let k = 0; k < MOST_DESCENTS; k++) {
    const distance = lengthOf(back());
    const way = tangent();
    const ahead = lengthOf(way);
    if (!Number.isFinite(ahead) || ahead <= decide.KNOWN * distance) break;
    const at = open.map((i) => x[i]);
    let stride = 1;
    if (last) {
      const { at: from, way: one } = last;
      const moved = at.map((value, a) => value - from[a]);
      const turned = one.map((value, a) => value - way[a]);
      const along = product(moved, turned);
      if (along > 0) stride = Math.min(Math.max(product(moved, moved) / along, 0.05), 20);
    }
    if (!advance(way, stride)) break;
    last = { at, way };
  }
  return reach() <= decide.MET;
}
