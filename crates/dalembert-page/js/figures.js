// What is seen at a time: figures of the data become meshes with axes and colours.
import { seriesFrom, seriesOf } from "./data.js";
import { faceted } from "./meshes.js";
import { across, axesOf, cross, dot, minus, norm, plus, times, unit } from "./vectors.js";

/** Okabe and Ito's colours, told apart by most eyes; the order of the palette of models. */
/** @type {Record<string, string>} */
const PALETTE = {
  blue: "#0072b2", orange: "#e69f00", green: "#009e73", vermilion: "#d55e00", purple: "#cc79a7", sky: "#56b4e9", yellow: "#d9c71e", gray: "#8a929b",
};

/** @param {string} text #rrggbb */
export function rgb(text) {
  return [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255);
}

/** The colour of the i-th figure or curve. @param {number} i */
export function colorOf(i) {
  const colors = Object.values(PALETTE);
  return colors[i % colors.length];
}

/** Arrows of forces: each kind has a colour and a name. */
/** @type {Record<string, {color: string, words: string}>} */
export const FORCES = {
  ideal: { color: "#00795a", words: "reactions" },
  nonideal: { color: "#d55e00", words: "non-ideal reactions" },
  given: { color: "#7a5cc0", words: "given forces" },
};

/** Surfaces from files so far: several pictures may share a renderer, which knows them by name. */
let meshesMade = 0;

/** All figures of a page, their size, and how they are put into a picture. */
export class Figures {
  /** @param {import("./data.js").PageModel} model */
  constructor(model) {
    this.model = model;
    const scene = model.data.scene;
    /** @param {import("./data.js").Written[]} list */
    const vector = (list) => list.map((it) => seriesOf(it, model.columns));
    let colors = 0;
    /** Surfaces from files, by the names that they are drawn under. @type {Map<string, import("./meshes.js").Mesh>} */
    this.meshes = new Map();
    /** @param {any} written */
    const shaped = (written) => {
      const shape = { ...written, at: written.at || [0, 0, 0], axes: axesOf(written.turn || [1, 0, 0, 0]) };
      if (shape.kind === "mesh") {
        shape.mesh = `mesh${meshesMade++}`;
        this.meshes.set(shape.mesh, faceted(seriesOf(shape.points).values || [], seriesOf(shape.triangles).values || []));
      }
      return shape;
    };
    this.list = scene.figures.map((written) => {
      const figure = { ...written, shapes: written.shapes && written.shapes.map((shape) => ({ ...shape })) };
      const own = written.color;
      const plain = written.form === "spring" || written.form === "curve" || written.form === "line";
      const text = own ? PALETTE[own] || own : plain ? PALETTE.gray : colorOf(colors++);
      figure.rgb = rgb(text);
      figure.css = text;
      if (written.form === "particle") figure.at = vector(written.at);
      if (written.form === "solid") {
        figure.at = vector(written.pose.at);
        figure.turn = vector(written.pose.turn);
        figure.shapes = written.shapes.map(shaped);
      }
      if (written.ends) figure.ends = vector(written.ends);
      if (written.points) {
        figure.points = written.points.map(vector);
        figure.moves = figure.points.some((point) => point.some((series) => series.values));
      }
      return figure;
    });
    this.arrows = scene.arrows.map((arrow) => this.arrow(arrow, arrow.at && vector(arrow.at), arrow.force && vector(arrow.force)));
    /** What travels far is looked at by itself, and followed. */
    this.travels = false;
    /** Radius of what is looked at, in the units of the model. */
    this.size = 1;
    this.low = [-1, -1, -1];
    this.high = [1, 1, 1];
    this.center = [0, 0, 0];
    /** @type {number[] | null} */
    this.plane = scene.plane;
    /** Radii of rods and of balls. */
    this.thick = 0;
    this.ball = 0;
    this.measure();
  }

  /** An arrow as it is used. @param {any} arrow as it is written @param {any} at where it acts, if that is known @param {any} force what it is, if its columns do not tell */
  arrow(arrow, at, force) {
    const { model } = this;
    const named = (what) => ["x", "y", "z"].map((axis) => model.byName.get(`${arrow.columns}.${what}.${axis}`)?.series);
    const figure = this.list[arrow.on];
    const whole = arrow.columns === undefined ? null : named("force");
    const moment = arrow.columns === undefined || at ? null : named("moment");
    return { name: arrow.name, kind: arrow.kind, figure, whole, rgb: rgb(FORCES[arrow.kind].color), at: at || figure.at, force: force || whole, moment: moment && moment[0] ? moment : null };
  }

  /** Takes the places of another run. @param {any} scene as the simulator gives it */
  replace(scene) {
    const vector = (list) => list && list.map(seriesFrom);
    scene.figures.forEach((found, i) => {
      const figure = this.list[i];
      if (found.at) figure.at = vector(found.at);
      if (found.turn) figure.turn = vector(found.turn);
      if (found.ends) figure.ends = vector(found.ends);
      if (found.points) {
        figure.points = found.points.map(vector);
        figure.moves = figure.points.some((point) => point.some((series) => series.values));
      }
      if (found.size !== null && figure.form === "particle") figure.size = found.size;
      found.measures.forEach((measures, k) => figure.shapes && figure.shapes[k] && Object.assign(figure.shapes[k], measures));
      if (found.box && figure.shapes && figure.shapes[0]) figure.shapes[0].size = found.box;
      if (found.spokes) figure.spokes = found.spokes;
    });
    // Of a reaction in two parts on a body only the whole is known here, which is shown as one.
    const written = this.model.data.scene.arrows;
    this.arrows = scene.arrows.flatMap((found, i) => (found.whole === false ? [] : [this.arrow(written[i], vector(found.at), vector(found.force))]));
    this.measure();
  }

  /** Takes those of a page that a server has sent. @param {Figures} other */
  become(other) {
    [this.list, this.arrows] = [other.list, other.arrows];
    this.measure();
  }

  /** The box around all that is ever seen, the size of the scene, and the plane that all moves in, if there is one. */
  measure() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const still = [true, true, true];
    const turns = [false, false, false];
    for (const figure of this.list) {
      const moved = figure.ends || figure.at || figure.points.flat();
      moved.forEach((series, k) => (still[k % 3] = still[k % 3] && !series.values));
      if (figure.turn) figure.turn.slice(1).forEach((series, k) => (turns[k] = turns[k] || series.values !== null));
    }
    // The largest box at one time, and the box around all of them.
    let own = 0;
    const every = Math.max(1, Math.floor((this.model.rows - 1) / 80));
    for (let i = 0; i < this.model.rows; i += every) {
      const [least, most] = this.boxAt(this.model.times[i]);
      const size = norm(minus(most, least)) / 2;
      if (!Number.isFinite(size)) continue;
      own = Math.max(own, size);
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], least[k]);
        high[k] = Math.max(high[k], most[k]);
      }
    }
    if (!Number.isFinite(low[0] + low[1] + low[2] + high[0] + high[1] + high[2])) {
      low.fill(-1);
      high.fill(1);
    }
    const whole = norm(minus(high, low)) / 2 || 1;
    this.travels = own > 0 && whole > 3 * own;
    const size = this.travels ? 1.1 * own : whole;
    this.size = size;
    this.low = low;
    this.high = high;
    this.center = times(plus(low, high), 0.5);
    if (!this.plane) {
      const up = this.model.data.scene.up;
      const flat = [2, 1, 0].find((k) => still[k] && k !== up && !turns[(k + 1) % 3] && !turns[(k + 2) % 3] && this.isLevel(k));
      if (flat !== undefined) this.plane = flat === 2 ? [0, 1] : flat === 1 ? [0, 2] : [1, 2];
    }
    this.thick = 0.013 * size;
    this.ball = 0.042 * size;
  }

  /** The box around all that is seen at a time. @param {number} t */
  boxAt(t) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const take = (point, around) => {
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], point[k] - around[k]);
        high[k] = Math.max(high[k], point[k] + around[k]);
      }
    };
    for (const figure of this.list) {
      if (figure.ends) [0, 3].forEach((k) => take(this.where(figure.ends.slice(k, k + 3), t), [0, 0, 0]));
      else if (figure.points) figure.points.forEach((point) => take(this.where(point, t), [0, 0, 0]));
      else take(this.where(figure.at, t), figure.form === "solid" ? extent(figure, this.axes(figure, t)) : [0, 0, 0]);
    }
    return [low, high];
  }

  /** Whether all points are at one height along an axis, and nothing stands askew to it. @param {number} axis */
  isLevel(axis) {
    /** @type {number[]} */
    const heights = [];
    for (const figure of this.list) {
      if (figure.ends) heights.push(figure.ends[axis].constant, figure.ends[3 + axis].constant);
      else if (figure.points) figure.points.forEach((point) => heights.push(point[axis].constant));
      else heights.push(figure.at[axis].constant);
      if (figure.turn && [0, 1, 2].some((k) => k !== axis && Math.abs(figure.turn[1 + k].constant) > 1e-12)) return false;
      if (figure.shapes && figure.shapes.some((shape) => shape.axis !== undefined && (shape.kind === "rod") === (shape.axis === axis))) return false;
    }
    return heights.every((height) => Math.abs(height - heights[0]) <= 1e-9 * (1 + Math.abs(heights[0])));
  }

  /** @param {import("./data.js").Series[]} point @param {number} t */
  where(point, t) {
    return [this.model.valueAt(point[0], t), this.model.valueAt(point[1], t), this.model.valueAt(point[2], t)];
  }

  /** Axes of a figure at a time; between samples the shorter way is taken. @param {any} figure @param {number} t */
  axes(figure, t) {
    const [i, part] = this.model.place(t);
    const q = [0, 0, 0, 0];
    let along = 1;
    if (part > 0) {
      let sum = 0;
      for (let k = 0; k < 4; k++) {
        const values = figure.turn[k].values;
        sum += values ? values[i] * values[i + 1] : figure.turn[k].constant ** 2;
      }
      if (sum < 0) along = -1;
    }
    for (let k = 0; k < 4; k++) {
      const { values, constant } = figure.turn[k];
      q[k] = values ? (part > 0 ? (1 - part) * values[i] + along * part * values[i + 1] : values[i]) : part > 0 ? constant * (1 - part + along * part) : constant;
    }
    return axesOf(q);
  }

  /** Where labels and cameras look for a figure. @param {any} figure @param {number} t */
  anchor(figure, t) {
    if (figure.at) return this.where(figure.at, t);
    if (figure.ends) return times(plus(this.where(figure.ends.slice(0, 3), t), this.where(figure.ends.slice(3), t)), 0.5);
    return this.where(figure.points[0], t);
  }

  /** The middle of what moves. @param {number} t */
  middle(t) {
    const moving = this.list.filter((figure) => figure.at && figure.at.some((series) => series.values));
    if (!moving.length) return this.center;
    let sum = [0, 0, 0];
    for (const figure of moving) sum = plus(sum, this.where(figure.at, t));
    return times(sum, 1 / moving.length);
  }

  /** Puts all figures into the picture. @param {import("./renderer.js").Renderer} renderer @param {number} t */
  add(renderer, t) {
    for (const figure of this.list) {
      if (figure.form === "particle") {
        const at = this.where(figure.at, t);
        const r = this.ball * figure.size;
        renderer.add("ball", [r, 0, 0], [0, r, 0], [0, 0, r], at, figure.rgb, 0);
      } else if (figure.form === "solid") this.addSolid(renderer, figure, t);
      else if (figure.form === "line") this.addRod(renderer, this.where(figure.ends.slice(0, 3), t), this.where(figure.ends.slice(3), t), this.thick, figure.rgb);
      else if (figure.form === "spring") this.addSpring(renderer, figure, t);
    }
  }

  /** @param {any} renderer @param {number[]} a @param {number[]} b @param {number} r @param {number[]} color */
  addRod(renderer, a, b, r, color) {
    const way = minus(b, a);
    const length = norm(way);
    if (!(length > 0)) return;
    const x = across(times(way, 1 / length));
    const y = cross(times(way, 1 / length), x);
    renderer.add("cylinder", times(x, r), times(y, r), way, plus(a, times(way, 0.5)), color, 0);
    for (const end of [a, b]) renderer.add("ball", [r, 0, 0], [0, r, 0], [0, 0, r], end, color, 0);
  }

  /** @param {any} renderer @param {any} figure @param {number} t */
  addSpring(renderer, figure, t) {
    const [a, b] = [this.where(figure.ends.slice(0, 3), t), this.where(figure.ends.slice(3), t)];
    const way = minus(b, a);
    const length = norm(way);
    if (!(length > 0)) return;
    const along = times(way, 1 / length);
    const x = across(along);
    const r = 0.035 * this.size;
    renderer.add("coil", times(x, r), times(cross(along, x), r), way, a, figure.rgb, 0);
  }

  /** @param {any} renderer @param {any} figure @param {number} t */
  addSolid(renderer, figure, t) {
    const center = this.where(figure.at, t);
    const own = this.axes(figure, t);
    for (const shape of figure.shapes) {
      const at = plus(center, composed(own, shape.at));
      const axes = shape.axes.map((axis) => composed(own, axis));
      // Meshes stand along z: turn the shape's axis there, cyclically.
      const k = shape.axis === undefined ? 2 : shape.axis;
      const [x, y, z] = [axes[(k + 1) % 3], axes[(k + 2) % 3], axes[k]];
      const r = shape.radius;
      if (shape.kind === "sphere") renderer.add("ball", times(axes[0], r), times(axes[1], r), times(axes[2], r), at, figure.rgb, 2);
      else if (shape.kind === "ellipsoid") renderer.add("ball", times(axes[0], shape.radii[0]), times(axes[1], shape.radii[1]), times(axes[2], shape.radii[2]), at, figure.rgb, 2);
      else if (shape.kind === "mesh") renderer.add(shape.mesh, axes[0], axes[1], axes[2], at, figure.rgb, 0);
      else if (shape.kind === "box") {
        const sizes = shape.size.map((size) => Math.max(size, 1.2 * this.thick));
        renderer.add("block", times(axes[0], sizes[0]), times(axes[1], sizes[1]), times(axes[2], sizes[2]), at, figure.rgb, 0);
      } else if (shape.kind === "rod") {
        const half = times(z, shape.length / 2);
        this.addRod(renderer, minus(at, half), plus(at, half), this.thick, figure.rgb);
      } else if (shape.kind === "disk") renderer.add("cylinder", times(x, r), times(y, r), times(z, 0.05 * r), at, figure.rgb, 1);
      else if (shape.kind === "cylinder") {
        const mesh = shape.inner > 0 ? tubeName(shape.inner / r) : "cylinder";
        renderer.add(mesh, times(x, r), times(y, r), times(z, shape.length), at, figure.rgb, 1);
      } else if (shape.kind === "cone") renderer.add("cone", times(x, r), times(y, r), times(z, shape.length), minus(at, times(z, shape.length / 4)), figure.rgb, 1);
    }
    const [at, axes] = [center, own];
    if (figure.spokes.length) renderer.add("ball", times(axes[0], 2.2 * this.thick), times(axes[1], 2.2 * this.thick), times(axes[2], 2.2 * this.thick), at, figure.rgb, 0);
    for (const spoke of figure.spokes) {
      const end = plus(plus(at, times(axes[0], spoke[0])), plus(times(axes[1], spoke[1]), times(axes[2], spoke[2])));
      this.addRod(renderer, at, end, this.thick, figure.rgb);
      renderer.add("ball", times(axes[0], 1.7 * this.thick), times(axes[1], 1.7 * this.thick), times(axes[2], 1.7 * this.thick), end, figure.rgb, 0);
    }
  }

  /** A force of these kinds for the scale of their arrows: the largest of the run, but for short peaks. @param {string[]} kinds */
  usual(kinds) {
    const sizes = [];
    for (const arrow of this.arrows) {
      if (!kinds.includes(arrow.kind)) continue;
      for (let i = 0; i < this.model.rows; i += Math.max(1, Math.floor(this.model.rows / 400))) {
        const size = Math.hypot(...arrow.force.map((series) => (series.values ? series.values[i] : series.constant)));
        if (size > 0 && Number.isFinite(size)) sizes.push(size);
      }
    }
    sizes.sort((a, b) => a - b);
    return sizes.length ? Math.min(sizes[sizes.length - 1], 3 * sizes[Math.floor(0.8 * (sizes.length - 1))]) : 0;
  }

  /** Where the force of an arrow acts. @param {any} arrow @param {number} t */
  actsAt(arrow, t) {
    const at = this.where(arrow.at, t);
    if (!arrow.moment) return at;
    // The foot of the line of action: the force has no moment about any point of that line, but for one along itself.
    const force = this.where(arrow.whole, t);
    const moment = this.where(arrow.moment, t);
    const foot = times(cross(force, moment), 1 / dot(force, force));
    if (!(norm(foot) < 2 * this.size)) return at;
    return this.entered(arrow.figure, t, plus(at, foot), unit(force));
  }

  /** Where a line first meets a solid; the point of the line that is next to its centre, where it does not. @param {any} figure @param {number} t @param {number[]} foot @param {number[]} along */
  entered(figure, t, foot, along) {
    if (figure.form !== "solid") return foot;
    const at = this.where(figure.at, t);
    const axes = this.axes(figure, t);
    const inside = (v, own = axes) => own.map((axis) => dot(axis, v));
    const [middle, line] = [inside(minus(foot, at)), inside(along)];
    let first = Infinity;
    const take = (s) => {
      if (s < first) first = s;
    };
    for (const shape of figure.shapes) {
      const [from, way] = [inside(minus(middle, shape.at), shape.axes), inside(line, shape.axes)];
      if (shape.kind === "sphere") take(-dot(from, way) - Math.sqrt(shape.radius ** 2 - dot(from, from) + dot(from, way) ** 2));
      else if (shape.kind === "rod") take(alongSegment(from, way, shape.axis, shape.length / 2, 3 * this.thick));
      else take(intoBox(from, way, halfSizes(shape, this.thick)));
    }
    for (const spoke of figure.spokes) take(nextTo(middle, line, spoke, 3 * this.thick));
    return Number.isFinite(first) ? plus(foot, times(along, first)) : foot;
  }

  /** Puts the arrows of a kind into the picture. @param {any} renderer @param {number} t @param {string} kind @param {number} scale length per force */
  addArrows(renderer, t, kind, scale) {
    for (const arrow of this.arrows) {
      if (arrow.kind !== kind) continue;
      const force = this.where(arrow.force, t);
      const length = norm(force) * scale;
      if (!(length > 0.01 * this.size)) continue;
      const along = unit(force);
      const from = this.actsAt(arrow, t);
      const head = Math.min(0.1 * this.size, 0.45 * length);
      const r = 0.14 * head;
      const x = across(along);
      const y = cross(along, x);
      const shaft = times(along, length - head);
      renderer.add("shaft", times(x, r), times(y, r), shaft, plus(from, times(shaft, 0.5)), arrow.rgb, 3);
      renderer.add("head", times(x, 0.34 * head), times(y, 0.34 * head), times(along, head), plus(from, shaft), arrow.rgb, 3);
    }
  }
}

/** Half the edges of the box around a shape, none of them nothing. @param {any} shape @param {number} least */
function halfSizes(shape, least) {
  if (shape.kind === "box") return shape.size.map((size) => Math.max(size / 2, least));
  if (shape.kind === "ellipsoid" || shape.kind === "mesh") return shape.radii || shape.half;
  return [0, 1, 2].map((k) => Math.max(k === shape.axis ? (shape.length || 0) / 2 : shape.radius, least));
}

/** How far along a line a box begins; NaN if it is missed. @param {number[]} from @param {number[]} way @param {number[]} half */
function intoBox(from, way, half) {
  let [first, last] = [-Infinity, Infinity];
  for (let k = 0; k < 3; k++) {
    const [a, b] = [(-half[k] - from[k]) / way[k], (half[k] - from[k]) / way[k]];
    if (way[k] === 0 && Math.abs(from[k]) > half[k]) return NaN;
    if (way[k] === 0) continue;
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  return first <= last ? first : NaN;
}

/** How far along a line a rod through the origin is next to it; NaN if the line passes it. @param {number[]} from @param {number[]} way @param {number} axis @param {number} half @param {number} near */
function alongSegment(from, way, axis, half, near) {
  const end = [0, 1, 2].map((k) => (k === axis ? half : 0));
  const one = nextTo(from, way, end, near);
  return Number.isNaN(one) ? nextTo(from, way, times(end, -1), near) : one;
}

/** The same of the rod from the origin to an end. @param {number[]} from @param {number[]} way @param {number[]} end @param {number} near */
function nextTo(from, way, end, near) {
  const [dd, de, ee] = [dot(way, way), dot(way, end), dot(end, end)];
  const [fd, fe] = [dot(from, way), dot(from, end)];
  const apart = dd * ee - de * de;
  // Along the rod its end is meant.
  let u = apart > 1e-9 * dd * ee ? (dd * fe - de * fd) / apart : 1;
  u = Math.min(1, Math.max(0, u));
  const s = (u * de - fd) / dd;
  return norm(minus(plus(from, times(way, s)), times(end, u))) <= near ? s : NaN;
}

/** A vector with these components along axes. @param {number[][]} axes @param {number[]} v */
function composed(axes, v) {
  return plus(plus(times(axes[0], v[0]), times(axes[1], v[1])), times(axes[2], v[2]));
}

/** Tubes are made in a few widths. @param {number} bore beside the radius */
export function tubeName(bore) {
  return `tube${Math.min(9, Math.max(1, Math.round(10 * bore)))}`;
}

/** How far a solid with these axes reaches from its centre, along the axes of the world. @param {any} figure @param {number[][]} axes */
function extent(figure, axes) {
  return [0, 1, 2].map((k) => {
    let reach = 0;
    for (const shape of figure.shapes) {
      const own = shape.axes.map((axis) => composed(axes, axis));
      let far = 0;
      if (shape.kind === "sphere") far = shape.radius;
      else if (shape.kind === "ellipsoid") far = Math.hypot(...own.map((axis, j) => axis[k] * shape.radii[j]));
      else if (shape.axis === undefined) far = halfSizes(shape, 0).reduce((sum, half, j) => sum + Math.abs(own[j][k]) * half, 0);
      else {
        const along = Math.abs(own[shape.axis][k]);
        far = (along * (shape.length || 0)) / 2 + (shape.radius || 0) * Math.sqrt(Math.max(0, 1 - along * along));
      }
      reach = Math.max(reach, Math.abs(composed(axes, shape.at)[k]) + far);
    }
    for (const spoke of figure.spokes) reach = Math.max(reach, Math.abs(axes.reduce((sum, axis, j) => sum + axis[k] * spoke[j], 0)));
    return reach;
  });
}
