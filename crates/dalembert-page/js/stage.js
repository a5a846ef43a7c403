// The animation: the scene, what stands beside it, and the hands that turn it.
import { byId, element, fileName, save, themed, there, withNextPicture } from "./dom.js";
import { FORCES } from "./figures.js";
import { Picture, rendererFor } from "./picture.js";
import { cross, dot, projected, unit } from "./vectors.js";

/** The picture and all that moves it. */
export class Stage extends Picture {
  /** @param {import("./data.js").PageModel} model @param {import("./player.js").Player} player */
  constructor(model, player) {
    super(model);
    this.player = player;
    this.redraw = withNextPicture(() => this.draw());
    this.canvas = byId("scene");
    this.overlay = byId("overlay");
    const view = byId("view").getBoundingClientRect();
    if (view.width > 0 && view.height > 0) this.camera.aspect = view.width / view.height;
    this.camera.home();
    this.labels = true;
    this.frame_ms = 0;
    try {
      this.paintBy(rendererFor(this.canvas));
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
    this.tools();
    this.hands();
    player.listen(() => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(byId("view"));
  }

  describe() {
    const names = this.figures.list.map((figure) => figure.label || figure.name);
    this.canvas.setAttribute("aria-label", `Animation of ${this.model.data.title}. Drawn: ${names.slice(0, 20).join(", ") || "nothing"}. Arrow keys turn it, plus and minus zoom, the space bar plays.`);
  }

  /** Shows another run, which the figures have taken; the ways of the one before stay as ghosts. @param {number} before the size that the scene had @param {boolean} keep whether they do */
  replace(before, keep) {
    const { figures, camera } = this;
    this.replaceRibbons(keep);
    const grown = figures.size / before;
    if (grown > 1.25 || grown < 0.6) camera.distance *= grown;
    if (!this.follow && (grown > 1.25 || grown < 0.6)) camera.target = figures.center.slice();
    this.redraw();
  }

  draw() {
    byId("clock").textContent = this.player.words();
    if (!this.renderer) return;
    const began = performance.now();
    const ratio = devicePixelRatio || 1;
    const box = byId("view").getBoundingClientRect();
    const [width, height] = [Math.max(1, Math.round(box.width * ratio)), Math.max(1, Math.round(box.height * ratio))];
    const view = this.paint(width, height, ratio, this.player.t);
    this.frame_ms = performance.now() - began;
    this.write(view, ratio, width, height);
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
