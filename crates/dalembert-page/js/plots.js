// The panel of plots: which there are, what they show, and the hands that move them.
import { byId, element, fileName, save, shown, unitText, withNextPicture } from "./dom.js";
import { Plot } from "./plot.js";

/** All plots of the page. */
export class Plots {
  /** @param {import("./data.js").PageModel} model @param {import("./player.js").Player} player */
  constructor(model, player) {
    this.model = model;
    this.player = player;
    this.redraw = withNextPicture(() => this.draw());
    this.panel = byId("panel-plots");
    /** @type {{plot: Plot, canvas: any, node: any, chips: any}[]} */
    this.list = [];
    this.more = element("button", { type: "button", click: () => this.add([]) }, "Add a plot");
    this.panel.append(this.more);
    for (const names of model.data.plots) this.add(names);
    player.listen(() => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.panel);
  }

  draw() {
    for (const { plot, canvas, chips } of this.list) {
      plot.paint(canvas, this.player.t);
      plot.curves.forEach((curve, i) => {
        const now = chips.children[i] && chips.children[i].querySelector(".now");
        if (now) now.textContent = shown(this.model.valueAt(curve.column.series, this.player.t)) + unitText(curve.column.unit);
      });
      if (!this.player.playing) canvas.setAttribute("aria-label", plot.words(this.player.t));
    }
  }

  /** Takes notice of another run: everything is shown, with the one before. */
  replace() {
    for (const { plot } of this.list) plot.reset();
    this.redraw();
  }

  /** @param {string[]} names */
  add(names) {
    const plot = new Plot(this.model, names);
    if (names.some((name) => name.startsWith("residual."))) plot.log = true;
    plot.reset();
    const canvas = element("canvas", { tabindex: "0", role: "img" });
    const chips = element("span", { class: "bar" });
    const entry = { plot, canvas, chips, node: null };
    const choice = (label, first, change) => {
      const list = element("select", { "aria-label": label, change: () => { change(list.value); list.value = first === null ? list.value : ""; this.redraw(); } });
      if (first !== null) list.append(element("option", { value: "" }, first));
      for (const column of this.model.columns) list.append(element("option", { value: column.name }, column.name));
      return list;
    };
    const curve = choice("Add a curve", "+ curve", (name) => {
      plot.add(name);
      this.chips(entry);
    });
    const over = choice("Over", null, (name) => {
      plot.x = name;
      plot.reset();
    });
    const log = element("input", { type: "checkbox", change: () => { plot.log = log.checked; plot.reset(); this.redraw(); } });
    log.checked = plot.log;
    const file = element("select", { "aria-label": "Save this plot", change: () => { this.save(entry, file.value); file.value = ""; } });
    for (const [value, words] of [["", "Save"], ["png", "PNG"], ["svg", "SVG"], ["csv", "CSV"]]) file.append(element("option", { value }, words));
    const whole = element("button", { type: "button", title: "Show everything (0)", click: () => { plot.reset(); this.redraw(); } }, "Fit");
    const close = element("button", { type: "button", "aria-label": "Remove this plot", click: () => this.remove(entry) }, "×");
    const bar = element("div", { class: "bar" }, curve, element("label", {}, "over", over), element("label", {}, log, "log"), whole, file);
    const head = element("div", { class: "bar head" }, chips, element("span", { class: "spring" }), close);
    entry.node = element("div", { class: "plot" }, head, canvas, bar);
    this.more.before(entry.node);
    this.list.push(entry);
    this.chips(entry);
    this.hands(entry);
    this.redraw();
    return entry;
  }

  /** @param {any} entry */
  remove(entry) {
    this.list = this.list.filter((other) => other !== entry);
    entry.node.remove();
    this.more.focus();
  }

  /** Names, marks and values of the curves. @param {any} entry */
  chips(entry) {
    const { plot, chips } = entry;
    chips.replaceChildren();
    for (const curve of plot.curves) {
      const name = curve.column.name;
      const mark = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      mark.setAttribute("viewBox", "0 0 22 8");
      mark.setAttribute("aria-hidden", "true");
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("d", "M0 4H22");
      line.setAttribute("stroke", curve.color);
      line.setAttribute("stroke-width", "3");
      line.setAttribute("stroke-dasharray", curve.dash.join(" "));
      mark.append(line);
      const away = element("button", { type: "button", "aria-label": `Remove ${name}`, click: () => { plot.remove(name); this.chips(entry); this.redraw(); } }, "×");
      chips.append(element("span", { class: "chip" }, mark, name, element("span", { class: "now" }), away));
    }
  }

  /** @param {any} entry @param {string} kind */
  save(entry, kind) {
    const { plot, canvas } = entry;
    const name = fileName(`${this.model.data.title} ${plot.curves.map((curve) => curve.column.name).join(" ")}`).slice(0, 60);
    if (kind === "png") canvas.toBlob((blob) => blob && save(`${name}.png`, blob));
    if (kind === "svg") save(`${name}.svg`, new Blob([plot.svg()], { type: "image/svg+xml" }));
    if (kind === "csv") save(`${name}.csv`, new Blob([plot.csv()], { type: "text/csv" }));
  }

  /** Drags, wheels and keys. @param {any} entry */
  hands({ plot, canvas }) {
    /** @type {{x: number, y: number, rangeX: number[], rangeY: number[], moved: boolean} | null} */
    let from = null;
    const scaleOf = () => plot.scales(canvas.clientWidth, canvas.clientHeight);
    const zoom = (factor, x, y) => {
      const around = (range, center) => range.map((end) => center + (end - center) * factor);
      plot.rangeX = around(plot.rangeX, x);
      if (y !== null) plot.rangeY = around(plot.rangeY, y);
      this.redraw();
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      from = { x: event.offsetX, y: event.offsetY, rangeX: plot.rangeX, rangeY: plot.rangeY, moved: false };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [dx, dy] = [event.offsetX - from.x, event.offsetY - from.y];
      from.moved = from.moved || Math.hypot(dx, dy) > 3;
      if (!from.moved) return;
      const [, , w, h] = plot.box(canvas.clientWidth, canvas.clientHeight);
      const moved = (range, part) => range.map((end) => end - part * (range[1] - range[0]));
      plot.rangeX = moved(from.rangeX, dx / w);
      plot.rangeY = moved(from.rangeY, -dy / h);
      this.redraw();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (from && !from.moved) this.point(plot, canvas, event);
      from = null;
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const scale = scaleOf();
      zoom(Math.exp(0.0012 * event.deltaY), scale.backX(event.offsetX), event.shiftKey ? null : scale.backY(event.offsetY));
    }, { passive: false });
    canvas.addEventListener("dblclick", () => {
      plot.reset();
      this.redraw();
    });
    canvas.addEventListener("keydown", (event) => {
      const middle = (range) => (range[0] + range[1]) / 2;
      const shift = (part) => (plot.rangeX = plot.rangeX.map((end) => end + part * (plot.rangeX[1] - plot.rangeX[0])));
      const does = {
        "+": () => zoom(0.8, middle(plot.rangeX), middle(plot.rangeY)), "=": () => zoom(0.8, middle(plot.rangeX), middle(plot.rangeY)),
        "-": () => zoom(1.25, middle(plot.rangeX), middle(plot.rangeY)), 0: () => plot.reset(), ArrowLeft: () => shift(-0.1), ArrowRight: () => shift(0.1),
      }[event.key];
      if (!does) return;
      event.preventDefault();
      does();
      this.redraw();
    });
  }

  /** Goes to the time that is pointed at. @param {Plot} plot @param {any} canvas @param {PointerEvent} event */
  point(plot, canvas, event) {
    const scale = plot.scales(canvas.clientWidth, canvas.clientHeight);
    this.player.play(false);
    if (plot.x === "t") {
      this.player.set(scale.backX(event.offsetX));
      return;
    }
    let [best, nearest] = [0, Infinity];
    for (const curve of plot.curves) {
      plot.points(curve.column, scale, Infinity).forEach(([x, y], i) => {
        const distance = Math.hypot(x - event.offsetX, y - event.offsetY);
        if (distance < nearest) [best, nearest] = [i, distance];
      });
    }
    if (nearest < 40) this.player.set(this.model.times[best]);
  }
}
