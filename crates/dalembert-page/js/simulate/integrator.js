// DOP853 as dalembert has it (crates/dalembert-ode): the same stages, error norm, controller, projection after each accepted step and dense
// output. Coefficients and constants are written into the page by Rust.

/**
 * @typedef {{
 *   size: number,
 *   derivative: (t: number, y: Float64Array, dy: Float64Array) => boolean,
 *   project: (t: number, y: Float64Array) => (boolean | null),
 *   rounding: (t: number, h: number, y: Float64Array, out: Float64Array) => void,
 * }} System  derivative: whether there is one; project: whether it moved, or null if it failed
 */

/** A row of weights, flat. @param {number[][]} row */
function flat(row) {
  return { stages: Int32Array.from(row, (it) => it[0]), weights: Float64Array.from(row, (it) => it[1]), length: row.length };
}

const EPSILON = Number.EPSILON;

/** The integrator of one state. */
export class Integrator {
  /** @param {number} size @param {any} data what Rust has written: method, decide, rtol, max_step, max_steps @param {{group: Int32Array, part: Int32Array, unit: Float64Array, share: Float64Array, groups: number}} measures of all values but the last */
  constructor(size, data, measures) {
    const { method } = data;
    this.size = size;
    this.decide = data.decide;
    this.control = method.control;
    this.nodes = method.nodes;
    this.stages = method.stages.map(flat);
    this.weights = flat(method.weights);
    this.estimates = method.estimates.map(flat);
    this.extraNodes = method.extra_nodes;
    this.extraStages = method.extra_stages.map(flat);
    this.denseRows = method.dense.map(flat);
    this.last = this.stages.length;
    this.rtol = data.rtol;
    /** @type {number | null} none where errors are measured by the motion */
    this.atol = data.atol;
    this.maxStep = data.max_step === null ? Infinity : data.max_step;
    this.maxSteps = data.max_steps;
    this.measures = measures;
    const room = () => new Float64Array(size);
    this.y = room();
    this.end = room();
    this.stage = room();
    this.scales = room();
    this.remembered = room();
    this.rounded = room();
    this.largest = room();
    this.sample = room();
    /** The step under way: where it begins, where it ends, its length. */
    this.t = 0;
    this.tNew = 0;
    this.h = 0;
    this.span = 0;
    this.lastError = 0;
    this.denseBuilt = false;
    /** Whether the step before was as short as the time allows. */
    this.crossed = false;
    this.groups = new Float64Array(measures.groups);
    /** Derivatives at the stages. */
    this.k = Array.from({ length: this.last + 1 + this.extraStages.length }, room);
    this.dense = Array.from({ length: 3 + this.denseRows.length }, room);
    this.alpha = 1 / this.control.order - 0.75 * this.control.beta;
    this.steps = 0;
    this.rejected = 0;
    this.evaluations = 0;
  }

  /** out = y + h Σ a k, in the order of the row. @param {Float64Array} out @param {number} h @param {any} row */
  advance(out, h, row) {
    const { y, size } = this;
    this.sum(out, row);
    for (let i = 0; i < size; i++) out[i] = y[i] + h * out[i];
  }

  /** out = Σ a k. @param {Float64Array} out @param {any} row */
  sum(out, row) {
    const { k, size } = this;
    const { stages, weights, length } = row;
    const [first, w0] = [k[stages[0]], weights[0]];
    for (let i = 0; i < size; i++) out[i] = w0 * first[i];
    for (let s = 1; s < length; s++) {
      const [ks, w] = [k[stages[s]], weights[s]];
      for (let i = 0; i < size; i++) out[i] += w * ks[i];
    }
  }

  /** One over the error that each value may have. @param {Float64Array} largest @param {Float64Array} y @param {number} h @param {Float64Array} k */
  measure(largest, y, h, k) {
    const { scales, groups, rtol, size, decide } = this;
    const { group, part, unit, share } = this.measures;
    if (this.atol !== null) {
      for (let i = 0; i < size - 1; i++) scales[i] = 1 / (this.atol + rtol * Math.max(Math.abs(h === 0 ? y[i] : this.y[i]), Math.abs(y[i])));
      scales[size - 1] = 0;
      return;
    }
    groups.fill(0);
    for (let i = 0; i < size - 1; i++) {
      const value = Math.max(largest[i], Math.abs(y[i]));
      scales[i] = value;
      groups[group[i]] = Math.max(groups[group[i]], value / unit[i]);
      groups[part[i]] = Math.max(groups[part[i]], value / share[i]);
    }
    for (let i = 0; i < size - 1; i++) {
      const ofGroup = decide.COARSE * unit[i] * groups[group[i]];
      const ofPart = (decide.SOLVED / rtol) * share[i] * groups[part[i]];
      const own = Math.max(scales[i], Math.abs(h * k[i]));
      const scale = Math.max(own, ofGroup, ofPart);
      scales[i] = Math.min(1 / (rtol * scale), Number.MAX_VALUE);
    }
    // The work only reports.
    scales[size - 1] = 0;
  }

  /** Norm of a vector in units of the tolerance. @param {Float64Array} e */
  square(e) {
    const { scales, size } = this;
    let sum = 0;
    for (let i = 0; i < size; i++) {
      const scaled = e[i] * scales[i];
      sum += scaled * scaled;
    }
    return sum;
  }

  /** The estimated error of the step under way. @param {number} h */
  error(h) {
    const fifth = this.estimated(this.estimates[0], h);
    const third = this.estimated(this.estimates[1], h);
    let below = fifth + 0.01 * third;
    if (!(below > 0 || Number.isNaN(below))) below = 1;
    return fifth / Math.sqrt(this.size * below);
  }

  /** @param {any} row @param {number} h */
  estimated(row, h) {
    const { stage, size } = this;
    this.sum(stage, row);
    for (let i = 0; i < size; i++) stage[i] *= h;
    return this.square(stage);
  }

  /** The estimated error of one value. @param {number} i */
  errorOf(i) {
    const along = this.estimates.map((row) => {
      let sum = 0;
      for (let s = 0; s < row.length; s++) sum += row.weights[s] * this.k[row.stages[s]][i];
      return this.h * sum;
    });
    const both = Math.hypot(along[0], 0.1 * along[1]);
    return both > 0 ? (along[0] * along[0]) / both : 0;
  }

  /** @param {System} system @param {number} t @param {Float64Array} y @param {Float64Array} dy */
  evaluate(system, t, y, dy) {
    this.evaluations += 1;
    return system.derivative(t, y, dy);
  }

  /** @param {Float64Array} values */
  static finite(values) {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[i] * 0;
    return sum === 0;
  }

  /**
   * From y0 at t0 to a time; `observe` is called at the start and after each accepted step, and ends the run by giving true.
   * @param {System} system @param {number} t0 @param {number} end @param {Float64Array} y0 @param {() => boolean} observe
   * @param {number | null} [firstStep] @returns {{failure: string | null, t: number, next: number}}
   */
  run(system, t0, end, y0, observe, firstStep = null) {
    const { last, control } = this;
    [this.t, this.tNew, this.h] = [t0, t0, 0];
    this.span = Math.abs(end - t0);
    /** @type {string | null} */
    let rejectedFor = null;
    /** @type {number | null} */
    let rejectedAt = null;
    let spread = 0;
    /** @type {number | null} */
    let jumpedAt = null;
    let crosses = false;
    /** @type {[number, number] | null} */
    let displaced = null;
    let before = control.smallest_remembered;
    this.y.set(y0);
    this.end.set(y0);
    for (const k of this.k) k.fill(0);
    this.remember();
    if (!this.evaluate(system, t0, this.end, this.k[last])) return { failure: "the derivative is not defined", t: t0, next: 0 };
    if (!(Integrator.finite(this.k[last]) && Integrator.finite(y0))) return { failure: "the state or its derivative is not finite", t: t0, next: 0 };
    let proposal = firstStep === null ? this.firstStep(system) : firstStep;
    const tried = () => this.steps + this.rejected - begun;
    const begun = this.steps + this.rejected;
    for (;;) {
      this.denseBuilt = false;
      const over = observe();
      this.commit();
      if (over || this.t - end === 0) return { failure: null, t: this.t, next: proposal };
      let accepted = false;
      while (!accepted) {
        if (tried() >= this.maxSteps) return { failure: `the limit of ${this.maxSteps} steps is reached`, t: this.t, next: proposal };
        const size = Math.min(proposal, this.maxStep);
        const left = end - this.t;
        const smallest = this.smallestStep(this.t);
        crosses = false;
        if (size * control.stretch_to_end >= Math.abs(left)) [this.h, this.tNew] = [left, end];
        else {
          const tooSmall = !(size >= smallest);
          const byError = rejectedFor === null || rejectedFor === "error";
          const mayJump = byError && (jumpedAt === null || this.decide.COARSE * Math.abs(this.t - jumpedAt) > smallest);
          if (tooSmall && (this.crossed || !mayJump)) {
            const words = { state: "the state or its derivative is not finite", derivative: "the derivative is not defined", projection: "the constraints cannot be met", displaced: "the state would have to jump to stay on its constraints" };
            return { failure: words[rejectedFor || ""] || "the tolerance needs a step too small to advance the time", t: this.t, next: proposal };
          }
          crosses = tooSmall;
          this.h = tooSmall ? smallest : size;
          this.tNew = this.t + this.h;
        }
        this.crossed = crosses;
        const why = this.attempt(system);
        let error = this.lastError;
        /** @type {string | null} */
        let reason = why;
        if (why === null && error > 1) {
          const jump = crosses && rejectedAt !== null && this.h < this.decide.CLEAR * rejectedAt && this.spread() <= this.decide.SAME_JUMP * spread;
          if (!jump) {
            if (rejectedAt === null) {
              rejectedAt = this.h;
              this.remembered.set(this.scales);
              spread = this.spread();
            } else if (this.h > this.decide.COARSE * rejectedAt) spread = Math.max(spread, this.spread());
            reason = "error";
          }
        }
        if (reason === null) reason = this.projectEnd(system, crosses);
        if (reason === null) {
          if (!this.evaluate(system, this.tNew, this.end, this.k[last])) reason = "derivative";
          else if (!Integrator.finite(this.k[last])) reason = "state";
        }
        if (reason !== null) {
          this.rejected += 1;
          proposal = this.h * (reason === "error" ? this.afterRejected(error) : control.after_failure);
          rejectedFor = reason;
          if (reason === "displaced") {
            displaced = displaced || [this.h, 0];
            displaced[1] += 1;
            if (displaced[1] > control.most_displaced) return { failure: "the state would have to jump to stay on its constraints", t: this.t, next: proposal };
          }
          continue;
        }
        accepted = true;
        this.steps += 1;
        proposal = this.h * this.afterAccepted(error, before, rejectedFor !== null);
        before = error;
        rejectedFor = null;
        if (displaced !== null && this.h >= displaced[0]) displaced = null;
        if (rejectedAt !== null && this.h >= rejectedAt) rejectedAt = null;
        if (crosses && !(error <= 1)) {
          [rejectedAt, jumpedAt, before] = [null, this.tNew, control.smallest_remembered];
          proposal = this.h * control.grow;
        }
        this.crossed = false;
      }
    }
  }

  /** Tries a step; why it cannot be judged, if it cannot. @param {System} system @returns {string | null} */
  attempt(system) {
    const { last, nodes, stages, k, stage, t, h } = this;
    let failed = false;
    for (let i = 1; i < last; i++) {
      this.advance(stage, h, stages[i]);
      if (!this.evaluate(system, t + nodes[i] * h, stage, k[i])) failed = true;
    }
    this.advance(this.end, h, this.weights);
    this.measure(this.largest, this.end, h, k[0]);
    this.rounded.fill(0);
    this.lastError = this.error(h);
    if (this.lastError > 1 && this.atol === null) {
      this.allowRounding(system);
      this.lastError = this.error(h);
    }
    if (failed) return "derivative";
    if (!Integrator.finite(this.end)) return "state";
    if (!Number.isFinite(this.lastError)) {
      if (k.slice(0, last).some((values) => !Integrator.finite(values))) return "state";
      this.lastError = Number.MAX_VALUE;
    }
    return null;
  }

  /** Allows each value the error that rounding may leave in it. @param {System} system */
  allowRounding(system) {
    system.rounding(this.t, this.h, this.y, this.rounded);
    for (let i = 0; i < this.size; i++) this.scales[i] = Math.min(this.scales[i], 1 / this.rounded[i]);
  }

  /** Moves the end of the step to the constraints; why it cannot stay, if it cannot. @param {System} system @param {boolean} crosses @returns {string | null} */
  projectEnd(system, crosses) {
    this.stage.set(this.end);
    const moved = system.project(this.tNew, this.end);
    if (moved === null) return "projection";
    if (!moved) return null;
    const jumps = () => {
      const [by, step] = this.displacement();
      return by > this.decide.SINGLE || (by > this.decide.COARSE && by > this.decide.MOST_OF_STEP * step);
    };
    if (!jumps()) return null;
    if (this.atol === null) this.allowRounding(system);
    return jumps() && !crosses ? "displaced" : null;
  }

  /** What a projection moved the end by, and what the step moves by, in units of the tolerance. */
  displacement() {
    const { size, end, stage, y, scales, rounded } = this;
    let [by, step] = [0, 0];
    for (let i = 0; i < size; i++) {
      if (Math.abs(end[i] - stage[i]) > rounded[i]) by += ((end[i] - stage[i]) * scales[i]) ** 2;
      step += ((stage[i] - y[i]) * scales[i]) ** 2;
    }
    return [Math.sqrt(by / size), Math.sqrt(step / size)];
  }

  /** How much the derivatives at the stages differ from the first. */
  spread() {
    let most = 0;
    for (let i = 0; i < this.size; i++) {
      let widest = 0;
      for (let s = 1; s < this.last; s++) widest = Math.max(widest, Math.abs(this.k[s][i] - this.k[0][i]));
      most = Math.max(most, widest * this.remembered[i]);
    }
    return most;
  }

  remember() {
    for (let i = 0; i < this.size; i++) this.largest[i] = Math.max(this.largest[i], Math.abs(this.y[i]));
  }

  commit() {
    this.y.set(this.end);
    this.remember();
    this.k[0].set(this.k[this.last]);
    this.t = this.tNew;
  }

  /** @param {number} t */
  smallestStep(t) {
    return this.decide.SMALLEST_STEP_IN_ULPS * EPSILON * Math.max(Math.abs(t), EPSILON * this.span);
  }

  /** @param {number} error @param {number} before @param {boolean} rejected */
  afterAccepted(error, before, rejected) {
    const c = this.control;
    const memory = Math.max(before, c.smallest_remembered) ** c.beta;
    const factor = c.safety * error ** -this.alpha * memory;
    return Math.min(Math.max(factor, c.shrink), rejected ? 1 : c.grow);
  }

  /** @param {number} error */
  afterRejected(error) {
    const c = this.control;
    return Math.min(Math.max(c.safety * error ** -this.alpha, c.shrink), 1);
  }

  /** The first step, from the sizes of y and f, and from the change of f over a small Euler step. @param {System} system */
  firstStep(system) {
    const { size, last, k, end, stage, scales, decide, control } = this;
    const limit = Math.min(this.span, this.maxStep);
    this.measure(end, end, 0, k[0]);
    for (let i = 0; i < size; i++) if (scales[i] >= Number.MAX_VALUE) scales[i] = 0;
    const norm = (values) => Math.sqrt(this.square(values) / size);
    const [y, f] = [norm(end), norm(k[last])];
    const trial = Math.min(y <= decide.NO_SIZE || f <= 0 ? 1e-6 * limit : (0.01 * y) / f, limit);
    for (let i = 0; i < size; i++) stage[i] = end[i] + trial * k[last][i];
    const known = this.evaluate(system, this.t + trial, stage, k[0]);
    for (let i = 0; i < size; i++) stage[i] = k[0][i] - k[last][i];
    const slope = (known ? norm(stage) : NaN) / trial;
    let h;
    if (!Number.isFinite(slope)) h = trial * 1e-3;
    else if (y > decide.NO_SIZE) h = (0.02 / y) ** (1 / control.order) / Math.max(f / y, Math.sqrt(slope / y));
    else h = 0.04 / (f + Math.sqrt(f * f + 0.08 * slope));
    return Math.min(Math.max(Math.min(h, 100 * trial), control.smallest_first * limit), limit);
  }

  /** Writes the state at a time of the step that was accepted last. @param {System} system @param {number} t @param {Float64Array} out */
  stateAt(system, t, out) {
    if (t === this.tNew) out.set(this.end);
    else if (t === this.t) out.set(this.y);
    else {
      if (!this.denseBuilt) this.buildDense(system);
      const theta = (t - this.t) / this.h;
      const { size, y, dense } = this;
      for (let i = 0; i < size; i++) {
        let value = 0;
        for (let row = dense.length - 1; row >= 0; row--) value = (dense[row][i] + value) * (row % 2 === 0 ? theta : 1 - theta);
        out[i] = y[i] + value;
      }
    }
  }

  /** @param {System} system */
  buildDense(system) {
    this.denseBuilt = true;
    const { size, last, k, y, end, h, t, dense, stage } = this;
    let failed = false;
    this.extraStages.forEach((row, i) => {
      this.advance(stage, h, row);
      if (!this.evaluate(system, t + this.extraNodes[i] * h, stage, k[last + 1 + i])) failed = true;
    });
    for (let i = 0; i < size; i++) {
      const [first, behind, change] = [h * k[0][i], h * k[last][i], end[i] - y[i]];
      dense[0][i] = change;
      dense[1][i] = first - change;
      dense[2][i] = 2 * change - (first + behind);
    }
    this.denseRows.forEach((row, r) => {
      const out = dense[3 + r];
      this.sum(out, row);
      for (let i = 0; i < size; i++) out[i] *= h;
    });
    if (failed || !dense.slice(3).every(Integrator.finite)) dense.slice(3).forEach((row) => row.fill(0));
  }

  /** Moves a sample to the constraints; where that fails or moves it far, it stays. @param {System} system @param {number} t @param {Float64Array} sample */
  projectSample(system, t, sample) {
    const { size, scales, stage } = this;
    stage.set(sample);
    const moved = system.project(t, sample);
    let sum = 0;
    for (let i = 0; i < size; i++) sum += ((sample[i] - stage[i]) * scales[i]) ** 2;
    if (moved === null || !(Math.sqrt(sum / size) <= this.decide.SINGLE)) sample.set(stage);
  }
}
