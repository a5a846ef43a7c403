// Where everything is drawn, at the samples of a run: as `view/scene.rs` does it.

/** Parts of a curve. */
const PARTS = 96;

/** Numbers over time: one where they are all the same. @param {Float32Array} values @returns {number | Float32Array} */
function packed(values) {
  const first = values[0];
  return values.every((it) => it === first) ? first : values;
}

/** The unit quaternion, scalar first, of a rotation matrix by rows (Shepperd 1978). @param {number[]} m */
function quaternion(m) {
  const trace = m[0] + m[4] + m[8];
  const squares = [trace, m[0], m[4], m[8]];
  const largest = squares.indexOf(Math.max(...squares));
  const q = [
    [1 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]],
    [m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]],
    [m[2] - m[6], m[1] + m[3], 1 - m[0] + m[4] - m[8], m[5] + m[7]],
    [m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 - m[0] - m[4] + m[8]],
  ][Math.max(0, largest)];
  const norm = Math.hypot(...q);
  return q.map((it) => it / norm);
}

/** The box that has a mass and principal moments. @param {number[]} of mass, then moments */
function equalBox([mass, ...moments]) {
  const squares = [0, 1, 2].map((k) => 6 * Math.max(0, moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k]));
  const by = mass > 0 ? mass : Math.max(...squares);
  const size = squares.map((square) => Math.sqrt(square / by));
  return size.every(Number.isFinite) ? size : null;
}

/** Parts of reactions that do no virtual work, over the samples: they follow from the multipliers. @param {import("./programs.js").Program} program @param {any} run @param {any} found */
function idealParts(program, run, { rows, columns, parameters }) {
  const { n } = run;
  const multipliers = run.row_names.map((name) => columns[run.columns.findIndex((it) => it[0] === `lambda(${name})`)]);
  const parts = Array.from(program.out, () => new Float32Array(rows));
  program.in.fill(NaN);
  program.in.set(parameters, 2 * n + 1);
  const at = 3 * n + 1 + parameters.length;
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < 2 * n; k++) program.in[k] = columns[1 + k][i];
    program.in[2 * n] = columns[0][i];
    multipliers.forEach((values, r) => (program.in[at + r] = values ? values[i] : 0));
    program.call();
    parts.forEach((part, k) => (part[i] = program.out[k]));
  }
  return parts;
}

/**
 * Places of figures and arrows over the samples of a run.
 * @param {import("./programs.js").Programs} programs @param {any} scene @param {any} run what the simulator reads @param {any} found what it found
 */
export function drawn(programs, scene, run, found) {
  const { n } = run;
  const program = programs.all.scene;
  const { rows, columns, parameters } = found;
  const state = (p, i) => {
    for (let k = 0; k < 2 * n; k++) p.in[k] = columns[1 + k][i];
    p.in[2 * n] = columns[0][i];
  };
  const settle = (p) => {
    p.in.fill(0);
    p.in.set(parameters, 2 * n + 1);
  };
  settle(program);
  const outputs = Array.from(program.out, () => new Float32Array(rows));
  for (let i = 0; i < rows; i++) {
    state(program, i);
    program.call();
    for (let k = 0; k < outputs.length; k++) outputs[k][i] = program.out[k];
  }
  const series = (list) => list && list.map((k) => packed(outputs[k]));
  const first = (k) => outputs[k][0];
  const turn = (list) => {
    const made = [0, 1, 2, 3].map(() => new Float32Array(rows));
    let before = [1, 0, 0, 0];
    for (let i = 0; i < rows; i++) {
      let q = quaternion(list.map((k) => outputs[k][i]));
      if (q.reduce((sum, it, k) => sum + it * before[k], 0) < 0) q = q.map((it) => -it);
      before = q;
      q.forEach((it, k) => (made[k][i] = it));
    }
    return made.map(packed);
  };
  const curve = (figure) => {
    const p = programs.all[`curve${figure.curve}`];
    settle(p);
    const [from, to] = figure.range.map(first);
    const points = [];
    for (let k = 0; k <= PARTS; k++) {
      if (figure.running !== null) p.in[2 * n + 1 + figure.running] = from + ((to - from) * k) / PARTS;
      const point = [0, 1, 2].map(() => new Float32Array(rows));
      for (let i = 0; i < rows; i++) {
        state(p, i);
        p.call();
        point.forEach((values, axis) => (values[i] = p.out[axis]));
      }
      points.push(point.map(packed));
    }
    return points;
  };
  const heaviest = scene.figures.reduce((most, it) => (it.mass === undefined ? most : Math.max(most, first(it.mass))), 0);
  const figures = scene.figures.map((it) => {
    /** @param {any} k @returns {any} */
    const valued = (k) => (Array.isArray(k) ? k.map(valued) : first(k));
    const measures = (it.shapes || []).map((shape) => Object.fromEntries(Object.entries(shape).map(([name, k]) => [name, valued(k)])));
    const box = it.equal_box && equalBox(it.equal_box.map(first));
    return {
      at: series(it.at), turn: it.turn && turn(it.turn), ends: series(it.ends), points: it.curve === undefined ? null : curve(it), measures,
      box: box || null, spokes: it.spokes ? it.spokes.map((spoke) => spoke.map(first)) : null,
      size: it.mass === undefined ? null : Math.min(1, Math.max(0.45, Math.cbrt(heaviest > 0 ? first(it.mass) / heaviest : 1))),
    };
  });
  const ideal = programs.all.ideal ? idealParts(programs.all.ideal, run, found) : [];
  const column = (name) => columns[run.columns.findIndex((it) => it[0] === name)];
  /** @param {any} it @returns {any} */
  const force = (it) => {
    if (it.ideal !== undefined) return [0, 1, 2].map((k) => packed(ideal[it.ideal + k]));
    if (it.rest === undefined) return series(it.force);
    return ["x", "y", "z"].map((axis, k) => {
      const all = column(`${it.columns}.force.${axis}`);
      return packed(ideal[it.rest + k].map((part, i) => all[i] - part));
    });
  };
  const arrows = scene.arrows.map((it) => ({ force: force(it), at: series(it.at), whole: it.whole }));
  return { figures, arrows };
}
