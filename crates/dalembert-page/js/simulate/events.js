// What happens at an instant: conditions that become true within a step, and what they set off; as `hybrid/` and `events.rs` in Rust have it.
import { Solver } from "./linear.js";
import { firstRises } from "./rises.js";

/** Intervals of events in a row whose factors must agree. */
const AGREE = 6;
const MOST_EVENTS = 100000;
/** Halves of a stretch of time in which something ceases to be a number. */
const HALVES = 60;

/** Conditions and events of a run. */
export class Events {
  /** @param {import("./motion.js").Motion} motion */
  constructor(motion) {
    const { events } = motion.data;
    this.motion = motion;
    this.conditions = events.conditions;
    this.events = events.events;
    this.atZero = events.at_zero;
    this.program = motion.programs.comparisons;
    const count = this.conditions.length;
    /** The value of each condition at the last check. */
    this.before = new Array(count).fill(NaN);
    this.slack = new Array(this.atZero.length).fill(0);
    this.fired = new Array(count).fill(false);
    this.watched = new Array(count).fill(true);
    /** @type {number[]} conditions that become true first in the last step */
    this.found = [];
    /** @type {{t: number, what: string}[]} */
    this.happened = [];
    this.sequences = this.events.map(() => ({ last: NaN, interval: NaN, factor: 0, agree: 0 }));
    this.room = new Float64Array(motion.size);
    this.isKnown = false;
    /** What is no number in the last step from a time on. @type {{t: number, what: string} | null} */
    this.undefined = null;
  }

  get none() {
    return this.conditions.length === 0;
  }

  /** Comparisons and what rounding leaves of them, at a state. @param {number} t @param {Float64Array} y */
  look(t, y) {
    const { motion, program } = this;
    this.fill(program, t, y);
    program.call();
    const count = this.atZero.length;
    const rounding = motion.rows > 0 ? motion.decide.SOLVED : 0;
    return { values: Array.from(program.out.subarray(0, count)), rounding: Array.from(program.out.subarray(count), (size) => rounding * size) };
  }

  /** @param {any} program @param {number} t @param {Float64Array} y */
  fill(program, t, y) {
    const { motion } = this;
    const { n } = motion;
    program.in.set(y.subarray(0, n), 0);
    if (motion.data.has_speeds) motion.set(t, y);
    else motion.takeRates(y);
    program.in.set(motion.rates, n);
    program.in[2 * n] = t;
    program.in.set(motion.parameters, 2 * n + 1);
  }

  /** The number of a condition, by those of its comparisons. @param {any[]} parts @param {(k: number) => number} value */
  value(parts, value) {
    /** @type {number[]} */
    const open = [];
    for (const part of parts) {
      if (typeof part === "number") {
        open.push(value(part));
        continue;
      }
      const b = /** @type {number} */ (open.pop());
      const a = /** @type {number} */ (open.pop());
      const decides = (it) => (part === "and" ? it < 0 : it >= 0);
      if (Number.isNaN(a) !== Number.isNaN(b)) {
        const known = Number.isNaN(a) ? b : a;
        open.push(decides(known) ? known : NaN);
      } else open.push(part === "and" ? Math.min(a, b) : Math.max(a, b));
    }
    return open[0];
  }

  /** Which conditions are true at a state. @param {number} t @param {Float64Array} y */
  areTrue(t, y) {
    const { values, rounding } = this.look(t, y);
    const holds = (k) => (Number.isNaN(values[k]) ? NaN : values[k] > rounding[k] || (this.atZero[k] && values[k] >= -rounding[k]) ? 1 : -1);
    return this.conditions.map((parts) => this.value(parts, holds) > 0);
  }

  /** Takes notice of a state at which a run goes on. @param {number} t @param {Float64Array} y */
  know(t, y) {
    const { values, rounding } = this.look(t, y);
    const isZero = (k) => Math.abs(values[k]) <= rounding[k];
    const holds = this.atZero.slice();
    this.conditions.forEach((parts, c) => {
      if (this.fired[c]) parts.forEach((k) => typeof k === "number" && (holds[k] = true));
    });
    this.slack = this.slack.map((slack, k) => {
      holds[k] = holds[k] || slack > 0;
      return isZero(k) ? (holds[k] ? rounding[k] : -rounding[k]) : 0;
    });
    this.conditions.forEach((parts, c) => {
      const value = this.value(parts, (k) => (isZero(k) ? (holds[k] ? Math.max(values[k], 0) : Math.min(values[k], -2.3e-308)) : values[k]));
      this.before[c] = this.fired[c] ? Math.max(value, 0) : value;
    });
    this.isKnown = true;
  }

  /** Begins a leg. @param {number} t @param {Float64Array} y */
  start(t, y) {
    if (this.isKnown || this.none) {
      this.isKnown = false;
      return;
    }
    const { values } = this.look(t, y);
    this.conditions.forEach((parts, c) => (this.before[c] = this.value(parts, (k) => this.departed(values, k))));
  }

  /** The number of a comparison: what is zero is yet to depart from there where the comparison is not true of zero. @param {number[]} values @param {number} k */
  departed(values, k) {
    const value = values[k] + this.slack[k];
    return value === 0 && !this.atZero[k] ? -2.3e-308 : value;
  }

  /** When conditions become true first in the step that was accepted; null if none does. @param {import("./integrator.js").Integrator} integrator @returns {number | null} */
  locate(integrator) {
    const { motion, room } = this;
    const [start, end] = [integrator.t, integrator.tNew];
    this.undefined = null;
    if (this.none || start === end) return null;
    let [none, last] = [-1, Infinity];
    const all = (t) => {
      integrator.stateAt(motion, t, room);
      const { values } = this.look(t, room);
      return this.conditions.map((parts, c) => {
        const value = this.watched[c] ? this.value(parts, (k) => this.departed(values, k)) : -1;
        if (Number.isNaN(value) && t < last) [none, last] = [c, t];
        return value;
      });
    };
    const times = firstRises(integrator, all, this.before);
    const first = times.reduce((least, it) => Math.min(least, it.t), Infinity);
    if (none >= 0 && last <= first) {
      const c = none;
      let [before, after] = [start, last];
      for (let k = 0; k < HALVES; k++) {
        const middle = (before + after) / 2;
        if (Number.isNaN(all(middle)[c])) after = middle;
        else before = middle;
      }
      this.undefined = { t: before, what: `the condition ${this.events[c] ? `of ${this.events[c].name}` : "that ends the run"}` };
    }
    if (!times.length) return null;
    this.found = [...new Set(times.filter((it) => it.t <= first + motion.decide.ROUNDING * Math.abs(first)).map((it) => it.c))].sort((p, q) => p - q);
    return first;
  }

  /** Conditions of events that would do something, and that which ends the run. */
  acting() {
    const { active } = this.motion;
    return this.conditions.map((_, c) => {
      const event = this.events[c];
      if (!event) return true;
      return event.stop || event.set.length > 0 || event.impulse.length > 0 || event.struck.length > 0 || event.engage.some((it) => !active.get(it)) || event.release.some((it) => active.get(it));
    });
  }

  /** Lets happen what is true at the start, or has become true where a leg ended; "" if the run goes on, else why it ends. @param {number} t @param {Float64Array} y @param {boolean} atStart @param {number} span @returns {{end: string, wrong: string, left?: number}} */
  happen(t, y, atStart, span) {
    if (this.none) return { end: "", wrong: "" };
    this.fired.fill(false);
    const before = atStart ? this.conditions.map(() => false) : this.areTrue(t, y);
    const found = atStart ? [] : this.found;
    found.forEach((c) => (before[c] = false));
    for (const c of found) {
      if (this.fired[c] || !this.acting()[c]) continue;
      const done = this.fire(t, y, c, span);
      if (done.end || done.wrong) return done;
    }
    for (;;) {
      const now = this.areTrue(t, y);
      this.watched = this.acting();
      const c = now.findIndex((it, k) => it && !before[k] && this.watched[k] && !this.fired[k]);
      if (c < 0) break;
      const done = this.fire(t, y, c, span);
      if (done.end || done.wrong) return done;
    }
    this.know(t, y);
    return { end: "", wrong: "" };
  }

  /** Does what a condition sets off. @param {number} t @param {Float64Array} y @param {number} c @param {number} span @returns {{end: string, wrong: string, left?: number}} */
  fire(t, y, c, span) {
    this.fired[c] = true;
    const event = this.events[c];
    if (!event) return { end: "until", wrong: "" };
    if (this.happened.length > MOST_EVENTS) return { end: "", wrong: `too many events at t = ${t}` };
    const wrong = this.act(t, y, c, 1);
    if (wrong) return { end: "", wrong: `${event.name}: ${wrong}` };
    this.happened.push({ t, what: event.engage.length || event.impulse.length || event.struck.length ? `${event.name}: impact` : event.name });
    const left = this.sequence(c, t, span);
    if (left !== null) {
      if (event.struck.length) {
        this.act(t, y, c, 0);
        this.happened.push({ t: t + left, what: `${event.name}: rest` });
      }
      return { end: "rest", wrong: "", left };
    }
    return { end: event.stop ? "event" : "", wrong: "" };
  }

  /** Adds an event that happened; the time until the last, where they follow each other ever faster and are over. @param {number} c @param {number} t @param {number} span */
  sequence(c, t, span) {
    const it = this.sequences[c];
    const { COARSE, CANCELLED } = this.motion.decide;
    const [interval, before] = [t - it.last, it.interval];
    [it.last, it.interval] = [t, interval];
    if (Number.isNaN(interval) || Number.isNaN(before)) return null;
    const factor = interval / before;
    const alike = Math.abs(factor - it.factor) <= COARSE * factor && factor < 1 - COARSE;
    it.agree = alike ? it.agree + 1 : 0;
    it.factor = factor;
    const left = (interval * factor) / (1 - factor);
    return it.agree >= AGREE && left <= CANCELLED * span ? left : null;
  }

  /** Does it all, with a part of the restitution; what is wrong with it, if something is. @param {number} t @param {Float64Array} y @param {number} c @param {number} part */
  act(t, y, c, part) {
    const { motion } = this;
    const { n, data, decide } = motion;
    const event = this.events[c];
    const program = motion.programs[`event${c}`];
    const evaluate = () => {
      this.fill(program, t, y);
      program.call();
      return Array.from(program.out);
    };
    const energy = () => {
      motion.set(t, y);
      return motion.energies[0] + motion.energies[1];
    };
    let values = evaluate();
    if (!values.every(Number.isFinite)) return "its values are no numbers";
    if (event.set.length) {
      const before = energy();
      const rates = Float64Array.from(motion.rates);
      const speeds = [];
      event.set.forEach(([kind, i], k) => {
        if (kind === "q") y[i] = values[k];
        else if (kind === "r") rates[i] = values[k];
        else speeds.push([i, values[k]]);
      });
      motion.look(t, y.subarray(0, n), rates);
      motion.rates.set(rates);
      motion.speedsInto(y);
      speeds.forEach(([i, value]) => (y[n + i] = value));
      if (!motion.meets(t, y, true)) return "what it sets does not meet the constraints";
      y[2 * n] += energy() - before;
    }
    event.release.forEach((it) => motion.active.set(it, false));
    event.engage.forEach((it) => motion.active.set(it, true));
    motion.setMasks();
    if (event.engage.length && !motion.meets(t, y, false)) return "what it engages is not met by the positions";
    if (!event.engage.length && !event.impulse.length && !event.struck.length) return "";
    if (event.set.length) values = evaluate();
    let at = event.set.length;
    const given = new Float64Array(n);
    event.impulse.forEach((i, k) => (given[i] += values[at + k]));
    at += event.impulse.length;
    const restitution = event.restitution ? part * values[at++] : 0;
    if (!(restitution >= 0 && restitution <= 1)) return `its restitution is ${restitution}`;
    motion.set(t, y);
    const list = data.velocity_rows;
    const size = n + list.length + event.struck.length;
    const solver = new Solver(size);
    const [asked, found] = [new Float64Array(size), new Float64Array(size)];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) solver.matrix[i * size + j] = motion.mass[i * n + j];
      asked[i] = given[i];
    }
    const row = (k, entry, wanted) => {
      for (let j = 0; j < n; j++) {
        solver.matrix[(n + k) * size + j] = entry(j);
        solver.matrix[j * size + n + k] = -entry(j);
      }
      asked[n + k] = wanted;
    };
    list.forEach((r, k) => row(k, (j) => motion.jacobian[r * n + j], -motion.velocities[k]));
    event.struck.forEach((columns, k) => {
      const gradient = new Float64Array(n);
      columns.forEach((j, m) => (gradient[j] = values[at + 1 + m]));
      row(list.length + k, (j) => gradient[j], -(1 + restitution) * values[at]);
      at += 1 + columns.length;
    });
    solver.factor(decide.RANK);
    if (!(solver.solve(asked, found) < decide.CLEAR)) return "its blow cannot be found";
    const before = energy();
    for (let i = 0; i < n; i++) motion.rates[i] += found[i];
    motion.look(t, y.subarray(0, n), motion.rates);
    motion.speedsInto(y);
    y[2 * n] += energy() - before;
    return "";
  }
}
