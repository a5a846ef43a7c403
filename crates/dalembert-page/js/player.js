// Time: it runs, stops, is set, and tells those who listen.
import { byId, element, shown, themed, unitText } from "./dom.js";

/** Speeds that can be chosen, as parts of real time. */
const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Time, and the controls of it. */
export class Player {
  /** @param {import("./data.js").PageModel} model */
  constructor(model) {
    this.model = model;
    this.t = model.begin;
    this.playing = false;
    this.loop = true;
    const length = model.end - model.begin;
    // As fast as it is, unless it would be over at once or take minutes.
    const wanted = length > 0 ? Math.min(Math.max(1, length / 40), length / 2.5) : 1;
    this.speed = SPEEDS.reduce((best, speed) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best));
    if (length >= 2.5 && length <= 40) this.speed = 1;
    /** @type {((t: number) => void)[]} */
    this.listeners = [];
    this.build();
    this.last = 0;
  }

  /** @param {(t: number) => void} listener */
  listen(listener) {
    this.listeners.push(listener);
  }

  /** @param {number} t */
  set(t) {
    this.t = Math.min(this.model.end, Math.max(this.model.begin, t));
    this.slider.value = String(this.t);
    this.slider.setAttribute("aria-valuetext", `t = ${shown(this.t, 4)} s`);
    for (const listener of this.listeners) listener(this.t);
  }

  /** @param {boolean} playing */
  play(playing) {
    if (playing && this.t >= this.model.end) this.set(this.model.begin);
    this.playing = playing && this.model.end > this.model.begin;
    this.button.textContent = this.playing ? "Pause" : "Play";
    this.button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.last = performance.now();
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now milliseconds */
  tick(now) {
    if (!this.playing) return;
    const passed = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    let t = this.t + passed * this.speed;
    if (t >= this.model.end) {
      if (!this.loop) {
        this.set(this.model.end);
        this.play(false);
        return;
      }
      t = this.model.begin;
    }
    this.set(t);
    requestAnimationFrame((next) => this.tick(next));
  }

  /** To a sample before or after this one. @param {number} by */
  step(by) {
    this.play(false);
    const [i, part] = this.model.place(this.t);
    const index = by < 0 && part > 0 ? i : i + by;
    this.set(this.model.times[Math.min(this.model.rows - 1, Math.max(0, index))]);
  }

  build() {
    const { model } = this;
    this.slider = element("input", {
      type: "range", min: model.begin, max: model.end, step: "any", value: model.begin, "aria-label": "Time",
      input: () => {
        this.play(false);
        this.set(Number(this.slider.value));
      },
    });
    this.marks = element("canvas", { "aria-hidden": "true" });
    byId("timeline").append(this.marks, this.slider);
    this.button = element("button", { type: "button", class: "main", click: () => this.play(!this.playing) }, "Play");
    const speed = element("select", { "aria-label": "Speed", change: () => (this.speed = Number(speed.value)) });
    for (const value of SPEEDS) {
      const text = value < 1 ? `1/${Math.round(1 / value)} speed` : value === 1 ? "real time" : `${value}× speed`;
      speed.append(element("option", { value, selected: value === this.speed }, text));
    }
    const loop = element("button", {
      type: "button", "aria-pressed": "true",
      click: () => {
        this.loop = !this.loop;
        loop.setAttribute("aria-pressed", String(this.loop));
      },
    }, "Loop");
    const back = element("button", { type: "button", "aria-label": "One sample back", title: "One sample back (,)", click: () => this.step(-1) }, "◂|");
    const forth = element("button", { type: "button", "aria-label": "One sample on", title: "One sample on (.)", click: () => this.step(1) }, "|▸");
    byId("player").append(this.button, back, forth, speed, loop);
    this.events = element("select", { "aria-label": "Go to an event", change: () => this.go() });
    this.listEvents();
    byId("player").append(this.events);
    byId("player").append(element("span", { class: "spring" }));
    this.drawMarks();
    addEventListener("resize", () => this.drawMarks());
  }

  /** Takes notice of another run. */
  replace() {
    const { model } = this;
    this.slider.min = String(model.begin);
    this.slider.max = String(model.end);
    this.listEvents();
    this.set(this.t);
    this.drawMarks();
  }

  listEvents() {
    const { events } = this.model.data;
    this.events.replaceChildren(element("option", { value: "" }, `Events (${events.length})`));
    events.slice(0, 500).forEach((event, i) => this.events.append(element("option", { value: i }, `${shown(event.t, 5)} s  ${event.what}`)));
    this.events.hidden = events.length === 0;
  }

  go() {
    if (this.events.value === "") return;
    this.play(false);
    this.set(this.model.data.events[Number(this.events.value)].t);
  }

  /** Events on the time line. */
  drawMarks() {
    const { model, marks } = this;
    const events = model.data.events;
    marks.hidden = events.length === 0;
    if (marks.hidden) return;
    const ratio = devicePixelRatio || 1;
    const width = marks.clientWidth || 300;
    marks.width = width * ratio;
    marks.height = 14 * ratio;
    const pen = marks.getContext("2d");
    pen.scale(ratio, ratio);
    pen.fillStyle = themed("--warn");
    const length = model.end - model.begin || 1;
    for (const event of events) {
      // The thumb of a slider is about 16 pixels wide.
      const x = 8 + ((event.t - model.begin) / length) * (width - 16);
      pen.beginPath();
      pen.moveTo(x, 13);
      pen.lineTo(x - 4, 4);
      pen.lineTo(x + 4, 4);
      pen.fill();
    }
  }

  /** Time in words. */
  words() {
    const column = this.model.columns[0];
    const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10((this.model.end - this.model.begin) || 1))));
    return `t = ${this.t.toFixed(digits)}${unitText(column.unit)}`;
  }
}
