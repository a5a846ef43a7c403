// Laws that use reactions, as friction does: forces f(x) that follow the multipliers x of some rows, which follow from the forces in turn,
//
//   x = c − V f(x),
//
// with c the multipliers without the laws and V what forces make of them; as `formulation/law` in Rust has it. Friction slides here: its
// way is kept from where a slip sets out to where it vanishes. There it turns, if that is the only motion; what else may be is not decided.
import { Solver } from "./linear.js";
import { firstRises } from "./rises.js";

/** Steps of Newton's method from one start. */
const STEPS = 60;
/** Unknowns up to which it starts in every orthant. */
const MOST_ORTHANTS = 10;
/** Sizes of the starts, beside the multipliers without the laws; all of them up to so many unknowns. */
const SIZES = [1, 10, 100];
const MOST_SIZED = 4;
/** Rounds that improve the bound of the gain. */
const ROUNDS = 40;
/** Ways between both bounds at which a slip that vanishes is looked at. */
const WAYS = 9;

/** The laws of a motion. */
export class Laws {
  /** @param {import("./motion.js").Motion} motion */
  constructor(motion) {
    const { laws, n, rows, masked } = motion.data;
    this.motion = motion;
    this.data = laws;
    this.program = motion.programs.laws;
    this.numbers = motion.programs.frictions;
    this.k = laws.rows.length;
    const { k } = this;
    /** Where reactions and ways are among the inputs. */
    this.reactionsAt = 2 * n + 1 + masked.length;
    this.waysAt = this.reactionsAt + rows + motion.parameters.length;
    this.free = new Float64Array(k);
    /** V, by reaction and by coordinate on which laws act. */
    this.responses = new Float64Array(k * laws.coordinates.length);
    this.lengths = new Float64Array(k).fill(1);
    this.gains = new Float64Array(k * k);
    this.x = new Float64Array(k);
    this.error = new Float64Array(k);
    this.kept = new Float64Array(k);
    this.solver = new Solver(k);
    this.room = [new Float64Array(k), new Float64Array(k)];
    this.unit = new Float64Array(n + rows);
    this.moved = new Float64Array(n + rows);
    /** @type {Float64Array[]} solutions, where there are several or none */
    this.found = [];
    let [at, way] = [0, 0];
    /** Each friction, with the places of its numbers; slips that can vanish, with what is kept of them. */
    this.frictions = laws.frictions.map((it) => {
      const part = (count) => {
        at += count;
        return this.numbers.out.subarray(at - count, at);
      };
      const slip = it.width > 0;
      const friction = {
        ...it, at: way, given: part(2), lengths: part(it.pressing.length), along: part(it.direction.length), misfits: part(it.misfit.length),
        velocity: part(it.width), rest: part(it.width), size: part(slip ? 1 : 0), slopes: part(it.width * it.slope.length),
        places: it.direction.map((j) => laws.coordinates.indexOf(j)), kept: 0, fastest: 0, strength: 1,
      };
      way += it.width;
      return friction;
    });
    this.slips = this.frictions.filter((it) => it.width > 0);
    this.ways = new Float64Array(way).fill(1);
    /** How far slips were from vanishing at the last check. @type {number[]} */
    this.before = [];
    /** A slip that came to rest where its way is not decided. @type {any} */
    this.resting = null;
  }

  /** Values of the parameters. @param {Float64Array} values */
  setParameters(values) {
    for (const program of [this.program, this.numbers]) program.in.set(values, this.waysAt - values.length);
  }

  /** Whether a friction counts: what is open does not slide. @param {any} friction */
  isActive(friction) {
    const { active } = this.motion;
    return friction.constraint === null || !active.has(friction.constraint) || active.get(friction.constraint);
  }

  /** Speed of a slip; with a sign along a line. @param {any} slip */
  speed({ velocity }) {
    return velocity.length === 1 ? velocity[0] : Math.hypot(...velocity);
  }

  /** Takes the state at which the motion was looked at last. */
  look() {
    const { program, numbers } = this;
    const known = this.motion.whole.in;
    for (let i = 0; i < this.reactionsAt; i++) {
      program.in[i] = known[i];
      numbers.in[i] = known[i];
    }
    numbers.call();
  }

  /** Ways of the slips; what is wrong with what is known of the frictions, in words. */
  lookAtWays() {
    const { motion, ways } = this;
    const { KNOWN, CLEAR } = motion.decide;
    this.resting = null;
    for (const friction of this.frictions) {
      const active = this.isActive(friction);
      if (friction.width > 0) {
        const speed = this.speed(friction);
        friction.fastest = Math.max(friction.fastest, Math.abs(speed));
        const rests = friction.kept === 0 && active && Math.abs(speed) <= KNOWN * (friction.size[0] + friction.fastest);
        if (rests) this.resting = friction;
        if (friction.width === 1) ways[friction.at] = friction.kept || (speed < 0 ? -1 : 1);
        else if (!rests) for (let i = 0; i < 3; i++) ways[friction.at + i] = speed > 0 ? friction.velocity[i] / speed : 0;
      }
      if (!active) continue;
      let misfit = false;
      for (let i = 0; i < friction.misfit.length; i++) {
        const row = friction.misfit[i] * motion.n;
        let size = 0;
        for (let j = 0; j < motion.n; j++) size = Math.max(size, Math.abs(motion.jacobian[row + j]));
        misfit ||= Math.abs(friction.misfits[i]) > CLEAR * size;
      }
      const { 0: coefficient, 1: holding } = friction.given;
      if (misfit) return `${friction.of} does not press on the point that slides`;
      if (coefficient < 0) return `the coefficient of friction of ${friction.of} is negative`;
      if (holding < coefficient) return `static friction of ${friction.of} is less than that of sliding`;
    }
    return "";
  }

  /** c and V, by the saddle of the motion as it is factored. @param {boolean} again whether that is another one */
  respond(again) {
    const { motion, data, k } = this;
    const { n, saddle, decide } = motion;
    const { coordinates } = data;
    if (again) {
      const { unit, moved } = this;
      for (let i = 0; i < k; i++) {
        const row = data.rows[i];
        this.lengths[i] = 1;
        const own = i * coordinates.length;
        for (let c = 0; c < coordinates.length; c++) this.responses[own + c] = 0;
        let open = true;
        for (let j = 0; j < n; j++) if (motion.jacobian[row * n + j] !== 0) open = false;
        // It has no reaction, whatever the forces: it does not hold now.
        if (open) continue;
        unit.fill(0);
        unit[n + row] = 1;
        if (!(saddle.solve(unit, moved) <= decide.CLEAR)) return false;
        let sum = 0;
        for (let j = 0; j < n; j++) sum += moved[j] * moved[j];
        for (let c = 0; c < coordinates.length; c++) this.responses[own + c] = moved[coordinates[c]];
        this.lengths[i] = sum > 0 && Number.isFinite(sum) ? Math.sqrt(sum) : 1;
      }
    }
    for (let i = 0; i < k; i++) this.free[i] = motion.unknowns[n + data.rows[i]];
    return true;
  }

  /** Forces at reactions and ways. @param {Float64Array} x */
  forcesAt(x) {
    const { program, data } = this;
    for (let i = 0; i < this.k; i++) program.in[this.reactionsAt + data.rows[i]] = x[i];
    for (let i = 0; i < this.ways.length; i++) program.in[this.waysAt + i] = this.ways[i];
    program.call();
  }

  /** x − c + V f(x); the largest part of an equation that is not met. @param {Float64Array} x */
  measure(x) {
    const { k, data, responses, error, free } = this;
    const count = data.coordinates.length;
    this.forcesAt(x);
    const { out } = this.program;
    let worst = 0;
    for (let i = 0; i < k; i++) {
      let push = 0;
      let size = Math.abs(x[i]) + Math.abs(free[i]);
      for (let c = 0; c < count; c++) {
        const v = responses[i * count + c];
        push += v * out[c];
        size += Math.abs(v * out[c]);
      }
      error[i] = x[i] - free[i] + push;
      const part = size === 0 ? 0 : Math.abs(error[i]) / size;
      worst = Number.isNaN(part) ? Infinity : Math.max(worst, part);
    }
    return worst;
  }

  /** x ← x − slope⁻¹ error, of multipliers that do not depend on how a row is scaled; whether there is such a step. */
  step() {
    const { k, data, responses, solver, lengths, error, x, room, motion } = this;
    const count = data.coordinates.length;
    const { out } = this.program;
    solver.matrix.fill(0);
    for (let i = 0; i < k; i++) solver.matrix[i * k + i] = 1;
    for (let place = 0; place < data.slopes.length; place++) {
      const { 0: c, 1: j } = data.slopes[place];
      const slope = out[2 * count + place];
      for (let i = 0; i < k; i++) solver.matrix[i * k + j] += (responses[i * count + c] * slope * lengths[j]) / lengths[i];
    }
    for (let i = 0; i < k * k; i++) if (!Number.isFinite(solver.matrix[i])) return false;
    solver.factor(motion.decide.SOLVED);
    if (solver.rank < k) return false;
    for (let i = 0; i < k; i++) room[0][i] = error[i] / lengths[i];
    solver.solve(room[0], room[1]);
    for (let i = 0; i < k; i++) x[i] -= room[1][i] * lengths[i];
    return true;
  }

  /** Newton's method without a brake: whether it comes to a solution. */
  newton() {
    const { motion, x } = this;
    const { SOLVED, CANCELLED } = motion.decide;
    let best = Infinity;
    let [last, made] = [Infinity, 0];
    const { kept } = this;
    kept.set(x);
    for (;;) {
      const worst = this.measure(x);
      const over = worst <= SOLVED || (worst >= last && best <= CANCELLED) || made === STEPS;
      last = worst;
      made += 1;
      if (worst < best) {
        best = worst;
        kept.set(x);
      }
      if (over || !Number.isFinite(worst) || !this.step()) break;
    }
    x.set(kept);
    return best <= CANCELLED;
  }

  /** The solution of a contraction. */
  contract() {
    if (this.newton()) return true;
    const { x, error, motion } = this;
    x.set(this.free);
    for (let round = 0; round < 10000; round++) {
      const worst = this.measure(x);
      if (worst <= motion.decide.SOLVED) return true;
      if (!Number.isFinite(worst)) return false;
      for (let i = 0; i < this.k; i++) x[i] -= error[i];
    }
    return this.measure(x) <= motion.decide.CANCELLED;
  }

  /** A bound of the spectral radius of K = Σ |V D| |F|: below one there is exactly one solution. */
  gain() {
    const { k, data, gains, responses } = this;
    const count = data.coordinates.length;
    gains.fill(0);
    for (const friction of this.frictions) {
      const { direction, places, along, pressing, lengths, strength } = friction;
      for (let i = 0; i < k; i++) {
        let push = 0;
        for (let d = 0; d < direction.length; d++) push += responses[i * count + places[d]] * along[d];
        for (let p = 0; p < pressing.length; p++) gains[i * k + pressing[p]] += Math.abs(push) * strength * lengths[p];
      }
    }
    const [y, next] = this.room;
    y.fill(1);
    let bound = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      let [most, largest] = [0, 0];
      for (let i = 0; i < k; i++) {
        next[i] = 0;
        for (let j = 0; j < k; j++) next[i] += gains[i * k + j] * y[j];
        most = Math.max(most, next[i] / y[i]);
        largest = Math.max(largest, next[i]);
      }
      bound = Math.min(bound, most);
      if (bound < 0.5 || largest === 0 || !Number.isFinite(largest)) break;
      for (let i = 0; i < k; i++) y[i] = 0.5 * y[i] + (0.5 * next[i]) / largest + 1e-6;
    }
    return bound;
  }

  /** Solves x = c − V f(x); what is wrong if there is not one solution, in words. */
  solve() {
    const { k, free, x, data } = this;
    if (k === 0) return "";
    if (data.only_friction && this.gain() < 1) {
      x.set(free);
      if (this.contract()) return "";
    }
    this.found = [];
    for (let start = 0; start < this.startCount(); start++) {
      this.goToStart(start);
      if (this.newton() && this.found.every((known) => this.isApart(known))) this.found.push(Float64Array.from(x));
    }
    if (this.found.length !== 1) return `its laws have ${this.found.length || "no"} solution${this.found.length ? "s" : ""} (Painlevé): no motion follows from them`;
    x.set(this.found[0]);
    return "";
  }

  get orthants() {
    return this.k <= MOST_ORTHANTS ? 2 ** this.k : 1 + this.k;
  }

  startCount() {
    const several = !this.data.only_friction && this.k <= MOST_SIZED;
    return 1 + this.orthants * (several ? SIZES.length : 1);
  }

  /** The largest multiplier without the laws, by scale. */
  get largest() {
    return this.free.reduce((most, c, i) => Math.max(most, Math.abs(c) / this.lengths[i]), 0);
  }

  /** x ← c, or a point in one of the orthants. @param {number} start */
  goToStart(start) {
    const { x, free, k, lengths, largest } = this;
    x.set(free);
    if (start === 0) return;
    const [far, which] = [Math.floor((start - 1) / this.orthants), (start - 1) % this.orthants];
    for (let i = 0; i < k; i++) {
      const size = largest === 0 ? lengths[i] : Math.max(Math.abs(free[i]), 1e-3 * largest * lengths[i]);
      const own = free[i] < 0 ? -1 : 1;
      const sign = k <= MOST_ORTHANTS ? 1 - 2 * ((which >> i) & 1) : which === 0 || which === i + 1 ? -own : own;
      x[i] = sign * size * SIZES[far];
    }
  }

  /** @param {Float64Array} known */
  isApart(known) {
    const { x, lengths, largest, motion } = this;
    return x.some((a, i) => Math.abs(a - known[i]) > motion.decide.CLEAR * Math.max(Math.abs(a), Math.abs(known[i]), largest * lengths[i]));
  }

  /** Adds the forces by laws to what is asked of the saddle, which has the free motion solved; what is wrong, in words. @param {boolean} again whether M or A are others @param {Float64Array} asked */
  apply(again, asked) {
    this.look();
    const wrong = this.lookAtWays();
    if (wrong) return wrong;
    if (this.resting) return this.rests(this.resting);
    if (!this.respond(again)) return "reactions that its laws use are not unique";
    return this.solve() || this.add(asked);
  }

  /** Adds the forces at the solution. @param {Float64Array} asked */
  add(asked) {
    this.forcesAt(this.x);
    const { out } = this.program;
    const { coordinates } = this.data;
    for (let c = 0; c < coordinates.length; c++) asked[coordinates[c]] += out[c];
    return "";
  }

  /** Sizes of the terms of forces by laws at the solution. @param {Float64Array} sizes */
  addSizes(sizes) {
    const count = this.data.coordinates.length;
    this.data.coordinates.forEach((j, c) => (sizes[j] += this.program.out[count + c]));
  }

  /** @param {any} slip */
  rests({ of, fastest, size }) {
    const never = !(fastest > this.motion.decide.KNOWN * size[0]);
    return `friction of ${of} ${never ? "is at rest" : "comes to rest"}, and the page does not decide what sticks`;
  }

  /** Decides which way slips go from the state that was looked at; what is not known, in words. @param {any} [vanished] a slip that vanishes there */
  setOut(vanished = null) {
    const { motion } = this;
    const { USED_UP } = motion.decide;
    this.look();
    const resting = [];
    for (const slip of this.slips) {
      const small = Math.abs(this.speed(slip)) <= USED_UP * slip.fastest;
      if (vanished === null || slip === vanished || small) slip.kept = 0;
    }
    const wrong = this.lookAtWays();
    if (wrong) return wrong;
    for (const slip of this.slips) {
      if (!this.isActive(slip) || slip.kept !== 0) continue;
      const speed = Math.abs(this.speed(slip));
      const { KNOWN } = motion.decide;
      const rests = slip === vanished || speed <= KNOWN * (slip.size[0] + slip.fastest) || (vanished !== null && speed <= USED_UP * slip.fastest);
      if (rests) resting.push(slip);
      else if (slip.width === 1) slip.kept = this.ways[slip.at];
    }
    this.resting = null;
    if (!resting.length) return "";
    const [slip] = resting;
    if (resting.length === 1 && slip.width === 1) slip.kept = this.turned(slip);
    if (slip.kept !== 0) return "";
    this.resting = slip;
    return this.rests(slip);
  }

  /**
   * The way that a slip along a line goes from where it vanishes, if that is the only motion: at no force that could hold it does its rate
   * vanish. Zero if it may stick, or that is not clear.
   * @param {any} slip
   */
  turned(slip) {
    const { motion } = this;
    const [coefficient, holding] = slip.given;
    const most = coefficient > 0 ? holding / coefficient : 1;
    /** @type {number[]} */
    const signs = [];
    slip.strength = Math.max(1, most);
    for (let step = 0; step < WAYS; step++) {
      slip.kept = most * ((2 * step) / (WAYS - 1) - 1) || Number.MIN_VALUE;
      if (!motion.accelerate()) break;
      let rate = slip.rest[0];
      let size = Math.abs(rate);
      slip.slope.forEach((j, s) => {
        const part = slip.slopes[s] * motion.accelerations[j];
        rate += part;
        size += Math.abs(part);
      });
      signs.push(Math.abs(rate) > motion.decide.CLEAR * size ? Math.sign(rate) : 0);
    }
    slip.strength = 1;
    slip.kept = 0;
    const only = signs.length === WAYS && signs.every((it) => it === signs[0]);
    return only ? signs[0] : 0;
  }

  /** How far each slip is from vanishing, at the state that was looked at: rises through zero there. */
  watch() {
    this.look();
    const { USED_UP } = this.motion.decide;
    return this.slips.map((slip) => {
      if (!this.isActive(slip)) return -1;
      const speed = this.speed(slip);
      return slip.width === 1 && slip.kept !== 0 ? -slip.kept * speed : USED_UP * slip.fastest - Math.abs(speed);
    });
  }

  /** Begins a leg at a state. @param {number} t @param {Float64Array} y */
  start(t, y) {
    this.motion.set(t, y);
    this.before = this.watch();
  }

  /** The slip that vanishes first in the step that was accepted, and when. @param {import("./integrator.js").Integrator} integrator */
  locate(integrator) {
    const { motion } = this;
    if (!this.slips.length || integrator.t === integrator.tNew) return null;
    const room = new Float64Array(motion.size);
    const all = (t) => {
      integrator.stateAt(motion, t, room);
      motion.set(t, room);
      return this.watch();
    };
    const found = firstRises(integrator, all, this.before);
    if (!found.length) return null;
    const { t, c } = found.reduce((first, it) => (it.t < first.t ? it : first));
    return { t, slip: this.slips[c] };
  }
}
