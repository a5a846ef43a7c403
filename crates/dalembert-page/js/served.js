// A page that comes from `dalembert serve`: what the server says of the model file, and the page anew when the file has changed.
import { byId, element } from "./dom.js";

/**
 * @typedef {{edition: number, trouble: ({kind: string, text: string}|null), working: (number|null)}} News  what the server says
 */

/** What a page was looked at with, kept for the next edition. */
const KEPT = "dalembert.kept";
/** Work that is shorter is not spoken of, in milliseconds. */
const NOTICED = 400;
/** The server is asked again after so long, in milliseconds. */
const AGAIN = 2000;

/** Words above what the server says is wrong. @type {Record<string, string>} */
const HEADINGS = {
  refused: "The model file is not right yet; below is the last motion that it gave",
  first: "The model file is not right yet",
  stopped: "The run stopped on its way; below is what it reached",
};

/** The line of a diagnostic, with what its parts are. @param {string} line */
function diagnosticLine(line) {
  const rules = [
    ["severe", /^(error|warning)(\[\w+\])?/], ["frame", /^\s*\d*\s*(\||-->|╭▸|│|╰▸)/], ["cure", /^\s*(=\s*)?(help|╰ help):.*/],
  ];
  for (const [kind, rule] of /** @type {[string, RegExp][]} */ (rules)) {
    const found = rule.exec(line);
    if (!found) continue;
    const rest = line.slice(found[0].length);
    const marked = /^(\s*)(\^+|━+)(.*)$/.exec(rest);
    const tail = marked ? [marked[1], element("span", { class: "caret" }, marked[2]), marked[3]] : [rest];
    return element("span", {}, element("span", { class: kind }, found[0]), ...tail, "\n");
  }
  return element("span", {}, line, "\n");
}

/** The server's side of the page. */
class Served {
  constructor() {
    this.edition = Number(document.body.dataset.edition);
    this.box = element("section", { id: "served", role: "status", "aria-label": "From the server", hidden: true });
    const header = document.querySelector("header");
    if (header) header.after(this.box);
    /** @type {EventSource | null} */
    this.stream = null;
    /** @type {News | null} */
    this.news = null;
    this.lost = false;
    this.noticed = 0;
    /** @type {any} what the page shows the motion with; none while there is no motion */
    this.door = null;
    const door = globalThis["dalembert"];
    const listen = () => {
      document.addEventListener("visibilitychange", () => this.listen());
      this.listen();
    };
    if (!door) {
      document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      listen();
      return;
    }
    door.built.then(() => {
      this.door = door;
      this.home = this.camera();
      this.restore();
      /** What the page does not run by itself is run by its server. */
      door.remote = (settings, signal) => this.run(settings, signal);
      listen();
    });
  }

  /** Hears the server while the page is seen: browsers have few connections, and pages that nobody sees need none. */
  listen() {
    if (this.stream) this.stream.close();
    this.stream = null;
    if (document.hidden) return;
    const stream = new EventSource("events");
    this.stream = stream;
    stream.onmessage = (event) => {
      this.lost = false;
      this.hear(JSON.parse(event.data));
    };
    stream.onerror = () => {
      this.lost = true;
      this.show();
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => this.stream === stream && this.listen(), AGAIN);
    };
  }

  /** @param {News} news */
  hear(news) {
    this.news = news;
    if (news.edition !== this.edition) {
      this.keep();
      location.reload();
      return;
    }
    if (news.working === null || !this.box.hidden) this.show();
    else if (!this.noticed) this.noticed = setTimeout(() => this.show(), NOTICED);
  }

  show() {
    const { box, news } = this;
    clearTimeout(this.noticed);
    this.noticed = 0;
    const trouble = news && news.trouble;
    box.className = trouble || this.lost ? "wrong" : "";
    const words = [];
    if (this.lost) words.push(element("p", {}, "There is no connection to the server: `dalembert serve` was ended, or this machine slept. What is shown stays."));
    if (trouble) {
      const heading = HEADINGS[trouble.kind === "refused" && !this.door ? "first" : trouble.kind];
      const lines = trouble.text.split("\n").map(diagnosticLine);
      words.push(element("details", { open: true }, element("summary", {}, heading), element("pre", { tabindex: "0", "aria-label": "Diagnostics" }, ...lines)));
    }
    if (news && news.working !== null) {
      const known = news.working > 0 ? { max: 100, value: news.working } : {};
      words.push(element("p", {}, "The model runs …", element("progress", { ...known, "aria-label": "How far the run is" })));
    }
    box.replaceChildren(...words);
    box.hidden = words.length === 0;
  }

  camera() {
    const { target, flat, yaw, pitch, distance } = this.door.stage.camera;
    return JSON.stringify({ target, flat, yaw, pitch, distance });
  }

  /** Remembers the time, the panel and the camera, if it was moved. */
  keep() {
    if (!this.door) return;
    const { player } = this.door;
    const tab = document.querySelector('[role="tab"][aria-selected="true"]');
    const camera = this.camera();
    sessionStorage.setItem(KEPT, JSON.stringify({ t: player.t, playing: player.playing, tab: tab && tab.id, camera: camera === this.home ? null : camera }));
  }

  restore() {
    const text = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    if (!text) return;
    const { t, playing, tab, camera } = JSON.parse(text);
    const { player, stage, model } = this.door;
    if (tab && byId(tab)) byId(tab).click();
    if (camera) Object.assign(stage.camera, JSON.parse(camera));
    if (player.playing !== playing) player.play(playing);
    player.set(Math.min(t, model.end));
    stage.redraw();
  }

  /** The data of a motion with other values, or why there is none. @param {Record<string, number>} settings @param {AbortSignal} [signal] whoever does not want it any more */
  async run(settings, signal) {
    const answer = await fetch("run", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ settings }), signal });
    const data = await answer.json();
    return answer.ok ? data : { status: "error", diagnostics: data.error };
  }
}

new Served();
