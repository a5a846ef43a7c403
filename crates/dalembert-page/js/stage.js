// The animation: the scene, what stands beside it, and the hands that turn it.
import { byId, element, fileName, save, themed, there, withNextPicture } from "./dom.js";
import { Camera } from "./camera.js";
import { Figures, FORCES, rgb, tubeName } from "./figures.js";
import { ball, block, coil, cone, cylinder } from "./meshes.js";
import { Renderer } from "./renderer.js";
import { cross, dot, plus, projected, times, unit } from "./vectors.js";

/** The picture and all that moves it. */
export class Stage {
  /** @param {import("./data.js").PageModel} model @param {import("./player.js").Player} player */
  constructor(model, player) {
    this.model = model;
    this.player = player;
    this.redraw = withNextPicture(() => this.draw());
    this.canvas = byId("scene");
    this.overlay = byId("overlay");
    this.figures = new Figures(model);
    this.camera = new Camera(this.figures, model.data.scene);
    const view = byId("view").getBoundingClientRect();
    if (view.width > 0 && view.height > 0) this.camera.aspect = view.width / view.height;
    this.camera.home();
    this.follow = this.figures.travels;
    this.labels = true;
    this.trails = true;
    this.frame_ms = 0;
    /** @type {Record<string, number>} */
    this.scales = {};
    /** @type {Record<string, number>} */
    this.most = {};
    /** @type {{figure: any, ribbon: import("./renderer.js").Ribbon}[]} */
    this.ways = [];
    /** @type {{figure: any, ribbon: import("./renderer.js").Ribbon}[]} */
    this.wires = [];
    try {
      const meshes = { ball: ball(), cylinder: cylinder(), cone: cone(), block: block(), coil: coil(9, 0.16), shaft: cylinder(), head: cone() };
      for (let i = 1; i < 10; i++) meshes[tubeName(i / 10)] = cylinder(i / 10);
      this.renderer = new Renderer(this.canvas, meshes, ["shaft", "head"]);
    } catch (error) {
      const message = byId("message");
      message.textContent = `This browser cannot show the animation (${error instanceof Error ? error.message : error}); plots, equations and reports work without it.`;
      message.hidden = false;
    }
    if (!model.data.scene.figures.length) {
      const message = byId("message");
      message.textContent = "The model has no body, particle or spring to draw: [draw.NAME] in its file says what is seen.";
      message.hidden = false;
    }
    this.describe();
    this.makeRibbons();
    this.tools();
    this.hands();
    player.listen(() => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(byId("view"));
  }

  describe() {
    const names = this.figures.list.map((figure) => figure.label || figure.name);
    this.canvas.setAttribute("aria-label", `Animation of ${this.model.data.title}. Drawn: ${names.slice(0, 20).join(", ") || "nothing"}. Arrow keys turn it, plus and minus zoom, the space bar plays.`);
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

  /** @param {any} figure @param {number} t */
  wire(figure, t) {
    const points = new Float32Array(4 * figure.points.length);
    figure.points.forEach((point, i) => points.set(this.figures.where(point, t), 4 * i));
    return points;
  }

  draw() {
    byId("clock").textContent = this.player.words();
    if (!this.renderer) return;
    const began = performance.now();
    const { figures, camera, player } = this;
    const ratio = devicePixelRatio || 1;
    const box = byId("view").getBoundingClientRect();
    const [width, height] = [Math.max(1, Math.round(box.width * ratio)), Math.max(1, Math.round(box.height * ratio))];
    this.renderer.resize(width, height);
    if (this.follow) camera.target = figures.middle(player.t);
    const view = camera.matrix(width / height);
    const t = player.t;
    this.renderer.begin();
    figures.add(this.renderer, t);
    for (const [kind, scale] of Object.entries(this.scales)) {
      const most = this.most[kind];
      if (scale > 0 && most > 0) figures.addArrows(this.renderer, t, kind, (scale * 0.5 * figures.size) / most);
    }
    const dark = document.documentElement.dataset.theme === "dark";
    this.renderer.draw({
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
    this.frame_ms = performance.now() - began;
    this.write(view, ratio, width, height);
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
    if (this.trails) {
      const span = this.model.end - this.model.begin || 1;
      for (const { figure, ribbon } of this.ways) {
        list.push({ ribbon, color: figure.rgb, width: 2 * ratio, now: t - this.model.begin, memory: span });
      }
    }
    return list;
  }

  /** Labels and the axes of the world. @param {Float32Array} view @param {number} ratio @param {number} width @param {number} height */
  write(view, ratio, width, height) {
    this.overlay.width = width;
    this.overlay.height = height;
    const pen = this.overlay.getContext("2d");
    pen.scale(ratio, ratio);
    const [w, h] = [width / ratio, height / ratio];
    pen.font = "12.5px system-ui, sans-serif";
    pen.lineJoin = "round";
    const halo = (text, x, y, color) => {
      pen.strokeStyle = themed("--panel");
      pen.lineWidth = 3;
      pen.strokeText(text, x, y);
      pen.fillStyle = color;
      pen.fillText(text, x, y);
    };
    if (this.labels) {
      /** @type {number[][]} */
      const taken = [];
      for (const figure of this.figures.list) {
        const words = figure.label || (figure.at && this.figures.list.length <= 30 ? figure.name : "");
        if (!words) continue;
        const at = projected(view, this.figures.anchor(figure, this.player.t));
        if (!at.seen || Math.abs(at.x) > 1 || Math.abs(at.y) > 1) continue;
        const wide = pen.measureText(words).width;
        const x = Math.max(2, Math.min(w - wide - 2, (0.5 + 0.5 * at.x) * w + 9));
        let y = (0.5 - 0.5 * at.y) * h - 9;
        // Words do not lie on each other: later ones go below.
        for (let k = 0; k < 8 && taken.some(([left, top, width]) => Math.abs(top - y) < 14 && left < x + wide && x < left + width); k++) y += 15;
        taken.push([x, y, wide]);
        halo(words, x, y, themed("--text"));
      }
    }
    const origin = [38, h - 38];
    const { camera } = this;
    const z = camera.direction();
    const right = unit(cross(camera.up, z));
    const above = cross(z, right);
    ["x", "y", "z"].forEach((name, k) => {
      const axis = [0, 1, 2].map((i) => (i === k ? 1 : 0));
      const [dx, dy] = [24 * dot(axis, right), -24 * dot(axis, above)];
      if (Math.hypot(dx, dy) < 2) return;
      pen.strokeStyle = themed("--soft");
      pen.lineWidth = 1.6;
      pen.beginPath();
      pen.moveTo(origin[0], origin[1]);
      pen.lineTo(origin[0] + dx, origin[1] + dy);
      pen.stroke();
      halo(name, origin[0] + 1.35 * dx - 3, origin[1] + 1.35 * dy + 4, themed("--soft"));
    });
  }

  tools() {
    const { camera } = this;
    const press = (words, what) => element("button", { type: "button", click: () => { what(); this.redraw(); } }, words);
    const keep = (words, key, on) => {
      this[key] = on;
      const button = element("button", {
        type: "button", "aria-pressed": String(on),
        click: () => {
          this[key] = !this[key];
          button.setAttribute("aria-pressed", String(this[key]));
          this.redraw();
        },
      }, words);
      return button;
    };
    const places = element("select", {
      "aria-label": "Look from",
      change: () => {
        if (places.value === "home") camera.home();
        else camera.preset(places.value);
        this.redraw();
      },
    });
    for (const [value, words] of [["home", "Home view"], ["front", "Front"], ["side", "Side"], ["top", "Top"]]) places.append(element("option", { value }, words));
    const tools = byId("tools");
    tools.append(places, keep("Follow", "follow", this.figures.travels), keep("Labels", "labels", this.figures.list.length <= 12));
    if (this.ways.length) tools.append(keep("Trails", "trails", true));
    tools.append(press("Picture", () => this.picture()));
    for (const [kind, { color, words }] of Object.entries(FORCES)) {
      if (!(this.figures.usual([kind]) > 0)) continue;
      // Both parts of reactions have one scale.
      const most = this.figures.usual(kind === "given" ? [kind] : ["ideal", "nonideal"]);
      this.most[kind] = most;
      this.scales[kind] = kind === "given" ? 0 : 1;
      const slider = element("input", {
        type: "range", min: 0, max: 3, step: 0.05, value: this.scales[kind], "aria-label": `Length of arrows: ${words}`,
        input: () => {
          this.scales[kind] = Number(slider.value);
          this.redraw();
        },
      });
      slider.style.accentColor = color;
      byId("forces").append(element("label", {}, words, slider));
      byId("forces").hidden = false;
    }
  }

  /** The picture as a file. */
  picture() {
    this.draw();
    this.canvas.toBlob((blob) => blob && save(`${fileName(this.model.data.title)}.png`, blob));
  }

  hands() {
    const { canvas, camera } = this;
    /** @type {Map<number, {x: number, y: number}>} */
    const down = new Map();
    const height = () => canvas.clientHeight || 1;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      canvas.classList.add("turning");
    });
    const up = (event) => {
      down.delete(event.pointerId);
      canvas.classList.remove("turning");
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointermove", (event) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
      if (down.size === 2) {
        const other = there([...down.entries()].find(([id]) => id !== event.pointerId))[1];
        const was = Math.hypot(before.x - other.x, before.y - other.y);
        const is = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        if (is > 0) camera.zoom(was / is);
        camera.pan(dx / 2 / height(), dy / 2 / height());
      } else if (camera.flat !== (event.shiftKey || event.buttons > 1)) camera.pan(dx / height(), dy / height());
      else camera.turn((-3 * dx) / height(), (3 * dy) / height());
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.redraw();
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      camera.zoom(Math.exp(0.0012 * event.deltaY));
      this.redraw();
    }, { passive: false });
    canvas.addEventListener("dblclick", () => {
      camera.home();
      this.redraw();
    });
    canvas.addEventListener("keydown", (event) => {
      const does = {
        ArrowLeft: () => camera.turn(-0.1, 0), ArrowRight: () => camera.turn(0.1, 0), ArrowUp: () => camera.turn(0, 0.1), ArrowDown: () => camera.turn(0, -0.1),
        "+": () => camera.zoom(0.85), "=": () => camera.zoom(0.85), "-": () => camera.zoom(1 / 0.85), Home: () => camera.home(),
      }[event.key];
      if (!does) return;
      event.preventDefault();
      does();
      this.redraw();
    });
  }
}
