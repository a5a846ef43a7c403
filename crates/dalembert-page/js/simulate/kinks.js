// Where forces jump or bend along the motion: a leg ends there, and the next sets out behind, as `kinks.rs` in Rust has it.
import { firstRises } from "./rises.js";

/** A kink that comes before this part of a step is looked for again in shorter ones: what lies before it was hardly seen. */
const EARLY = 0.5;
/** Legs of few steps in a row that end where the same changes its sign: more are no way through but to and fro. */
const MOST_SHORT = 30;
const FEW_STEPS = 3;

/** What changes its sign in forces. */
export class Kinks {
  /** @param {import("./motion.js").Motion} motion */
  constructor(motion) {
    this.motion = motion;
    this.program = motion.programs.kinks;
    this.count = this.program.out.length;
    this.short = new Array(this.count).fill(0);
    this.since = new Array(this.count).fill(0);
    /** @type {number[]} */
    this.before = [];
  }

  /** Each with both signs. @param {number} t @param {Float64Array} y */
  at(t, y) {
    const { motion, program, short } = this;
    const { n } = motion;
    motion.set(t, y);
    for (let i = 0; i < n; i++) {
      program.in[i] = y[i];
      program.in[n + i] = motion.rates[i];
    }
    program.in[2 * n] = t;
    program.in.set(motion.parameters, 2 * n + 1);
    program.call();
    return Array.from(program.out).flatMap((value, k) => (short[k] > MOST_SHORT ? [-1, -1] : [value, -value]));
  }

  /** Begins a leg at a state. @param {number} t @param {Float64Array} y */
  start(t, y) {
    if (this.count) this.before = this.at(t, y);
  }

  /** The first kink in the step that was accepted, and whether it is to be made again up to there. @param {import("./integrator.js").Integrator} integrator @param {number} span */
  locate(integrator, span) {
    const { motion } = this;
    const { t: start, tNew: end } = integrator;
    if (!this.count || start === end) return null;
    const room = new Float64Array(motion.size);
    const all = (t) => {
      integrator.stateAt(motion, t, room);
      return this.at(t, room);
    };
    const found = firstRises(integrator, all, this.before);
    if (!found.length) return null;
    const { t, c } = found.reduce((first, it) => (it.t < first.t ? it : first));
    const nothing = 2 * motion.decide.ROUNDING * Math.max(Math.abs(t), Math.abs(start), span);
    return { t, argument: Math.floor(c / 2), early: t - start < EARLY * (end - start) && t - start > nothing };
  }

  /** Takes notice of a leg that ended at a kink after so many steps; whether the motion is driven back to it from both sides. @param {{t: number, argument: number}} kink @param {number} steps @param {number} span */
  passed({ t, argument }, steps, span) {
    const { short, since, motion } = this;
    short[argument] = steps <= FEW_STEPS ? short[argument] + 1 : 0;
    if (short[argument] <= 1) since[argument] = t;
    return short[argument] > MOST_SHORT && t - since[argument] <= motion.decide.CANCELLED * span;
  }
}
