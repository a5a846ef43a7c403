// When numbers rise through zero within a step: as `events.rs` in `dalembert-ode` looks for it.

const CHECKS = 4;
const MOST_HALVINGS = 40;
const MOST_CELLS = 4000;
const DOUBT = 4;
const INTERPOLATED = 12;

/** Where g, negative at both ends of a cell, becomes not negative inside, if it does: three places in order. @param {number[]} ends @param {number[]} values @param {(t: number) => number} g */
function hiddenRise([a0, b0], [ga0, gb0], g) {
  const cells = [[a0, (a0 + b0) / 2, b0, ga0, g((a0 + b0) / 2), gb0, 0]];
  let looked = 0;
  while (cells.length) {
    const [a, m, b, ga, gm, gb, depth] = /** @type {number[]} */ (cells.pop());
    if (gm >= 0) return [[a, ga], [m, gm], [b, gb]];
    const [left, right] = [(a + m) / 2, (m + b) / 2];
    const [gl, gr] = [g(left), g(right)];
    if (gl >= 0) return [[a, ga], [left, gl], [m, gm]];
    // The parabola gm + s x + c x², x from −1 to 1.
    const [s, c] = [(gb - ga) / 2, (ga + gb) / 2 - gm];
    const at = (x) => gm + s * x + c * x * x;
    let top = Math.max(ga, gm, gb);
    if (c < 0 && Math.abs(s) < -2 * c) top = Math.max(top, gm - (s * s) / (4 * c));
    const missed = Math.max(Math.abs(gl - at(-0.5)), Math.abs(gr - at(0.5)));
    looked += 1;
    if (gr < 0 && !(top + DOUBT * missed >= 0)) continue;
    if (depth >= MOST_HALVINGS || looked > MOST_CELLS) {
      if (gr >= 0) return [[m, gm], [right, gr], [b, gb]];
      continue;
    }
    cells.push([m, right, b, gm, gr, gb, depth + 1], [a, left, m, ga, gl, gm, depth + 1]);
  }
  return null;
}

/** Where g rises through zero between a place where it is negative and one where it is not: the first number at which it is not negative. @param {number[]} ends @param {number[]} values @param {(t: number) => number} g */
function risingZero([a, b], [ga, gb], g) {
  let [x1, x2, x3] = [b, a, b];
  let [f1, f2, f3] = [gb, ga, gb];
  let t = 0.5;
  for (let round = 0; round < 200; round++) {
    if (ga === -Infinity || gb === 0 && round > 0 && b - a <= 0) break;
    let x = x1 + t * (x2 - x1);
    if (!(x > Math.min(a, b) && x < Math.max(a, b))) x = (a + b) / 2;
    if (!(x > Math.min(a, b) && x < Math.max(a, b))) break;
    const f = g(x);
    if (f < 0) [a, ga] = [x, f];
    else [b, gb] = [x, f];
    if (Math.sign(f) === Math.sign(f1)) [x3, f3] = [x1, f1];
    else [x3, f3, x2, f2] = [x2, f2, x1, f1];
    [x1, f1] = [x, f];
    const xi = (x1 - x2) / (x3 - x2);
    const phi = (f1 - f2) / (f3 - f2);
    t = 0.5;
    if (round < INTERPOLATED && 1 - Math.sqrt(1 - xi) < phi && phi < Math.sqrt(xi)) {
      const alpha = (x3 - x1) / (x2 - x1);
      t = (f1 / (f2 - f1)) * (f3 / (f2 - f3)) + alpha * (f1 / (f3 - f1)) * (f2 / (f3 - f2));
      if (!(t > 0 && t < 1)) t = 0.5;
    }
  }
  return b;
}

/**
 * Where numbers become not negative in the step that was accepted, in the first part of it where one does; `before` has them at its beginning, and
 * then at the end of what was looked at.
 * @param {{t: number, tNew: number}} step @param {(t: number) => number[]} all @param {number[]} before @returns {{t: number, c: number}[]}
 */
export function firstRises({ t: start, tNew: end }, all, before) {
  /** @type {{t: number, c: number}[]} */
  const times = [];
  let a = start;
  for (let check = 1; check <= CHECKS && !times.length; check++) {
    const b = check === CHECKS ? end : start + ((end - start) * check) / CHECKS;
    const now = all(b);
    now.forEach((gb, c) => {
      const ga = before[c];
      const g = (t) => all(t)[c];
      /** @type {number[][] | null} */
      let cell = null;
      if (ga < 0 && gb < 0) {
        const rise = hiddenRise([a, b], [ga, gb], g);
        if (rise) cell = [[rise[0][0], rise[1][0]], [rise[0][1], rise[1][1]]];
      } else if (ga < 0 && gb >= 0) cell = [[a, b], [ga, gb]];
      else if (ga >= 0 && gb >= 0) {
        // True at both ends, and perhaps not in between.
        const untrue = (it) => (it === 0 ? -2.3e-308 : -it);
        const dip = hiddenRise([a, b], [untrue(ga), untrue(gb)], (t) => untrue(g(t)));
        if (dip) cell = [[dip[1][0], dip[2][0]], [-dip[1][1], -dip[2][1]]];
      }
      if (cell) times.push({ t: risingZero(cell[0], cell[1], g), c });
      before[c] = gb;
    });
    a = b;
  }
  return times;
}
