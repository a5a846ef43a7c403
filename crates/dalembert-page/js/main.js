// The page: reads its data, builds its parts, and lets others ask.
import { byId, element } from "./dom.js";
import { PageModel, opened, seriesFrom } from "./data.js";
import { Figures } from "./figures.js";
import { Live } from "./live.js";
import { Player } from "./player.js";
import { Stage } from "./stage.js";
import { Plots } from "./plots.js";
import { Equations } from "./equations.js";
import { refreshReports, showReports, showSource } from "./reading.js";

const TABS = [["plots", "Plots"], ["equations", "Equations"], ["reports", "Report"], ["model", "Model file"]];

/** Shows one panel of several. @param {string} name @param {() => void} changed */
function openTab(name, changed) {
  for (const [other] of TABS) {
    const tab = byId(`tab-${other}`);
    tab.setAttribute("aria-selected", String(other === name));
    tab.tabIndex = other === name ? 0 : -1;
    byId(`panel-${other}`).hidden = other !== name;
  }
  changed();
}

/** @param {() => void} changed */
function buildTabs(changed) {
  const list = byId("tabs");
  TABS.forEach(([name, words], i) => {
    const tab = element("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, click: () => openTab(name, changed),
      keydown: (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        const [next] = TABS[(i + by + TABS.length) % TABS.length];
        openTab(next, changed);
        byId(`tab-${next}`).focus();
      },
    }, words);
    list.append(tab);
    const panel = byId(`panel-${name}`);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
  });
}

/** Light or dark, as the reader's system has it until he says otherwise. @param {() => void} changed */
function buildTheme(changed) {
  const root = document.documentElement;
  const asked = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    root.dataset.theme = asked.matches ? "dark" : "light";
    changed();
  };
  asked.addEventListener("change", follow);
  byId("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    changed();
  });
  follow();
}

/** Keys that work wherever no one writes. @param {Player} player */
function buildKeys(player) {
  addEventListener("keydown", (event) => {
    const node = /** @type {HTMLElement} */ (event.target);
    if (/^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(node.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const does = { " ": () => player.play(!player.playing), ",": () => player.step(-1), ".": () => player.step(1), End: () => player.set(player.model.end) }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
}

/**
 * Shows another run: of the simulator, or a page that a server has sent.
 * @param {any} answer @param {string} changed what was changed since the run that was recorded @param {any} parts
 */
function showRun(answer, changed, { model, player, stage, plots, equations }) {
  const { figures } = stage;
  const before = figures.size;
  if (answer.page) {
    const { page } = answer;
    model.replace((name) => page.byName.get(name)?.series, answer.keep);
    model.data.events = page.data.events;
    model.data.parameters = page.data.parameters;
    model.data.reports = page.data.reports;
    const other = new Figures(page);
    other.model = model;
    figures.become(other);
  } else {
    const places = new Map(model.data.live.run.columns.map(([name], c) => [name, c]));
    model.replace((name) => (places.has(name) ? seriesFrom(answer.columns[places.get(name)]) : undefined), answer.keep);
    model.data.parameters.forEach((parameter, i) => (parameter.value = answer.parameters[i]));
    model.data.events = answer.events;
    figures.replace(answer.scene);
  }
  stage.replace(before, answer.keep);
  plots.replace();
  player.replace();
  equations.refresh();
  refreshReports(model, answer.page ? "" : changed);
}

/** Builds the page; what others ask of it is put into `door`. @param {any} door */
async function start(door) {
  const began = performance.now();
  const data = await opened(byId("data").textContent);
  const model = new PageModel(data);
  const player = new Player(model);
  /** @type {(() => void)[]} */
  const parts = [];
  const changed = () => parts.forEach((part) => part());
  buildTheme(changed);
  buildTabs(changed);
  const stage = new Stage(model, player);
  const plots = new Plots(model, player);
  const equations = new Equations(model, player);
  showReports(model);
  showSource(model);
  buildKeys(player);
  const live = new Live(model, (answer) => showRun(answer, live.changes(), { model, player, stage, plots, equations }));
  parts.push(() => stage.redraw(), () => plots.redraw(), () => equations.refresh(), () => player.drawMarks());
  openTab("plots", changed);
  player.set(model.begin);
  stage.draw();
  plots.draw();
  const asked = live.open(location.hash) ? live.simulate() : Promise.resolve();
  addEventListener("hashchange", () => live.open(location.hash) && live.simulate());
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches && !location.hash.includes("still")) player.play(true);
  const ready_ms = performance.now() - began;
  const asked_for = {
    model,
    data,
    stage,
    plots,
    player,
    live,
    /** Changes a value of a slider; the next run has it. @param {string} name @param {number | string} value */
    set: (name, value) => live.set(name, value),
    /** Runs with the values as they are: a promise of columns by name. */
    simulate: () => live.simulate(),
    /** Lets a server run what the page does not. */
    get remote() {
      return live.remote;
    },
    set remote(run) {
      if (run) live.connect(run);
    },
    /** All values as they were recorded. */
    reset: () => live.reset(),
    /** Shows a time, at once. @param {number} t */
    frame(t) {
      player.play(false);
      player.set(t);
      stage.draw();
      plots.draw();
      return stage.frame_ms;
    },
  };
  Object.defineProperties(door, Object.getOwnPropertyDescriptors(asked_for));
  return { asked, ready_ms };
}

/** What tests and other pages ask; there is all of it when it is ready. @type {any} */
const door = {};
door.built = start(door);
door.ready = door.built.then(({ asked, ready_ms }) => asked.then(() => ready_ms));
Object.defineProperty(globalThis, "dalembert", { value: door });
