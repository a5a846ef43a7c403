// A run of the model in the page: from a setting of its sliders to columns, and to where everything is drawn.
import { Rank } from "./linear.js";
import { Events } from "./events.js";
import { Integrator } from "./integrator.js";
import { Kinks } from "./kinks.js";
import { unmoved } from "./inertia.js";
import { Motion } from "./motion.js";
import { timesOf } from "./plan.js";
import { assemble } from "./start.js";
import { Uniqueness } from "./unique.js";

/** Times that a step which is out of balance is made again, half as long. */
const MADE_AGAIN = 4;

/** Energy against work, step by step: as `ledger.rs` keeps it. */
class Ledger {
  /** @param {any} decide @param {number} rtol @param {any} first */
  constructor(decide, rtol, first) {
    this.decide = decide;
    this.rtol = rtol;
    this.first = first;
    this.last = first;
    this.kinetic = Math.abs(first.kinetic);
    this.low = first.potential;
    this.high = first.potential;
    this.exchanged = 0;
    this.workError = 0;
    this.steps = 0;
    this.size = Math.abs(first.kinetic) + Math.abs(first.potential);
    this.integrals = [0, 0, 0];
  }

  copy() {
    return Object.assign(Object.create(Ledger.prototype), this, { integrals: this.integrals.slice() });
  }

  /** Enters a step; whether the ledger closes: "" if so, "step" if that step does not, "run" if the whole does not. @param {any} now @param {number} error @param {() => number} rounded */
  enter(now, error, rounded) {
    const before = this.last;
    const dt = Math.abs(now.t - before.t);
    this.steps += 1;
    this.kinetic = Math.max(this.kinetic, Math.abs(now.kinetic));
    this.low = Math.min(this.low, now.potential);
    this.high = Math.max(this.high, now.potential);
    this.size = Math.max(this.size, Math.abs(now.kinetic) + Math.abs(now.potential));
    this.exchanged += ((before.powers + now.powers) / 2) * dt;
    const elapsed = Math.abs(now.t - this.first.t);
    const potential = (before.potential + now.potential) / 2 - this.first.potential;
    this.integrals[0] += (dt * (Math.abs(before.kinetic) + Math.abs(now.kinetic))) / 2;
    this.integrals[1] += dt * potential;
    this.integrals[2] += dt * Math.abs(potential - this.integrals[1] / elapsed);
    this.workError += Math.abs(error);
    this.last = now;
    const verdict = this.judge(before, now, Math.abs(error));
    if (!verdict) return "";
    const more = rounded();
    this.workError += more;
    return this.judge(before, now, Math.abs(error) + more);
  }

  /** @param {any} before @param {any} now @param {number} error */
  judge(before, now, error) {
    const { decide, rtol } = this;
    const scale = this.kinetic + (this.high - this.low) + this.exchanged;
    const energy = (entry) => entry.kinetic + entry.potential;
    const evaluated = decide.EVALUATED * (this.size + Math.abs(now.work)) + 2.3e-308;
    const step = energy(now) - energy(before) - (now.work - before.work);
    if (!(Math.abs(step) <= (decide.SINGLE * rtol + decide.ADDED_UP) * scale + error + evaluated)) return "step";
    const root = Math.sqrt(Math.max(1, this.steps));
    const tolerated = (decide.WHOLE * rtol + decide.ADDED_UP) * root * scale + evaluated;
    const sizes = (entry) => Math.abs(entry.kinetic) + Math.abs(entry.potential);
    const rounded = decide.EVALUATED * (sizes(this.first) + sizes(now) + Math.abs(now.work));
    const elapsed = Math.abs(this.last.t - this.first.t);
    const usual = Math.max(decide.COARSE, decide.WHOLE * rtol * root) * ((this.integrals[0] + this.integrals[2]) / elapsed + this.exchanged) + rounded + 2.3e-308;
    const by = energy(now) - energy(this.first) - now.work;
    return Math.abs(by) <= Math.min(tolerated, usual) + this.workError ? "" : "run";
  }
}

/** The largest size. @param {Float64Array} values */
function largest(values) {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}

/** Records samples as columns. */
class Recorder {
  /** @param {Motion} motion @param {Uniqueness} unique @param {number} samples */
  constructor(motion, unique, samples) {
    const { data } = motion;
    this.motion = motion;
    this.unique = unique;
    this.columns = data.columns.map(() => new Float64Array(samples));
    this.rows = 0;
    const { values, physical } = motion.programs;
    this.values = values;
    this.physical = physical || null;
    this.kinds = data.columns.map((it) => it[2]);
    this.places = data.columns.map((it) => it[3]);
  }

  /** @param {number} t @param {Float64Array} y */
  add(t, y) {
    const { motion, unique, columns, values, physical } = this;
    const { n, rows } = motion;
    // Accelerations and multipliers.
    const known = this.solve(t, y);
    const inputs = values.in;
    const at = [0, n, 2 * n, 2 * n + 1];
    inputs.set(y.subarray(0, n), at[0]);
    inputs.set(motion.rates, at[1]);
    inputs[at[2]] = t;
    inputs.set(motion.parameters, at[3]);
    const behind = at[3] + motion.parameters.length;
    for (let i = 0; i < n; i++) inputs[behind + i] = known ? motion.accelerations[i] : NaN;
    for (let i = 0; i < rows; i++) inputs[behind + n + i] = known && unique.known[i] ? motion.multipliers[i] : NaN;
    if (motion.laws) inputs.set(motion.laws.ways, behind + n + rows);
    values.call();
    if (physical) {
      physical.in.fill(NaN);
      physical.in.set(inputs);
      physical.call();
    }
    const { kinds, places } = this;
    const out = physical && physical.out;
    for (let c = 0; c < columns.length; c++) {
      const [kind, index] = [kinds[c], places[c]];
      let value = t;
      if (kind === "q") value = y[index];
      else if (kind === "r") value = motion.rates[index];
      else if (kind === "v") value = y[n + index];
      else if (kind === "a") value = known ? motion.accelerations[index] : NaN;
      else if (kind === "x") value = values.out[index];
      else if (kind === "p" && out) value = out[index];
      else if (kind === "e") value = largest(index === 0 ? motion.positions : motion.velocities);
      columns[c][this.rows] = value;
    }
    this.rows += 1;
  }

  /** Rates, accelerations and multipliers at a state; whether there are any. @param {number} t @param {Float64Array} y */
  solve(t, y) {
    const { motion, unique } = this;
    const { n, rows, right, data } = motion;
    if (!motion.set(t, y)) return false;
    unique.goOn();
    const byProgram = () => {
      if (!right || data.has_speeds || !motion.byProgram(t, y)) return false;
      for (let i = 0; i < n; i++) motion.accelerations[i] = right.out[n + i];
      for (let i = 0; i < rows; i++) motion.multipliers[i] = right.out[2 * n + 1 + i];
      return true;
    };
    // A program may leave out rows that depend on others, and what is determined of them.
    if (unique.independent) return byProgram() || motion.accelerate();
    return motion.accelerate() || byProgram();
  }
}

/** Parts of a step in which rows turn over, and part of the pivots at its ends that is left inside where they lose their rank on the way: as in Rust. */
const PARTS_OF_STEP = 6;
const LESS = 0.6;

/** Watches the rank of the rows: where they lose it, several motions branch off, and the page does not choose. */
class Watch {
  /** @param {Motion} motion */
  constructor(motion) {
    this.motion = motion;
    const list = motion.data.velocity_rows;
    this.list = list;
    this.rank = list.length ? new Rank(list.length, motion.n) : null;
    this.usual = 0;
    this.greatest = 0;
    this.sign = 0;
    this.volume = 0;
    this.turned = false;
    /** Least pivots at the last two states. */
    this.least = [Infinity, Infinity];
  }

  /** The least pivot at a state. @param {number} t @param {Float64Array} y @param {boolean} lasting */
  pivot(t, y, lasting) {
    const { motion, rank, list } = this;
    if (!rank) return 1;
    const { n } = motion;
    motion.set(t, y);
    rank.take((i, j) => motion.jacobian[list[i] * n + j], /** @type {Float64Array} */ (motion.units), lasting);
    this.volume = lasting && this.sign !== 0 ? rank.volume(this.usual) : 0;
    const found = rank.eliminate(motion.decide.SINGULAR);
    this.usual = Math.max(this.usual, found);
    return this.usual === 0 ? 1 : rank.pivots[this.usual - 1];
  }

  /** Takes notice of a state; whether rows are too near to losing their rank. @param {number} t @param {Float64Array} y */
  see(t, y) {
    const { rank } = this;
    if (!rank) return false;
    const pivot = this.pivot(t, y, true);
    this.greatest = Math.max(this.greatest, pivot);
    this.turned = this.sign !== 0 && this.volume * this.sign < 0;
    this.sign = Math.sign(rank.volume(this.usual)) || 1;
    this.least = [this.least[1], pivot];
    return pivot < this.motion.decide.COARSE * this.greatest;
  }

  /** Whether rows that turned over in the step that was accepted may have lost their rank on its way: not where they turn about in a long step. @param {Integrator} integrator */
  leapt(integrator) {
    const { motion, least } = this;
    const { t, tNew } = integrator;
    const room = new Float64Array(motion.size);
    let inside = Infinity;
    for (let k = 1; k < PARTS_OF_STEP; k++) {
      const time = t + ((tNew - t) * k) / PARTS_OF_STEP;
      integrator.stateAt(motion, time, room);
      inside = Math.min(inside, this.pivot(time, room, false));
    }
    this.pivot(tNew, integrator.end, false);
    return inside < LESS * Math.min(...least);
  }
}

/**
 * Runs a model.
 * @param {import("./programs.js").Programs} programs @param {any} data @param {{parameters: Record<number, number>, start: Record<number, number>}} setting
 * @returns {any}
 */
export function simulate(programs, data, setting) {
  const began = performance.now();
  const motion = new Motion(programs, data);
  const values = data.parameters.slice();
  for (const [index, value] of Object.entries(setting.parameters)) values[index] = value;
  if (!motion.setParameters(values)) return { refused: "a parameter is no number" };
  const { plan } = motion;
  const { span, samples } = plan;
  const unmet = plan.wrong || motion.unmetNeed();
  if (unmet) return { refused: unmet };
  const changed = new Map(Object.entries(setting.start).map(([k, value]) => [Number(k), value]));
  const start = assemble(motion, changed);
  if ("refused" in start) return start;
  const { n, size } = motion;
  const y0 = new Float64Array(size);
  y0.set(start.q);
  motion.rates.set(start.rates);
  motion.look(start.t, start.q, start.rates);
  const still = unmoved(motion);
  if (still) return { refused: still };
  motion.speedsInto(y0);
  motion.findUnits();
  const { units, speedUnits } = motion;
  const all = [...units, ...speedUnits];
  const measures = {
    group: Int32Array.from(data.measures, (it) => it[0]),
    part: Int32Array.from(data.measures, (it) => it[1]),
    unit: Float64Array.from(data.measures, (it, i) => (it[2] ? 1 : all[i])),
    share: Float64Array.from(all),
    groups: data.measures.reduce((most, it) => Math.max(most, it[0] + 1, it[1] + 1), 1),
  };
  const integrator = new Integrator(size, { ...data, ...plan }, measures);
  const [t0, end] = [start.t, start.t + span];
  const times = timesOf(plan);
  const unique = new Uniqueness(motion);
  // Programs were made for rows of this rank.
  if (unique.begin() !== data.rank) motion.withoutPrograms();
  const recorder = new Recorder(motion, unique, samples);
  const watch = new Watch(motion);
  const entry = (t, y, power) => {
    if (motion.way) {
      const { way } = motion;
      for (let i = 0; i < 2 * n; i++) way.in[i] = y[i];
      way.in[2 * n] = t;
      way.call();
      const [kinetic, potential, sum, powers] = way.out.subarray(data.way.energies, data.way.energies + 4);
      return { t, kinetic, potential, work: y[2 * n], powers: powers + Math.abs(power - sum) };
    }
    motion.set(t, y);
    const [kinetic, potential, sum, powers] = motion.energies;
    return { t, kinetic, potential, work: y[2 * n], powers: powers + Math.abs(power - sum) };
  };
  const { laws } = motion;
  if (laws) {
    motion.set(t0, y0);
    const wrong = laws.setOut();
    if (wrong) return { refused: wrong, undecided: laws.resting !== null };
  }
  const events = new Events(motion);
  const kinks = new Kinks(motion);
  const lengths = [0, 0];
  let outcome = "";
  let ends = NaN;
  let ledger = new Ledger(data.decide, plan.rtol, entry(t0, y0, 0));
  let next = 0;
  let stopped = "";
  /** @type {number | null} */
  let early = null;
  let again = 0;
  let happens = false;
  /** A slip that vanishes where a leg ends. @type {any} */
  let vanished = null;
  let undecided = false;
  /** Where forces bend, if a leg ends there. @type {{t: number, argument: number, early: boolean} | null} */
  let kink = null;
  /** Gives up the step that was accepted: it is made again, up to a time. @param {number} until */
  const remake = (until) => {
    early = until;
    integrator.end.set(integrator.y);
    integrator.tNew = integrator.t;
    integrator.k[integrator.last].set(integrator.k[0]);
    return true;
  };
  const observe = () => {
    const { t, tNew } = integrator;
    kink = kinks.locate(integrator, span);
    if (kink?.early) return remake(kink.t);
    if (tNew > t) {
      const before = ledger.copy();
      const power = integrator.k[integrator.last][2 * n];
      const rounded = () => {
        motion.rounding(tNew, integrator.h, integrator.end, new Float64Array(size));
        const root = motion.rootOfRounding;
        return root * (Math.sqrt(2 * Math.abs(ledger.last.kinetic)) + root) + motion.workOfRounding;
      };
      const verdict = ledger.enter(entry(tNew, integrator.end, power), integrator.errorOf(2 * n), rounded);
      if (verdict === "step" && again < MADE_AGAIN) {
        again += 1;
        ledger = before;
        return remake(t + integrator.h / 2);
      }
      again = 0;
      if (verdict) {
        stopped = `energy and work are out of balance after t = ${t.toPrecision(5)}`;
        integrator.end.set(integrator.y);
        integrator.tNew = t;
        return true;
      }
    }
    if (watch.see(tNew, integrator.end) || (watch.turned && watch.leapt(integrator))) {
      stopped = `its rows come close to losing their rank at t = ${tNew.toPrecision(5)}, where several motions branch off: the page does not go through such places`;
    }
    let end = tNew;
    if (!stopped) {
      const turn = laws && laws.locate(integrator);
      const event = events.locate(integrator);
      const [bends, turns] = [kink ? kink.t : Infinity, turn ? turn.t : Infinity];
      happens = event !== null && event <= Math.min(bends, turns);
      vanished = !happens && turn && turns < bends ? turn.slip : null;
      if (happens || vanished) kink = null;
      const { undefined: none } = events;
      if (none && none.t <= Math.min(bends, turns, event ?? Infinity)) {
        stopped = `${none.what} is no number after t = ${none.t.toPrecision(5)}`;
        end = none.t;
        [happens, vanished, kink] = [false, null, null];
      }
      const first = happens ? event : vanished ? turns : kink ? bends : null;
      if (first !== null) {
        integrator.stateAt(motion, first, integrator.sample);
        integrator.projectSample(motion, first, integrator.sample);
        end = first;
      }
    }
    const last = happens || vanished || kink ? Float64Array.from(integrator.sample) : null;
    while (next < times.length && times[next] <= end) {
      const time = times[next];
      integrator.stateAt(motion, time, integrator.sample);
      if (time !== t && time !== tNew) integrator.projectSample(motion, time, integrator.sample);
      recorder.add(time, integrator.sample);
      next += 1;
    }
    if (last) {
      integrator.end.set(last);
      integrator.tNew = end;
      return true;
    }
    return stopped !== "";
  };
  /** @type {any} */
  let report = null;
  let [t, y] = [t0, y0];
  /** Decides which way slips go on from a state where one vanishes, or velocities have jumped. @param {any} slip */
  const turn = (slip) => {
    if (!laws) return;
    motion.set(t, y);
    const wrong = laws.setOut(slip);
    undecided = laws.resting !== null;
    if (wrong) stopped = `${wrong}, at t = ${t.toPrecision(5)}`;
    else if (slip) events.happened.push({ t, what: `${slip.of} slips` });
  };
  /** Lets happen what does; whether the run is over. @param {boolean} atStart */
  const happen = (atStart) => {
    const energy = entry(t, y, 0);
    const done = events.happen(t, y, atStart, span);
    const after = entry(t, y, 0);
    ledger.exchanged += Math.abs(after.work - energy.work);
    ledger.last = after;
    watch.usual = 0;
    watch.greatest = 0;
    watch.sign = 0;
    if (data.masked.length) {
      motion.set(t, y);
      unique.begin();
    }
    if (done.wrong) stopped = `${done.wrong}, at t = ${t.toPrecision(5)}`;
    else if (laws && !done.end && (!atStart || events.happened.length)) turn(null);
    outcome = done.end;
    ends = t + (done.left || 0);
    return Boolean(done.end || stopped);
  };
  /** @type {number | null} */
  let handed = null;
  if (happen(true)) {
    recorder.add(t, y);
    next = times.length;
  }
  /** Places where something switches that are passed, and the first time behind the last of them. */
  let [passed, behind] = [0, t0];
  for (let leg = 0; leg < 100000 && !outcome && !stopped; leg++) {
    const switched = data.switches[passed];
    const until = Math.min(end, early ?? end, switched ? Math.max(switched[0], t) : end);
    early = null;
    motion.times = [behind, until];
    [happens, vanished] = [false, null];
    events.start(t, y);
    if (laws) laws.start(t, y);
    kinks.start(t, y);
    const made = integrator.steps;
    report = integrator.run(motion, t, until, y, observe, handed);
    handed = null;
    [lengths[1], lengths[0]] = [lengths[0], report.t - t];
    [t, y] = [report.t, Float64Array.from(integrator.y)];
    if (report.failure || stopped) break;
    if (happens) {
      if (happen(false)) break;
      const longest = Math.max(...lengths);
      handed = longest > 0 ? Math.min(report.next, 8 * longest) : report.next;
    }
    if (kink && early === null && kinks.passed(kink, integrator.steps - made, span)) stopped = `its forces hold it where they jump, at t = ${t.toPrecision(5)}: it goes to and fro there`;
    if (vanished) turn(vanished);
    else if (!happens && !kink && early === null && switched && t >= switched[0]) {
      behind = switched[1];
      passed += 1;
    }
    if (t >= end && early === null) break;
  }
  if (outcome === "rest") {
    motion.set(t, y);
    for (let i = 0; i < n; i++) y[i] += (ends - t) * motion.rates[i];
    t = ends;
  }
  // The state that ended the run is worth a row.
  const recorded = recorder.rows ? recorder.columns[0][recorder.rows - 1] : -Infinity;
  if (outcome && recorded < t && recorder.rows < samples) recorder.add(t, y);
  if (report && report.failure && !stopped) stopped = `${report.failure}${motion.trouble ? ` (${motion.trouble})` : ""} after t = ${t.toPrecision(5)}`;
  // Nothing to be shown: where it cannot even set out.
  if (recorder.rows === 0) return { refused: stopped || "it does not set out", undecided };
  const columns = recorder.columns.map((column) => (recorder.rows < column.length ? column.slice(0, recorder.rows) : column));
  return {
    columns, rows: recorder.rows, stopped, undecided, outcome, events: events.happened, moved: start.moved, steps: integrator.steps, rejected: integrator.rejected, evaluations: integrator.evaluations,
    parameters: Array.from(motion.parameters), ms: performance.now() - began,
  };
}
