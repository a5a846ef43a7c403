// Whether a start has a motion: what the rows leave free has inertia, and no motion has a negative kinetic energy.

/** The directions that rows leave free, one after the other: complete pivoting, rows beside their own length. @param {Float64Array[]} rows @param {number} n @param {number} used */
function free(rows, n, used) {
  const left = rows.map((row) => {
    const length = Math.hypot(...row);
    return length > 0 ? row.map((a) => a / length) : row.slice();
  });
  /** @type {number[]} */
  const pivots = [];
  for (let r = 0; r < left.length; r++) {
    let [best, at, column] = [used, -1, -1];
    for (let k = r; k < left.length; k++) for (let j = 0; j < n; j++) if (!pivots.includes(j) && Math.abs(left[k][j]) > best) [best, at, column] = [Math.abs(left[k][j]), k, j];
    if (at < 0) break;
    [left[r], left[at]] = [left[at], left[r]];
    const own = left[r].map((a) => a / left[r][column]);
    left[r] = own;
    left.forEach((row, k) => {
      const part = row[column];
      if (k !== r && part !== 0) for (let j = 0; j < n; j++) row[j] -= part * own[j];
    });
    pivots.push(column);
  }
  return [...Array(n).keys()].filter((j) => !pivots.includes(j)).map((j) => {
    const way = new Float64Array(n);
    way[j] = 1;
    pivots.forEach((column, r) => (way[column] = -left[r][j]));
    return way;
  });
}

/** Why nothing determines a motion from the state that was looked at, in words; "" if something does. @param {import("./motion.js").Motion} motion */
export function unmoved(motion) {
  const { n, rows, mass, jacobian, decide } = motion;
  // Coordinates in units in which each has an inertia of one, so that units decide nothing.
  const scale = Float64Array.from({ length: n }, (_, j) => (mass[j * n + j] !== 0 ? 1 / Math.sqrt(Math.abs(mass[j * n + j])) : 1));
  const m = mass.map((value, at) => value * scale[Math.floor(at / n)] * scale[at % n]);
  const a = Array.from({ length: rows }, (_, r) => Float64Array.from({ length: n }, (__, j) => jacobian[r * n + j] * scale[j]));
  const ways = free(a, n, decide.RANK).map((way) => {
    const length = Math.hypot(...way);
    return way.map((x) => x / length);
  });
  const count = ways.length;
  const products = ways.map((way) => Float64Array.from({ length: n }, (_, i) => way.reduce((sum, x, j) => sum + m[i * n + j] * x, 0)));
  const left = ways.map((way) => Float64Array.from(products, (product) => way.reduce((sum, x, i) => sum + x * product[i], 0)));
  // The largest that is left, one after the other: what is left of a definite matrix in the end is positive.
  const open = [...Array(count).keys()];
  while (open.length) {
    const at = open.reduce((best, k) => (left[k][k] > left[best][best] ? k : best), open[0]);
    const lowest = Math.min(...open.map((k) => left[k][k]));
    if (lowest < -decide.CLEAR) return "its kinetic energy can be negative: a mass, an inertia or a length has the wrong sign";
    if (!(left[at][at] > decide.KNOWN)) return "nothing determines an acceleration at the start: a motion has no inertia there";
    open.splice(open.indexOf(at), 1);
    for (const k of open) {
      const part = left[k][at] / left[at][at];
      for (const j of open) left[k][j] -= part * left[at][j];
    }
  }
  return "";
}

/** Units in which each unknown has an inertia of one; what has none moves as far as rows let it, twice that; null where nothing tells. @param {ArrayLike<number>} inertias @param {number} rows @param {(r: number, j: number) => number} entry */
export function knownUnits(inertias, rows, entry) {
  const n = inertias.length;
  /** @type {(number | null)[]} */
  let units = Array.from(inertias, (own) => (own > 0 ? 1 / Math.sqrt(own) : null));
  while (units.includes(null)) {
    const found = units.slice();
    for (let r = 0; r < rows; r++) {
      let most = 0;
      for (let j = 0; j < n; j++) if (units[j] !== null) most = Math.max(most, Math.abs(entry(r, j) * /** @type {number} */ (units[j])));
      for (let j = 0; j < n; j++) {
        const a = Math.abs(entry(r, j));
        if (!(most > 0) || a === 0 || units[j] !== null) continue;
        const far = (2 * most) / a;
        found[j] = found[j] === null ? far : Math.min(/** @type {number} */ (found[j]), far);
      }
    }
    if (found.every((it, k) => it === units[k])) break;
    units = found;
  }
  return units;
}

/** Whether a body has an inertia: nine entries by rows; moments about axes that it does not turn about may be left out. @param {number[]} m @param {boolean[]} turns @param {number} known */
export function isInertia(m, turns, known) {
  const size = Math.abs(m[0]) + Math.abs(m[4]) + Math.abs(m[8]);
  if ([[1, 3], [2, 6], [5, 7]].some(([a, b]) => Math.abs(m[a] - m[b]) > known * size)) return false;
  // Jacobi's rotations.
  const a = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)];
  for (let round = 0; round < 30; round++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) <= 1e-300) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
    }
  }
  const moments = [a[0][0], a[1][1], a[2][2]];
  const all = ![0, 1, 2].some((k) => !turns[k] && [0, 1, 2].every((j) => m[3 * k + j] === 0));
  return moments.every((moment, k) => moment >= -known * size && (!all || moment <= moments[(k + 1) % 3] + moments[(k + 2) % 3] + known * size));
}
