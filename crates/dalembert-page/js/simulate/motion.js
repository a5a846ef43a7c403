// The constrained system as y' = f(t, y) with a way back to its rows: by programs where they can be trusted, else by the general route, which
// knows every rank. y holds the coordinates, the speeds, and the work of all that is not the potential.
import { isInertia, knownUnits } from "./inertia.js";
import { Laws } from "./laws.js";
import { Solver } from "./linear.js";
import { planOf } from "./plan.js";

/** Corrections made at most in one projection. */
const MOST_CORRECTIONS = 8;

/** When the way to rows is over: as `Ending` and `Judge` in Rust decide it. */
class Judge {
  /** @param {any} decide */
  constructor(decide) {
    this.decide = decide;
    this.made = 0;
    this.last = Infinity;
    this.residual = 0;
  }

  begin() {
    [this.made, this.last, this.residual] = [0, Infinity, 0];
  }

  /** Whether rows with these residuals beside these sizes are met: true or false whether the state moved, null if they cannot be, undefined if a correction follows. @param {(i: number) => number} value @param {(i: number) => number} size @param {number} count @returns {boolean | null | undefined} */
  judge(value, size, count) {
    let [worst, largest] = [0, 0];
    for (let i = 0; i < count; i++) {
      const r = value(i);
      if (r === 0) continue;
      const beside = Math.abs(r) / size(i);
      worst = Number.isNaN(beside) ? Infinity : Math.max(worst, beside);
      largest = Math.max(largest, Math.abs(r));
    }
    if (!Number.isFinite(worst)) return null;
    const over = worst <= this.decide.ROUNDING || worst >= this.last || this.made === MOST_CORRECTIONS;
    this.last = worst;
    if (!over) {
      this.made += 1;
      return undefined;
    }
    this.residual = largest;
    return worst <= this.decide.CANCELLED ? this.made > 0 : null;
  }
}

/** The motion of a model with some values of its parameters. */
export class Motion {
  /** @param {import("./programs.js").Programs} programs @param {any} data */
  constructor(programs, data) {
    const { n, rows } = data;
    this.data = data;
    this.decide = data.decide;
    this.n = n;
    this.rows = rows;
    this.size = 2 * n + 1;
    const { right, way, whole, power } = programs.all;
    this.programs = programs.all;
    /** @type {import("./programs.js").Program | null} */
    this.right = right || null;
    /** @type {import("./programs.js").Program | null} */
    this.way = way || null;
    this.whole = whole;
    this.power = power;
    this.limits = data.right && Float64Array.from(data.right.limits);
    /** Entries of the general route, one after the other. */
    const [np, nv] = [data.position_rows.length, data.velocity_rows.length];
    const lengths = [n * n, n, n, rows * n, rows, rows * n, np, nv, n * n, n, n, 4];
    this.room = new Float64Array(lengths.reduce((a, b) => a + b, 0));
    this.places = Int32Array.from(data.places);
    let at = 0;
    const parts = lengths.map((length) => {
      at += length;
      return this.room.subarray(at - length, at);
    });
    this.mass = parts[0];
    this.force = parts[1];
    this.forceSizes = parts[2];
    this.jacobian = parts[3];
    this.bias = parts[4];
    this.reach = parts[5];
    this.positions = parts[6];
    this.velocities = parts[7];
    this.speedMatrix = parts[8];
    this.offset = parts[9];
    this.gamma = parts[10];
    this.energies = parts[11];
    this.metric = new Float64Array(n * n);
    this.rates = new Float64Array(n);
    this.accelerations = new Float64Array(n);
    this.multipliers = new Float64Array(rows);
    this.saddle = new Solver(n + rows);
    this.unknowns = new Float64Array(n + rows);
    this.asked = new Float64Array(n + rows);
    this.levels = [[data.position_rows, np], [data.velocity_rows, nv]].map(([list, count]) => ({
      list, solver: new Solver(n + count), asked: new Float64Array(n + count), way: new Float64Array(n + count), judge: new Judge(data.decide),
    }));
    this.speedSolver = data.has_speeds ? new Solver(n) : null;
    this.speedRoom = new Float64Array(n);
    this.sizes = data.sizes.map((list) => Float64Array.from(list));
    this.parameters = Float64Array.from(data.parameters);
    this.plan = planOf(data, programs.all.numbers, this.parameters);
    this.trouble = "";
    /** Whether each constraint that comes and goes holds. @type {Map<number, boolean>} */
    this.active = new Map(data.masked.map((constraint, k) => [constraint, data.active[k]]));
    this.units = new Float64Array(n).fill(1);
    this.speedUnits = this.units;
    this.rootOfRounding = 0;
    this.workOfRounding = 0;
    /** The motion is looked at at no time before or after these: where something switches each side is seen by itself. */
    this.times = [-Infinity, Infinity];
    this.laws = data.laws ? new Laws(this) : null;
    /** M and A that the saddle was factored with last, where laws ask for it again and again. */
    this.factored = new Float64Array(data.laws ? n * n + rows * n : 0).fill(NaN);
    /** Largest residuals that were left: of positions, and of velocities. */
    this.residuals = [0, 0];
  }

  /** Takes values for the literal parameters; the others follow. @param {number[]} values */
  setParameters(values) {
    const { parameters: program, right_constants, way_constants } = this.programs;
    program.in.set(values);
    program.call();
    this.parameters.set(program.out);
    const { n, rows, data } = this;
    this.plan = planOf(data, this.programs.numbers, this.parameters);
    // What rests is taken to go as far as it may in the span.
    this.sizes[1] = Float64Array.from(data.sizes[1], (size) => (size * data.span) / this.plan.span);
    const masks = data.masked.length;
    const unit = Float64Array.of(...this.parameters, 1);
    if (this.right) {
      right_constants.in.set(unit);
      right_constants.call();
      this.right.in.set(right_constants.out, 2 * n + 1 + masks);
    }
    if (this.way) {
      way_constants.in.set(unit);
      way_constants.call();
      this.way.in.set(this.sizes[0], 2 * n + 1);
      this.way.in.set(this.sizes[1], 3 * n + 1);
      this.way.in.set(way_constants.out, 4 * n + 1 + masks);
    }
    this.whole.in.set(this.parameters, 2 * n + 1 + masks + rows);
    this.power.in.set(this.parameters, 2 * n + 1 + masks + rows);
    if (this.laws) this.laws.setParameters(this.parameters);
    this.setMasks();
    return this.parameters.every(Number.isFinite);
  }

  /** Goes on by the general route alone, whose ranks are those of now. */
  withoutPrograms() {
    [this.right, this.way] = [null, null];
  }

  /** Tells the programs which constraints hold. */
  setMasks() {
    const { n } = this;
    this.data.masked.forEach((constraint, k) => {
      const mask = this.active.get(constraint) ? 1 : 0;
      if (this.right) this.right.in[2 * n + 1 + k] = mask;
      if (this.way) this.way.in[4 * n + 1 + k] = mask;
      this.whole.in[2 * n + 1 + k] = mask;
      this.power.in[2 * n + 1 + k] = mask;
    });
  }

  /** Whether a state meets the rows, of velocities too if asked for. @param {number} t @param {Float64Array} y @param {boolean} both */
  meets(t, y, both) {
    const { n } = this;
    this.set(t, y);
    const met = (which, values, x) => this.levels[which].list.every((row, i) => {
      let size = 0;
      for (let j = 0; j < n; j++) size += Math.abs(this.jacobian[row * n + j]) * (Math.abs(x[j]) + this.sizes[which][j]);
      return Math.abs(values[i]) <= this.decide.CANCELLED * size;
    });
    return met(0, this.positions, y.subarray(0, n)) && (!both || met(1, this.velocities, this.rates));
  }

  /** What nature asks of the parameters and does not get, in words. */
  unmetNeed() {
    const { needs: program } = this.programs;
    program.in.set(this.parameters);
    program.call();
    let at = 0;
    for (const [of, need] of this.data.needs) {
      const value = program.out[at];
      if (Array.isArray(need)) {
        const m = Array.from(program.out.subarray(at, at + 9));
        at += 9;
        if (!isInertia(m, need, this.decide.KNOWN)) return `${of} is that of no body: no principal moment is negative, or larger than the sum of the other two`;
        continue;
      }
      at += 1;
      const met = need === "positive" ? value > 0 : need === "not negative" ? value >= 0 : value >= 0 && value <= 1;
      if (!met) return `${of} is ${value}, and must be ${need}`;
    }
    return "";
  }

  /** Evaluates what the general route asks for at coordinates, which a state begins with, and rates. @param {number} t @param {ArrayLike<number>} q @param {ArrayLike<number>} rates */
  look(t, q, rates) {
    const { whole, n, places, room } = this;
    for (let i = 0; i < n; i++) {
      whole.in[i] = q[i];
      whole.in[n + i] = rates[i];
    }
    whole.in[2 * n] = t;
    whole.call();
    for (let i = 0; i < places.length; i++) room[places[i]] = whole.out[i];
  }

  /** The rates of a state without speeds of its own; those that rows hold at zero have no sign. @param {Float64Array} y */
  takeRates(y) {
    const { n, rates, data } = this;
    for (let i = 0; i < n; i++) rates[i] = y[n + i];
    for (const i of data.still) rates[i] = 0;
  }

  /** What the program of the right-hand side gives at a state; whether it can be trusted. @param {number} t @param {Float64Array} y */
  byProgram(t, y) {
    const { n, right, data } = this;
    if (!right) return false;
    for (let i = 0; i < 2 * n; i++) right.in[i] = y[i];
    for (const i of data.still) right.in[n + i] = 0;
    right.in[2 * n] = t;
    right.call();
    return this.isTrusted();
  }

  /** The rates at a state, in `this.rates`, with all that is known there; false if the speeds do not tell them. @param {number} t @param {Float64Array} y */
  set(t, y) {
    const { n, rates, data } = this;
    if (!data.has_speeds) {
      this.takeRates(y);
      this.look(t, y, rates);
      return true;
    }
    // B and b₀ know no rates.
    this.look(t, y, rates);
    const solver = /** @type {Solver} */ (this.speedSolver);
    solver.matrix.set(this.speedMatrix);
    solver.factor(this.decide.RANK);
    if (solver.rank < n) return false;
    for (let i = 0; i < n; i++) this.speedRoom[i] = (i < data.named ? y[n + i] : 0) - this.offset[i];
    solver.solve(this.speedRoom, rates);
    this.look(t, y, rates);
    return allFinite(rates);
  }

  /** The speeds of the rates that are set. @param {Float64Array} y */
  speedsInto(y) {
    const { n, data, rates, speedMatrix, offset } = this;
    for (let i = 0; i < n; i++) {
      let v = rates[i];
      if (data.has_speeds) {
        v = offset[i];
        for (let j = 0; j < n; j++) v += speedMatrix[i * n + j] * rates[j];
      }
      y[n + i] = i < data.named ? v : 0;
    }
  }

  /** Accelerations and multipliers at the state that is set, by the general route. */
  accelerate() {
    const { n, rows, saddle, asked, unknowns, reach, laws } = this;
    const size = n + rows;
    const again = this.isAnother();
    if (again) {
      const { mass, jacobian } = this;
      saddle.matrix.fill(0);
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) saddle.matrix[i * size + j] = mass[i * n + j];
      for (let r = 0; r < rows; r++) {
        for (let j = 0; j < n; j++) {
          saddle.matrix[j * size + n + r] = -reach[r * n + j];
          saddle.matrix[(n + r) * size + j] = jacobian[r * n + j];
        }
      }
      saddle.factor(this.decide.RANK);
    }
    for (let i = 0; i < n; i++) asked[i] = this.force[i];
    for (let r = 0; r < rows; r++) asked[n + r] = this.bias[r];
    let missed = saddle.solve(asked, unknowns);
    // Between steps rows that depend on each other ask for a little more than can be.
    const isSolved = () => missed < this.decide.CLEAR && allFinite(unknowns);
    if (laws && isSolved()) {
      const wrong = laws.apply(again, asked);
      if (wrong) {
        this.trouble = wrong;
        this.factored.fill(NaN);
        return false;
      }
      missed = saddle.solve(asked, unknowns);
    }
    if (!isSolved()) {
      this.trouble = saddle.rank < size ? "its rows contradict each other, or a motion has no inertia" : "its equations cannot be solved";
      return false;
    }
    for (let i = 0; i < n; i++) this.accelerations[i] = unknowns[i];
    for (let r = 0; r < rows; r++) this.multipliers[r] = unknowns[n + r];
    return true;
  }

  /** Whether M or A are others than those that the saddle was factored with; only laws ask often enough. */
  isAnother() {
    const { factored, mass, jacobian } = this;
    if (!this.laws) return true;
    let another = false;
    for (let i = 0; i < mass.length; i++) another ||= factored[i] !== mass[i];
    for (let i = 0; i < jacobian.length; i++) another ||= factored[mass.length + i] !== jacobian[i];
    if (another) {
      factored.set(mass);
      factored.set(jacobian, mass.length);
    }
    return another;
  }

  /** Whether the right-hand side as a program can be trusted where it was last evaluated. */
  isTrusted() {
    const { n, rows, limits, data } = this;
    const out = /** @type {import("./programs.js").Program} */ (this.right).out;
    const first = 2 * n + 1 + rows;
    const count = limits.length;
    const pivots = data.right.pivots;
    for (let i = 0; i < count; i++) {
      const value = out[first + i];
      const size = out[first + count + i];
      if (i < pivots ? !(value > limits[i] * Math.abs(size)) : !(Math.abs(value) <= limits[i] * size)) return false;
    }
    let sum = 0;
    for (let i = 0; i <= 2 * n; i++) sum += out[i] * 0;
    return sum === 0;
  }

  /** @param {number} now @param {Float64Array} y @param {Float64Array} dy */
  derivative(now, y, dy) {
    const t = Math.max(Math.min(now, this.times[1]), this.times[0]);
    const { n, rows, right } = this;
    if (right && this.byProgram(t, y)) {
      for (let i = 0; i <= 2 * n; i++) dy[i] = right.out[i];
      return true;
    }
    if (!this.set(t, y) || !this.accelerate()) return false;
    const { power } = this;
    for (let i = 0; i <= 2 * n; i++) power.in[i] = this.whole.in[i];
    power.in.set(this.multipliers, 2 * n + 1 + this.data.masked.length);
    if (this.laws) power.in.set(this.laws.ways, this.laws.waysAt);
    power.in.set(this.accelerations, power.in.length - n);
    power.call();
    for (let i = 0; i < n; i++) dy[i] = this.rates[i];
    for (let i = 0; i < n; i++) {
      let rate = this.accelerations[i];
      if (this.data.has_speeds) {
        rate = this.gamma[i];
        for (let j = 0; j < n; j++) rate += this.speedMatrix[i * n + j] * this.accelerations[j];
      }
      dy[n + i] = i < this.data.named ? rate : 0;
    }
    dy[2 * n] = power.out[0];
    return rows >= 0;
  }

  /** Moves a state to the rows; whether it moved, or null if it cannot. @param {number} t @param {Float64Array} y @returns {boolean | null} */
  project(t, y) {
    if (!this.data.velocity_rows.length && !this.data.position_rows.length) return false;
    const moved = this.goBack(t, y);
    return moved === undefined ? this.projectGenerally(t, y) : moved;
  }

  /** The same by the program; undefined where it cannot be trusted. @param {number} t @param {Float64Array} y @returns {boolean | null | undefined} */
  goBack(t, y) {
    const { way, n, data } = this;
    if (!way) return undefined;
    const { out } = way;
    const trusted = (level) => {
      for (let i = level.speed_pivots; i < level.row_pivots; i += 2) if (!(out[i] > this.decide.USED_UP * Math.abs(out[i + 1]))) return false;
      if (data.way.judges_rows) for (let i = level.row_pivots; i < level.end; i += 2) if (!(out[i] > this.decide.COARSE * Math.abs(out[i + 1]))) return false;
      return true;
    };
    /** @type {boolean | null} */
    let atRows = null;
    this.levels.forEach((level) => level.judge.begin());
    for (;;) {
      for (let i = 0; i < 2 * n; i++) way.in[i] = y[i];
      way.in[2 * n] = t;
      way.call();
      const k = atRows === null ? 0 : 1;
      for (let which = k; which < 2; which++) {
        const level = data.way.levels[which];
        const verdict = this.levels[which].judge.judge((i) => out[level.values + i], (i) => out[level.values + level.rows + i], level.rows);
        if (verdict === undefined) {
          if (!trusted(level)) return undefined;
          const first = which === 0 ? 0 : n;
          for (let i = 0; i < n; i++) y[first + i] += out[level.correction + i];
          break;
        }
        if (verdict === null) return undefined;
        if (which === 1) {
          this.note();
          return verdict || atRows === true;
        }
        atRows = verdict;
      }
    }
  }

  /** Takes notice of the residuals that were left. */
  note() {
    const [position, velocity] = this.levels.map((level) => level.judge.residual);
    this.residuals = [Math.max(this.residuals[0], position), Math.max(this.residuals[1], velocity)];
  }

  /** @param {number} t @param {Float64Array} y @returns {boolean | null} */
  projectGenerally(t, y) {
    const { n, rates, data } = this;
    if (!this.set(t, y)) return null;
    const { metric } = this;
    metric.set(this.mass);
    const q = y.subarray(0, n);
    const go = (which, values, x) => {
      const level = this.levels[which];
      const size = (i) => {
        const row = level.list[i] * n;
        let sum = 0;
        for (let j = 0; j < n; j++) sum += Math.abs(this.jacobian[row + j]) * (Math.abs(x[j]) + this.sizes[which][j]);
        return sum;
      };
      level.judge.begin();
      for (;;) {
        this.look(t, q, rates);
        const verdict = level.judge.judge((i) => values[i], size, level.list.length);
        if (verdict !== undefined) return verdict;
        if (!this.wayTo(level, metric, values)) return null;
        for (let i = 0; i < n; i++) x[i] += level.way[i];
      }
    };
    const positions = go(0, this.positions, q);
    if (positions === null) return null;
    const velocities = go(1, this.velocities, rates);
    if (velocities === null) return null;
    this.note();
    if (velocities || (positions && data.has_speeds)) this.speedsInto(y);
    return positions || velocities;
  }

  /** The shortest way in a metric that takes residuals away. @param {any} level @param {Float64Array} metric @param {Float64Array} values */
  wayTo(level, metric, values) {
    const { n } = this;
    const { list, solver, asked, way } = level;
    const size = n + list.length;
    solver.matrix.fill(0);
    asked.fill(0);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) solver.matrix[i * size + j] = metric[i * n + j];
    list.forEach((row, r) => {
      for (let j = 0; j < n; j++) {
        solver.matrix[j * size + n + r] = this.jacobian[row * n + j];
        solver.matrix[(n + r) * size + j] = this.jacobian[row * n + j];
      }
      asked[n + r] = -values[r];
    });
    solver.factor(this.decide.RANK);
    solver.solve(asked, way);
    return allFinite(way);
  }

  /** What rounding may leave in a step of length h from a state. @param {number} t @param {number} h @param {Float64Array} y @param {Float64Array} out */
  rounding(t, h, y, out) {
    const { n, rows, decide } = this;
    out.fill(0);
    [this.rootOfRounding, this.workOfRounding] = [0, 0];
    if (!this.set(t, y) || !this.accelerate()) return;
    const { units, speedUnits } = this;
    const sizes = new Float64Array(n);
    const groups = new Int32Array(n).map((_, i) => i);
    const first = (i) => {
      while (groups[i] !== i) i = groups[i];
      return i;
    };
    const join = (a, b) => {
      const [x, z] = [first(a), first(b)];
      groups[Math.max(x, z)] = Math.min(x, z);
    };
    for (let i = 0; i < n; i++) {
      sizes[i] += this.forceSizes[i];
      for (let j = 0; j < n; j++) {
        const m = this.mass[i * n + j];
        if (m === 0) continue;
        sizes[i] += (i === j ? 2 : 1) * Math.abs(m * this.accelerations[j]);
        join(i, j);
      }
    }
    if (this.laws) this.laws.addSizes(sizes);
    for (let r = 0; r < rows; r++) {
      let one = -1;
      for (let j = 0; j < n; j++) {
        const a = this.jacobian[r * n + j];
        if (a === 0) continue;
        sizes[j] += Math.abs(this.reach[r * n + j] * this.multipliers[r]);
        if (one >= 0) join(one, j);
        one = j;
      }
    }
    const pushes = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      pushes[i] = Math.abs(h) * units[i] * sizes[i];
      sizes[i] = pushes[i] + Math.abs(this.rates[i]) / units[i];
    }
    for (const row of this.data.velocity_rows) {
      for (let j = 0; j < n; j++) if (this.jacobian[row * n + j] !== 0) sizes[j] = Math.max(sizes[j], this.sizes[1][j] / units[j]);
    }
    const ofSpeed = new Int32Array(n).map((_, i) => i);
    if (this.data.has_speeds) {
      for (let i = 0; i < n; i++) {
        let one = -1;
        for (let j = 0; j < n; j++) {
          const b = this.speedMatrix[i * n + j];
          if (b === 0) continue;
          if (one >= 0) join(one, j);
          else [one, ofSpeed[i]] = [j, j];
          sizes[j] = Math.max(sizes[j], Math.abs(this.offset[i] / (b * units[j])));
        }
      }
    }
    const left = new Float64Array(n);
    for (let i = 0; i < n; i++) left[first(i)] = Math.max(left[first(i)], decide.SOLVED * sizes[i]);
    for (let i = 0; i < n; i++) {
      out[i] = decide.SOLVED * Math.abs(y[i]) + Math.abs(h) * units[i] * left[first(i)];
      out[n + i] = speedUnits[i] * left[first(ofSpeed[i])];
    }
    this.rootOfRounding = left.reduce((a, b) => a + b, 0);
    // The work of forces along ways that are rounding, and of what moves the system along rounding of its coordinates.
    this.workOfRounding = 0;
    for (let i = 0; i < n; i++) {
      let moving = 0;
      for (let j = 0; j < n; j++) moving += this.mass[i * n + j] * this.accelerations[j];
      this.workOfRounding += pushes[i] * left[first(i)] + Number.EPSILON * Math.abs(moving * y[i]);
    }
    if (!allFinite(out)) out.fill(0);
  }

  /** Units of coordinates and speeds in which each has an inertia of one, at a start that is set. */
  findUnits() {
    const { n, data } = this;
    const unitsOf = (inertias, rows, entry) => Float64Array.from(knownUnits(inertias, rows, entry), (it) => it ?? 1);
    const list = data.velocity_rows;
    // What is rounding beside the largest is no inertia.
    const diagonal = Array.from({ length: n }, (_, i) => this.mass[i * n + i]);
    this.units = unitsOf(diagonal, list.length, (r, j) => this.jacobian[list[r] * n + j]);
    this.speedUnits = this.units;
    if (!data.has_speeds) return;
    const solver = /** @type {Solver} */ (this.speedSolver);
    solver.matrix.set(this.speedMatrix);
    solver.factor(this.decide.RANK);
    const inverse = [];
    for (let j = 0; j < n; j++) {
      const unit = new Float64Array(n);
      unit[j] = 1;
      const column = new Float64Array(n);
      solver.solve(unit, column);
      inverse.push(column);
    }
    const inertias = inverse.map((v) => {
      let [sum, terms] = [0, 0];
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          sum += this.mass[i * n + j] * v[i] * v[j];
          terms += Math.abs(this.mass[i * n + j] * v[i] * v[j]);
        }
      }
      return Math.abs(sum) <= this.decide.ROUNDING * terms ? 0 : sum;
    });
    this.speedUnits = unitsOf(inertias, list.length, (r, j) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += this.jacobian[list[r] * n + i] * inverse[j][i];
      return sum;
    });
  }
}

/** Whether all numbers are. @param {Float64Array} values */
function allFinite(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * 0;
  return sum === 0;
}
