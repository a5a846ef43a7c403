// Equations: each symbol says what it is, and what it is worth now.
import { byId, element, shown, unitText } from "./dom.js";

/** The text of an element without what browsers add. @param {Element} node */
function written(node) {
  return node.outerHTML.replace(/ xmlns="[^"]*"/g, "").replace(/ class="[^"]*"/g, "");
}

/** Symbols of the equations, and the table of them. */
export class Equations {
  /** @param {import("./data.js").PageModel} model @param {import("./player.js").Player} player */
  constructor(model, player) {
    this.model = model;
    this.player = player;
    this.panel = byId("panel-equations");
    this.tip = byId("tip");
    byId("about-equations").textContent = model.data.about_equations;
    byId("about-equations").hidden = !model.data.about_equations;
    this.built = false;
    player.listen(() => this.refresh());
    // On paper all panels are shown.
    addEventListener("beforeprint", () => this.build());
  }

  /** Writes the equations, when they are looked at for the first time. */
  build() {
    if (this.built) return;
    this.built = true;
    const parsed = new DOMParser().parseFromString(this.model.data.equations, "text/html");
    byId("equations").replaceChildren(...parsed.body.childNodes);
    this.find();
    this.table();
  }

  /** Finds symbols among the elements: the outermost that is one. */
  find() {
    const host = document.createElement("div");
    const known = new Map();
    for (const symbol of this.model.data.symbols) {
      const parsed = new DOMParser().parseFromString(`<math>${symbol.mathml}</math>`, "text/html").querySelector("math");
      if (parsed && parsed.firstElementChild) known.set(written(parsed.firstElementChild), symbol);
    }
    host.remove();
    for (const node of this.panel.querySelectorAll("mi, mover, msub, msup, msubsup")) {
      if (node.closest(".symbol")) continue;
      let symbol = known.get(written(node));
      // A symbol with an index and a power is one element with three children.
      if (!symbol && node.localName === "msubsup") symbol = known.get(`<msub>${written(node.children[0])}${written(node.children[1])}</msub>`);
      if (!symbol) continue;
      node.classList.add("symbol");
      const over = (event) => this.show(symbol, node, event);
      node.addEventListener("pointerenter", over);
      node.addEventListener("pointermove", over);
      node.addEventListener("pointerleave", () => this.hide());
    }
  }

  /** @param {any} symbol */
  words(symbol) {
    const worth = this.model.worth(symbol.name, this.player.t);
    const value = worth ? ` = ${shown(worth.value)}${unitText(worth.unit)}` : "";
    return `${symbol.name}${value}`;
  }

  /** @param {any} symbol @param {Element} node @param {PointerEvent} event */
  show(symbol, node, event) {
    this.shownSymbol = symbol;
    this.tip.textContent = `${this.words(symbol)} — ${symbol.meaning}`;
    this.tip.hidden = false;
    const width = this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(4, Math.min(innerWidth - width - 8, event.clientX + 12))}px`;
    this.tip.style.top = `${Math.min(innerHeight - 60, event.clientY + 18)}px`;
    this.panel.querySelectorAll(".lit").forEach((lit) => lit.classList.remove("lit"));
    node.classList.add("lit");
  }

  hide() {
    this.shownSymbol = null;
    this.tip.hidden = true;
    this.panel.querySelectorAll(".lit").forEach((lit) => lit.classList.remove("lit"));
  }

  /** All symbols with their values: what hovering tells, for everyone. */
  table() {
    const symbols = this.model.data.symbols;
    if (!symbols.length) return;
    const body = element("tbody");
    this.cells = symbols.map((symbol) => {
      const math = new DOMParser().parseFromString(`<math>${symbol.mathml}</math>`, "text/html").querySelector("math");
      const value = element("td", { class: "number" });
      const cell = element("td", { class: "dalembert" });
      if (math) cell.append(document.importNode(math, true));
      body.append(element("tr", {}, cell, element("td", {}, symbol.name), value, element("td", {}, symbol.meaning)));
      return { symbol, value };
    });
    const head = element("tr", {}, ...["symbol", "name", "value now", "meaning"].map((words) => element("th", { scope: "col" }, words)));
    byId("symbols").append(element("h2", {}, "Symbols"), element("table", {}, element("thead", {}, head), body));
    this.refresh();
  }

  refresh() {
    if (this.panel.hidden) return;
    this.build();
    for (const { symbol, value } of this.cells || []) {
      const worth = this.model.worth(symbol.name, this.player.t);
      value.textContent = worth ? shown(worth.value) + unitText(worth.unit) : "";
    }
    if (this.shownSymbol) this.tip.textContent = `${this.words(this.shownSymbol)} — ${this.shownSymbol.meaning}`;
  }
}
