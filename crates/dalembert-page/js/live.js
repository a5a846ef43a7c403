// Sliders: values that can be changed, the runs that follow from them, and what is said about these.
import { byId, element, shown, unitText } from "./dom.js";
import { PageModel } from "./data.js";
import { Units } from "./units.js";

/** Milliseconds after which a run is given up, and after which it is told that one is under way. */
const LONGEST = 30000;
const SLOW = 300;

/** What runs the model: a worker that the page makes of its own text; the next move ends the run that is under way. */
class Simulator {
  /** @param {any} live */
  constructor(live) {
    this.live = { run: live.run, scene: live.scene };
    this.module = WebAssembly.compile(live.module.bytes);
    this.address = URL.createObjectURL(new Blob([byId("simulator").textContent], { type: "text/javascript" }));
    this.count = 0;
    /** @type {((answer: any) => void) | null} */
    this.waiting = null;
    /** @type {Promise<Worker>} */
    this.ready = this.make();
  }

  async make() {
    const module = await this.module;
    const worker = new Worker(this.address);
    worker.postMessage({ module, live: this.live });
    return worker;
  }

  /** Runs a setting; null if another one came before it was done. @param {any} setting @returns {Promise<any>} */
  async run(setting) {
    const id = ++this.count;
    if (this.waiting) {
      const { waiting, ready } = this;
      this.waiting = null;
      waiting(null);
      ready.then((worker) => worker.terminate());
      this.ready = this.make();
    }
    const worker = await this.ready;
    if (id !== this.count) return null;
    return new Promise((resolve) => {
      const givenUp = setTimeout(() => {
        if (id !== this.count) return;
        this.waiting = null;
        worker.terminate();
        this.ready = this.make();
        resolve({ refused: `the run is not over after ${LONGEST / 1000} s, and was given up` });
      }, LONGEST);
      this.waiting = (answer) => {
        clearTimeout(givenUp);
        resolve(answer);
      };
      worker.onmessage = ({ data }) => {
        if (data.id !== id) return;
        this.waiting = null;
        clearTimeout(givenUp);
        resolve(data.answer);
      };
      worker.onerror = (event) => {
        this.waiting = null;
        clearTimeout(givenUp);
        resolve({ refused: `the simulator failed: ${event.message}` });
      };
      worker.postMessage({ id, setting });
    });
  }
}

/** The panel of sliders. */
export class Live {
  /** @param {PageModel} model @param {(change: any) => void} show what shows another run */
  constructor(model, show) {
    this.model = model;
    this.show = show;
    const { data } = model;
    this.sliders = data.sliders;
    this.units = new Units(data.units);
    /** What is wrong with the address, told beside the run that follows from it. */
    this.remark = "";
    /** What was typed and is no value, in words, until something is changed. */
    this.refusal = "";
    /** Of which values the run that is shown is, in words. */
    this.shown = "the run that was recorded";
    /** @type {Map<string, number>} values that differ from those of the run that was recorded */
    this.values = new Map();
    this.panel = byId("sliders");
    this.simulator = data.live ? new Simulator(data.live) : null;
    /** @type {((set: Record<string, number>, signal: AbortSignal) => Promise<any>) | null} who runs what the page does not */
    this.remote = null;
    /** @type {AbortController | null} */
    this.request = null;
    /** @type {any} the slider that is dragged */
    this.hand = null;
    /** @type {any} what tells that a run takes long */
    this.slow = 0;
    /** @type {Map<string, any>} */
    this.controls = new Map();
    this.state = element("p", { class: "state", role: "status", "aria-live": "polite" });
    this.build();
  }

  /** Whether values can be changed. */
  get runs() {
    return (this.simulator !== null || this.remote !== null) && this.sliders.length > 0;
  }

  build() {
    const { data } = this.model;
    if (!this.runs) {
      if (!data.not_live) return;
      this.panel.append(element("p", { class: "state" }, `This is the run that was recorded. The model does not run in its page: ${data.not_live}. `, element("code", {}, `dalembert serve ${data.file}`), " runs it with other values."));
      this.panel.hidden = false;
      return;
    }
    const reset = element("button", { type: "button", click: () => this.reset() }, "Reset");
    this.link = element("button", { type: "button", title: "Copies the address of this page with these values", click: () => this.copy() }, "Copy link");
    const list = element("div", { class: "list" });
    for (const [words, parameter] of /** @type {[string, boolean][]} */ ([["parameters", true], ["start", false]])) {
      const own = this.sliders.filter((slider) => slider.parameter === parameter);
      if (!own.length) continue;
      list.append(element("fieldset", {}, element("legend", {}, words), ...own.map((slider) => this.control(slider))));
    }
    const head = element("summary", {}, "Change it");
    const whole = element("details", {}, head, element("div", { class: "bar" }, reset, this.link, this.state), list);
    whole.open = this.sliders.length <= 16 || innerWidth > 860;
    this.panel.append(whole);
    this.panel.hidden = false;
  }

  /** @param {any} slider */
  control(slider) {
    const { name, unit, range, log } = slider;
    const [low, high] = range;
    // Equal ways are equal factors on a logarithmic scale.
    const place = (value) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
    const value = (part) => (log ? low * (high / low) ** part : low + part * (high - low));
    const id = `slider-${this.controls.size}`;
    const input = element("input", {
      type: "range", min: 0, max: 1, step: 0.001, id, "aria-label": `${name}${unitText(unit)}`,
      input: () => this.change(name, Number(value(Number(input.value)).toPrecision(5)), input),
      change: () => (this.hand = null),
    });
    const field = element("input", {
      type: "text", inputmode: "decimal", size: 8, "aria-label": `${name} as a number`,
      change: () => {
        const typed = this.units.value(field.value, unit);
        if ("value" in typed) this.change(name, typed.value);
        else {
          // A run that is under way may end later: what was refused stays told.
          this.refusal = `${name}: ${typed.wrong}`;
          this.say(this.refusal, true);
        }
      },
      blur: () => this.write(slider),
    });
    const label = element("label", { for: id, title: slider.meaning }, name);
    const node = element("div", { class: "slider" }, label, input, field, element("span", { class: "unit" }, unitText(unit).trim()));
    this.controls.set(name, { slider, input, field, node, place });
    this.write(slider);
    return node;
  }

  /** Writes the value of a slider where it stands. @param {any} slider */
  write(slider) {
    const { input, field, node, place } = this.controls.get(slider.name);
    const value = this.valueOf(slider);
    input.value = String(Math.min(1, Math.max(0, place(value))));
    input.setAttribute("aria-valuetext", shown(value, 5) + unitText(slider.unit));
    if (document.activeElement !== field || this.hand) field.value = shown(value, 5);
    node.classList.toggle("changed", this.values.has(slider.name));
  }

  /** @param {any} slider */
  valueOf(slider) {
    return this.values.has(slider.name) ? /** @type {number} */ (this.values.get(slider.name)) : slider.value;
  }

  /** Changes a value, and runs. @param {string} name @param {number} value @param {any} [hand] what is dragged */
  change(name, value, hand = null) {
    this.set(name, value);
    // While one slider is dragged, the run before that stays the ghost.
    const keep = hand === null || this.hand !== hand;
    this.hand = hand;
    return this.simulate(keep);
  }

  /** Changes a value, a number or a text with a unit; the next run has it. @param {string} name @param {number | string} given */
  set(name, given) {
    const control = this.controls.get(name);
    if (!this.runs) throw new Error(this.cannot);
    if (!control) throw new Error(`there is no slider ${name}: ${[...this.controls.keys()].join(", ")}`);
    const read = typeof given === "string" ? this.units.value(given, control.slider.unit) : { value: given };
    if ("wrong" in read) throw new Error(`${name}: ${read.wrong}`);
    const { value } = read;
    if (!Number.isFinite(value)) throw new Error(`${name} cannot be ${value}`);
    this.refusal = "";
    if (value === control.slider.value) this.values.delete(name);
    else this.values.set(name, value);
    this.write(control.slider);
  }

  /** Why nothing can be changed. */
  get cannot() {
    return this.model.data.not_live ? `the model does not run in its page: ${this.model.data.not_live}` : "nothing can be changed here";
  }

  /** All as it was recorded. */
  reset() {
    if (!this.runs) throw new Error(this.cannot);
    this.refusal = "";
    this.values.clear();
    this.sliders.forEach((slider) => this.write(slider));
    return this.simulate();
  }

  /** Runs with the values as they are; gives the columns by name, or null if other values came before it was done. */
  async simulate(keep = true) {
    if (!this.runs) throw new Error(this.cannot);
    const began = performance.now();
    if (this.request) this.request.abort();
    const changes = this.changes();
    clearTimeout(this.slow);
    this.slow = setTimeout(() => this.say("running …"), SLOW);
    let answer = this.simulator ? await this.simulator.run(this.setting()) : await this.ask();
    // What the page cannot go through or does not decide is run by its server, if it has one.
    if (answer && this.simulator && this.remote && (answer.refused || answer.stopped)) answer = await this.ask();
    if (answer === null) return null;
    clearTimeout(this.slow);
    this.writeLink();
    if (answer.refused) {
      // What stays in sight is of other values.
      this.say([answer.refused, this.remark, `shown is still ${this.shown}`].filter(Boolean).join("; "), true);
      this.remark = "";
      return null;
    }
    this.shown = changes ? `the run with ${changes}` : "the run that was recorded";
    this.show({ ...answer, keep });
    this.tell(answer, performance.now() - began);
    return Object.fromEntries(this.model.columns.map((column) => [column.name, column.series.values || column.series.constant]));
  }

  /** The values as the simulator takes them. */
  setting() {
    const setting = { parameters: {}, start: {} };
    for (const slider of this.sliders) if (this.values.has(slider.name)) setting[slider.parameter ? "parameters" : "start"][slider.index] = this.values.get(slider.name);
    return setting;
  }

  /** Lets a server run what the page does not. @param {(set: Record<string, number>, signal: AbortSignal) => Promise<any>} run */
  connect(run) {
    this.remote = run;
    if (this.simulator) return;
    this.panel.replaceChildren();
    this.controls.clear();
    this.build();
    if (this.open(location.hash)) this.simulate();
  }

  /** Asks the server that the page comes from. @returns {Promise<any>} */
  async ask() {
    if (this.request) this.request.abort();
    const request = new AbortController();
    this.request = request;
    try {
      const { remote } = this;
      const data = remote && (await remote(Object.fromEntries(this.values), request.signal));
      return data.status === "error" ? { refused: data.diagnostics || "the run failed" } : { page: new PageModel(data) };
    } catch (error) {
      return request.signal.aborted ? null : { refused: `the server does not answer: ${error instanceof Error ? error.message : error}` };
    }
  }

  /** What differs from the run that was recorded, in words. */
  changes() {
    return this.sliders.filter(({ name }) => this.values.has(name)).map((slider) => `${slider.name} = ${shown(this.valueOf(slider), 5)}${unitText(slider.unit)}`).join(", ");
  }

  /** What is to be said about a run. @param {any} answer @param {number} ms */
  tell(answer, ms) {
    const all = answer.moved || [];
    const moved = all.slice(0, 3).map((it) => `${it.name} moved from ${shown(it.given, 4)} to ${shown(it.found, 4)}${unitText(this.model.byName.get(it.name)?.unit)}`);
    if (all.length > moved.length) moved.push(`and ${all.length - moved.length} more`);
    const words = [`${answer.steps === undefined ? "done" : `${answer.steps} steps`} in ${Math.max(1, Math.round(ms))} ms`];
    if (moved.length) words.push(`to meet the constraints ${moved.join(", ")}`);
    if (answer.stopped) words.unshift(`stopped: ${answer.stopped}`);
    const told = [this.refusal, this.remark].filter(Boolean);
    this.say([...told, ...words].join("; "), Boolean(answer.stopped || told.length));
    this.remark = "";
  }

  /** @param {string} words @param {boolean} [wrong] */
  say(words, wrong = false) {
    this.state.textContent = words;
    this.state.classList.toggle("notice", wrong);
  }

  /** The values as the part of an address behind #. */
  hash() {
    return [...this.values].map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join("&");
  }

  writeLink() {
    try {
      history.replaceState(null, "", `#${this.hash()}`);
    } catch {
      // A page inside another may not.
    }
  }

  async copy() {
    this.writeLink();
    try {
      // A page inside another, as in a notebook, has no address of its own.
      const own = location.protocol !== "about:";
      await navigator.clipboard.writeText(own ? location.href : `#${this.hash()}`);
      this.say(own ? "the link is copied" : "copied: write it behind the address of this page where it is saved as a file");
    } catch {
      this.say("the address of this page is the link");
    }
  }

  /** Takes the values of an address, and no others; whether there are any. @param {string} hash */
  open(hash) {
    const wrong = [];
    /** @type {[string, number][]} */
    const values = [];
    for (const part of hash.replace(/^#/, "").split("&")) {
      const at = part.indexOf("=");
      if (at < 0) continue;
      let name = part.slice(0, at);
      let text = part.slice(at + 1);
      try {
        [name, text] = [decodeURIComponent(name), decodeURIComponent(text)];
      } catch {
        wrong.push(`${part} cannot be read`);
        continue;
      }
      const control = this.controls.get(name);
      const read = control && this.units.value(text, control.slider.unit);
      if (!read) wrong.push(`there is no ${name} to change`);
      else if ("wrong" in read) wrong.push(`${name}: ${read.wrong}`);
      else values.push([name, read.value]);
    }
    if (!this.runs || (!values.length && !wrong.length)) return false;
    this.values.clear();
    this.sliders.forEach((slider) => this.write(slider));
    for (const [name, value] of values) this.set(name, value);
    if (wrong.length) this.remark = `the address asks for what cannot be: ${wrong.join(", ")}`;
    return true;
  }
}
