// A picture of a motion at a time: figures, their ways, the floor and the light, by a renderer that may paint other motions too.
import { themed, there } from "./dom.js";
import { Camera } from "./camera.js";
import { Figures, rgb, tubeName } from "./figures.js";
import { ball, block, coil, cone, cylinder } from "./meshes.js";
import { Renderer } from "./renderer.js";
import { cross, dot, plus, times, unit } from "./vectors.js";

/** A renderer that knows all shapes; fails where the browser cannot draw. @param {HTMLCanvasElement} canvas */
export function rendererFor(canvas) {
  const meshes = { ball: ball(), cylinder: cylinder(), cone: cone(), block: block(), coil: coil(9, 0.16), shaft: cylinder(), head: cone() };
  for (let i = 1; i < 10; i++) meshes[tubeName(i / 10)] = cylinder(i / 10);
  return new Renderer(canvas, meshes, ["shaft", "head"]);
}

/** What is seen of a motion. */
export class Picture {
  /** @param {import("./data.js").PageModel} model */
  constructor(model) {
    this.model = model;
    this.figures = new Figures(model);
    this.camera = new Camera(this.figures, model.data.scene);
    this.follow = this.figures.travels;
    this.trails = true;
    /** Lengths of arrows, and the forces that they belong to. @type {Record<string, number>} */
    this.scales = {};
    /** @type {Record<string, number>} */
    this.most = {};
    /** @type {{figure: any, ribbon: import("./renderer.js").Ribbon}[]} */
    this.ways = [];
    /** @type {{figure: any, ribbon: import("./renderer.js").Ribbon}[]} */
    this.wires = [];
    /** @type {{figure: any, ribbon: import("./renderer.js").Ribbon}[]} ways of the run before */
    this.ghosts = [];
    /** @type {Renderer | undefined} */
    this.renderer = undefined;
  }

  /** @param {Renderer} renderer */
  paintBy(renderer) {
    this.renderer = renderer;
    for (const [name, mesh] of this.figures.meshes) renderer.addMesh(name, mesh);
    this.makeRibbons();
  }

  /** Ways of points, and wires. */
  makeRibbons() {
    if (!this.renderer) return;
    const { model, figures } = this;
    for (const figure of figures.list) {
      if (figure.points) {
        const points = this.wire(figure, model.begin);
        this.wires.push({ figure, ribbon: this.renderer.makeRibbon(points) });
      }
      const shown = figure.trail || (figure.form === "particle" && figures.list.length < 12) || (figures.travels && figures.list.length < 4);
      if (!figure.at || !shown || !figure.at.some((series) => series.values)) continue;
      const points = new Float32Array(4 * model.rows);
      for (let i = 0; i < model.rows; i++) {
        for (let k = 0; k < 3; k++) points[4 * i + k] = figure.at[k].values ? figure.at[k].values[i] : figure.at[k].constant;
        points[4 * i + 3] = model.times[i] - model.begin;
      }
      this.ways.push({ figure, ribbon: this.renderer.makeRibbon(points) });
    }
  }

  /** Ways and wires of another run; the ways of the one before stay as ghosts, if wanted. @param {boolean} keep */
  replaceRibbons(keep) {
    const { renderer } = this;
    if (!renderer) return;
    [...(keep ? this.ghosts : this.ways), ...this.wires].forEach(({ ribbon }) => renderer.dropRibbon(ribbon));
    if (keep) this.ghosts = this.ways;
    [this.ways, this.wires] = [[], []];
    this.makeRibbons();
  }

  /** @param {any} figure @param {number} t */
  wire(figure, t) {
    const points = new Float32Array(4 * figure.points.length);
    figure.points.forEach((point, i) => points.set(this.figures.where(point, t), 4 * i));
    return points;
  }

  /** Paints a time, and tells from where it is seen. @param {number} width @param {number} height @param {number} ratio @param {number} t */
  paint(width, height, ratio, t) {
    const { figures, camera } = this;
    const renderer = there(this.renderer);
    renderer.resize(width, height);
    if (this.follow) camera.target = figures.middle(t);
    const view = camera.matrix(width / height);
    renderer.begin();
    figures.add(renderer, t);
    for (const [kind, scale] of Object.entries(this.scales)) {
      const most = this.most[kind];
      if (scale > 0 && most > 0) figures.addArrows(renderer, t, kind, (scale * 0.5 * figures.size) / most);
    }
    const dark = document.documentElement.dataset.theme === "dark";
    renderer.draw({
      view,
      eye: camera.flat ? camera.direction() : camera.eye(),
      flat: camera.flat,
      up: camera.up,
      sunward: this.sunward(),
      center: this.follow ? camera.target : figures.center,
      radius: 1.15 * figures.size,
      back: rgb(dark ? "#1b2027" : "#f7f8fa"),
      line: rgb(dark ? "#5b6774" : "#8b98a8"),
      depth: (dark ? 0.45 : 0.3) * (figures.plane ? 0.6 : 1),
      ground: this.ground(),
      ribbons: this.ribbons(t, ratio),
    });
    return view;
  }

  sunward() {
    const { camera } = this;
    const tilt = this.figures.plane ? 2.4 : 0.55;
    return unit(plus(plus(times(camera.up, 1), times(camera.right, -0.45)), times(camera.toward, tilt)));
  }

  /** The floor, or the wall behind a plane. */
  ground() {
    const { figures, camera } = this;
    const { size, low, high, center } = figures;
    let normal = camera.up;
    if (figures.plane) {
      const k = figures.plane.includes(0) ? (figures.plane.includes(1) ? 2 : 1) : 0;
      const away = [0, 1, 2].map((i) => (i === k ? 1 : 0));
      normal = dot(camera.direction(), away) >= 0 ? away : times(away, -1);
    }
    const height = (point) => dot(point, normal);
    const lowest = Math.min(height(low), height(high));
    // A floor at zero is what most models mean.
    let level = lowest;
    if (!figures.plane && Math.abs(lowest) < 0.25 * size) level = Math.min(0, lowest);
    level -= figures.plane ? 0.1 * size : 0.002 * size;
    const along = figures.plane ? camera.right : camera.right;
    const aside = cross(normal, along);
    const middle = this.follow ? camera.target : center;
    const origin = plus(middle, times(normal, level - height(middle)));
    const power = 10 ** Math.floor(Math.log10(size / 3));
    const cell = power * (size / 3 / power >= 5 ? 5 : size / 3 / power >= 2 ? 2 : 1);
    return { origin, along, aside, reach: 9 * size, cell, shift: [dot(origin, along), dot(origin, aside)] };
  }

  /** @param {number} t @param {number} ratio */
  ribbons(t, ratio) {
    const list = [];
    const { renderer } = this;
    if (!renderer) return list;
    for (const { figure, ribbon } of this.wires) {
      if (figure.moves) renderer.moveRibbon(ribbon, this.wire(figure, t));
      list.push({ ribbon, color: figure.rgb, width: 3.2 * ratio, now: 0, memory: 2e30 });
    }
    const { ghostTimes } = this.model;
    const reach = ghostTimes.length ? ghostTimes[ghostTimes.length - 1] - ghostTimes[0] || 1 : 1;
    for (const { ribbon } of this.ghosts) list.push({ ribbon, color: rgb(themed("--ghost")), width: 1.6 * ratio, now: 1e4 * reach, memory: 1e9 * reach });
    if (this.trails) {
      const span = this.model.end - this.model.begin || 1;
      for (const { figure, ribbon } of this.ways) {
        list.push({ ribbon, color: figure.rgb, width: 2 * ratio, now: t - this.model.begin, memory: span });
      }
    }
    return list;
  }
}
