// One plot: curves over time or over each other, on a canvas or as SVG.
import { bracketed, shown, themed, there, unitText } from "./dom.js";
import { at } from "./data.js";
import { colorOf } from "./figures.js";
import { linearTicks, logTicks, tickText } from "./ticks.js";

/** Dashes tell curves apart where colours do not. */
export const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [12, 4], [1, 2], [6, 2, 1, 2, 1, 2]];

const MARGIN = { left: 62, right: 12, top: 10, bottom: 34 };

/** Draws on a canvas. */
class CanvasPen {
  /** @param {CanvasRenderingContext2D} pen */
  constructor(pen) {
    this.pen = pen;
  }
  /** @param {number[][]} points @param {string} color @param {number} width @param {number[]} [dash] */
  line(points, color, width, dash = []) {
    const { pen } = this;
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    let drawing = false;
    for (const [x, y] of points) {
      if (!Number.isFinite(x) || !Number.isFinite(y)) {
        drawing = false;
        continue;
      }
      if (drawing) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      drawing = true;
    }
    pen.stroke();
    pen.setLineDash([]);
  }
  /** @param {number} x @param {number} y @param {string} words @param {string} align @param {string} color @param {boolean} [turned] */
  text(x, y, words, align, color, turned = false) {
    const { pen } = this;
    pen.save();
    pen.translate(x, y);
    if (turned) pen.rotate(-Math.PI / 2);
    pen.fillStyle = color;
    pen.textAlign = /** @type {CanvasTextAlign} */ (align);
    pen.font = "11.5px system-ui, sans-serif";
    pen.fillText(words, 0, 0);
    pen.restore();
  }
  /** @param {number} x @param {number} y @param {number} r @param {string} color */
  dot(x, y, r, color) {
    const { pen } = this;
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.fill();
  }
  /** @param {number[]} box */
  clip(box) {
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(box[0], box[1], box[2], box[3]);
    this.pen.clip();
  }
  unclip() {
    this.pen.restore();
  }
}

/** Writes SVG. */
class SvgPen {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
  }
  line(points, color, width, dash = []) {
    let path = "";
    let drawing = false;
    for (const [x, y] of points) {
      if (!Number.isFinite(x) || !Number.isFinite(y)) {
        drawing = false;
        continue;
      }
      path += `${drawing ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`;
      drawing = true;
    }
    const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    this.parts.push(`<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linejoin="round"${dashes}/>`);
  }
  text(x, y, words, align, color, turned = false) {
    const anchor = { left: "start", right: "end", center: "middle" }[align];
    const safe = words.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
    const turn = turned ? ` transform="rotate(-90 ${x} ${y})"` : "";
    this.parts.push(`<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${color}"${turn}>${safe}</text>`);
  }
  dot(x, y, r, color) {
    this.parts.push(`<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${r}" fill="${color}"/>`);
  }
  clip(box) {
    this.parts.push(`<clipPath id="c"><rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}"/></clipPath><g clip-path="url(#c)">`);
  }
  unclip() {
    this.parts.push("</g>");
  }
}

/** A plot of columns over another. */
export class Plot {
  /** @param {import("./data.js").PageModel} model @param {string[]} names */
  constructor(model, names) {
    this.model = model;
    this.x = "t";
    this.log = false;
    /** @type {{column: any, color: string, dash: number[]}[]} */
    this.curves = [];
    this.over = model.columns[0];
    this.rangeX = [0, 1];
    this.rangeY = [0, 1];
    names.forEach((name) => this.add(name));
    this.reset();
  }

  /** @param {string} name */
  add(name) {
    const column = this.model.byName.get(name);
    if (!column || this.curves.some((curve) => curve.column === column)) return;
    const taken = new Set(this.curves.map((curve) => curve.color));
    let i = 0;
    while (taken.has(colorOf(i)) && i < 7) i++;
    this.curves.push({ column, color: colorOf(i), dash: DASHES[i % DASHES.length] });
    this.reset();
  }

  /** @param {string} name */
  remove(name) {
    this.curves = this.curves.filter((curve) => curve.column.name !== name);
    this.reset();
  }

  /** Shows everything. */
  reset() {
    const over = this.model.byName.get(this.x) || this.model.columns[0];
    this.over = over;
    this.rangeX = padded(rangeOf([over], this.model.rows, false), this.x === "t" ? 0 : 0.05, false);
    this.rangeY = padded(rangeOf(this.curves.map((curve) => curve.column), this.model.rows, this.log), 0.07, this.log);
  }

  /** @param {number} value */
  scaled(value) {
    return this.log ? Math.log10(Math.abs(value)) : value;
  }

  /** The frame within a picture of this size. @param {number} width @param {number} height */
  box(width, height) {
    return [MARGIN.left, MARGIN.top, width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom];
  }

  /** @param {number} width @param {number} height */
  scales(width, height) {
    const [left, top, w, h] = this.box(width, height);
    const [x0, x1] = this.rangeX;
    const [y0, y1] = this.rangeY;
    return {
      x: (value) => left + ((value - x0) / (x1 - x0)) * w,
      y: (value) => top + h - ((value - y0) / (y1 - y0)) * h,
      backX: (pixel) => x0 + ((pixel - left) / w) * (x1 - x0),
      backY: (pixel) => y0 + ((top + h - pixel) / h) * (y1 - y0),
    };
  }

  /** Points of a curve: of many samples in one column of pixels, the least and the most. @param {any} column @param {any} scale @param {number} width */
  points(column, scale, width) {
    const rows = this.model.rows;
    const whole = (i) => [scale.x(at(this.over.series, i)), scale.y(this.scaled(at(column.series, i)))];
    if (this.x !== "t" || rows < 4 * width) return Array.from({ length: rows }, (_, i) => whole(i));
    const points = [];
    const group = Math.ceil(rows / (2 * width));
    for (let i = 0; i < rows; i += group) {
      let [least, most] = [i, i];
      for (let j = i; j < Math.min(rows, i + group); j++) {
        if (at(column.series, j) < at(column.series, least)) least = j;
        if (at(column.series, j) > at(column.series, most)) most = j;
      }
      points.push(whole(Math.min(least, most)), whole(Math.max(least, most)));
    }
    points.push(whole(rows - 1));
    return points;
  }

  /** Points of a curve as it was in the run before. @param {any} column @param {any} scale */
  ghost(column, scale) {
    const over = this.over.ghost;
    if (!column.ghost || !over) return [];
    return Array.from(this.model.ghostTimes, (_, i) => [scale.x(at(over, i)), scale.y(this.scaled(at(column.ghost, i)))]);
  }

  /** @param {CanvasPen|SvgPen} pen @param {number} width @param {number} height @param {number|null} now */
  draw(pen, width, height, now) {
    const [left, top, w, h] = this.box(width, height);
    const scale = this.scales(width, height);
    const [ink, soft, grid] = [themed("--text"), themed("--soft"), themed("--line")];
    const ticksX = linearTicks(this.rangeX[0], this.rangeX[1], w / 80);
    const stepX = ticksX.length > 1 ? ticksX[1] - ticksX[0] : 1;
    for (const tick of ticksX) {
      pen.line([[scale.x(tick), top], [scale.x(tick), top + h]], grid, 1);
      pen.text(scale.x(tick), top + h + 15, tickText(tick, stepX), "center", soft);
    }
    const ticksY = this.log ? logTicks(this.rangeY[0], this.rangeY[1], h / 28) : linearTicks(this.rangeY[0], this.rangeY[1], h / 36);
    const stepY = ticksY.length > 1 ? ticksY[1] - ticksY[0] : 1;
    for (const tick of ticksY) {
      pen.line([[left, scale.y(tick)], [left + w, scale.y(tick)]], grid, 1);
      pen.text(left - 6, scale.y(tick) + 4, this.log ? `1e${tick}`.replace("-", "−") : tickText(tick, stepY), "right", soft);
    }
    pen.line([[left, top], [left, top + h], [left + w, top + h]], soft, 1);
    pen.text(left + w, top + h + 30, this.over.name + bracketed(this.over.unit), "right", ink);
    const units = new Set(this.curves.map((curve) => curve.column.unit || ""));
    if (units.size === 1) pen.text(13, top + h / 2, bracketed([...units][0]).trim(), "center", ink, true);
    pen.clip([left, top, w, h]);
    for (const curve of this.curves) pen.line(this.ghost(curve.column, scale), themed("--ghost"), 1.2, curve.dash);
    for (const curve of this.curves) pen.line(this.points(curve.column, scale, w), curve.color, 1.8, curve.dash);
    if (now !== null) {
      const x = scale.x(this.model.valueAt(this.over.series, now));
      if (this.x === "t") pen.line([[x, top], [x, top + h]], ink, 1);
      for (const curve of this.curves) {
        const y = scale.y(this.scaled(this.model.valueAt(curve.column.series, now)));
        if (Number.isFinite(y)) pen.dot(x, y, 4, curve.color);
      }
    }
    pen.unclip();
  }

  /** @param {HTMLCanvasElement} canvas @param {number} now */
  paint(canvas, now) {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width || !height) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = there(canvas.getContext("2d"));
    pen.scale(ratio, ratio);
    pen.fillStyle = themed("--panel");
    pen.fillRect(0, 0, width, height);
    this.draw(new CanvasPen(pen), width, height, now);
  }

  /** As SVG, with a legend. */
  svg() {
    const [width, height] = [760, 360];
    const pen = new SvgPen();
    this.draw(pen, width, height, null);
    this.curves.forEach((curve, i) => {
      const y = height + 18 + 18 * i;
      pen.line([[MARGIN.left, y - 4], [MARGIN.left + 34, y - 4]], curve.color, 2, curve.dash);
      pen.text(MARGIN.left + 42, y, curve.column.name + bracketed(curve.column.unit), "left", themed("--text"));
    });
    const all = height + 24 + 18 * this.curves.length;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${all}" viewBox="0 0 ${width} ${all}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="${themed("--panel")}"/>${pen.parts.join("")}</svg>`;
  }

  /** The numbers as comma-separated values, all digits. */
  csv() {
    const columns = [this.over, ...this.curves.map((curve) => curve.column).filter((column) => column !== this.over)];
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    const lines = [columns.map((column) => quoted(column.name)).join(",")];
    for (let i = 0; i < this.model.rows; i++) lines.push(columns.map((column) => digits(column.series, i)).join(","));
    return lines.join("\n") + "\n";
  }

  /** What is seen, in words. @param {number} now */
  words(now) {
    const values = this.curves.map((curve) => `${curve.column.name} = ${shown(this.model.valueAt(curve.column.series, now))}${unitText(curve.column.unit)}`);
    return `Plot over ${this.over.name}. ${values.join(", ") || "No curve."}`;
  }
}

/** A number with the digits that it has. @param {import("./data.js").Series} series @param {number} i */
function digits(series, i) {
  const value = at(series, i);
  return String(series.values instanceof Float32Array ? Number(value.toPrecision(8)) : value);
}

/** Least and most of columns; of their sizes' exponents, if asked for. @param {any[]} columns @param {number} rows @param {boolean} log */
function rangeOf(columns, rows, log) {
  let [least, most] = [Infinity, -Infinity];
  for (const column of columns) {
    for (let i = 0; i < (column.series.values ? rows : 1); i++) {
      let value = at(column.series, i);
      if (log) value = Math.log10(Math.abs(value));
      if (!Number.isFinite(value)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return least <= most ? [least, most] : log ? [-16, 0] : [0, 1];
}

/** A range with room around it, also where it is empty. @param {number[]} range @param {number} part @param {boolean} log */
function padded([least, most], part, log) {
  let room = part * (most - least);
  // What only rounding moves is shown as the constant that it is.
  const size = log ? 0 : Math.max(Math.abs(least), Math.abs(most));
  if (most - least <= 1e-9 * size) room = 0.05 * size;
  if (!(most - least > 0) && room === 0) room = part > 0 || most === least ? 1 : 0;
  return [least - room, most + room];
}
