// The front page of the gallery: pictures of the cards, which move when they are pointed at, and the search.
import { byId, element } from "./dom.js";
import { PageModel } from "./data.js";
import { Picture, rendererFor } from "./picture.js";

/** Seconds that the shown part of a motion takes, at least and at most. */
const LASTS = [2, 9];

/** A card and its picture. */
class Card {
  /** @param {HTMLElement} node @param {any} sketch @param {import("./renderer.js").Renderer} renderer */
  constructor(node, sketch, renderer) {
    this.canvas = /** @type {HTMLCanvasElement} */ (node.querySelector("canvas"));
    this.model = new PageModel(sketch);
    this.picture = new Picture(this.model);
    this.picture.camera.aspect = 1.6;
    this.picture.camera.home();
    this.renderer = renderer;
    this.painted = false;
    this.moving = false;
    const { begin, end } = this.model;
    /** Where the picture rests: most of its way is drawn by then. */
    this.rest = begin + 0.85 * (end - begin);
    this.speed = (end - begin) / Math.min(LASTS[1], Math.max(LASTS[0], end - begin));
    const link = node.querySelector("a");
    if (link) {
      link.addEventListener("focus", () => this.move());
      link.addEventListener("blur", () => this.stop());
    }
    node.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.move());
    node.addEventListener("pointerleave", () => document.activeElement !== link && this.stop());
  }

  /** @param {number} t */
  paint(t) {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [Math.round(this.canvas.clientWidth * ratio), Math.round(this.canvas.clientHeight * ratio)];
    if (!width || !height) return;
    if (!this.picture.renderer) this.picture.paintBy(this.renderer);
    this.picture.paint(width, height, ratio, t);
    this.canvas.width = width;
    this.canvas.height = height;
    const pen = this.canvas.getContext("2d");
    if (pen) pen.drawImage(this.renderer.canvas, 0, 0);
    this.painted = true;
  }

  move() {
    if (this.moving || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.moving = true;
    const { begin, end } = this.model;
    const began = performance.now();
    /** @param {number} now */
    const tick = (now) => {
      if (!this.moving) return;
      this.paint(begin + ((((now - began) / 1000) * this.speed) % (end - begin || 1)));
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  stop() {
    this.moving = false;
    this.paint(this.rest);
  }
}

/** Pictures are painted when they come into sight, by one renderer for all. */
function paintCards() {
  const sketches = JSON.parse(byId("data").textContent);
  const nodes = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".card")]);
  let renderer;
  try {
    renderer = rendererFor(document.createElement("canvas"));
  } catch {
    // Without pictures the words are still there.
    for (const node of nodes) node.querySelector("canvas")?.remove();
    return [];
  }
  /** @type {Map<Element, Card>} */
  const cards = new Map();
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const card = cards.get(target);
      if (isIntersecting && card && !card.painted) card.paint(card.rest);
    }
  }, { rootMargin: "300px" });
  for (const node of nodes) {
    cards.set(node, new Card(node, sketches[Number(node.dataset.index)], renderer));
    seen.observe(node);
  }
  return [...cards.values()];
}

/** Words without their case and accents. @param {string} text */
export function plainWords(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
}

/** The search and the groups; both are kept in the address, so that a link leads to what was found. */
function buildSearch() {
  const search = byId("search");
  const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section[data-group]")]);
  const all = sections.flatMap((section) => [...section.querySelectorAll(".card")].map((node) => ({ node: /** @type {HTMLElement} */ (node), section, text: plainWords(`${node.textContent} ${section.dataset.group}`) })));
  let group = "";
  const show = () => {
    const wanted = plainWords(search.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { node, section, text } of all) {
      const found = (!group || section.dataset.group === group) && wanted.every((word) => text.includes(word));
      node.hidden = !found;
      count += found ? 1 : 0;
    }
    for (const section of sections) section.hidden = !section.querySelector(".card:not([hidden])");
    for (const button of byId("groups").children) button.setAttribute("aria-pressed", String(button.dataset.group === group));
    byId("none").hidden = count > 0;
    byId("found").textContent = wanted.length || group ? `${count} of ${all.length} models` : "";
    const kept = new URLSearchParams();
    if (search.value.trim()) kept.set("search", search.value.trim());
    if (group) kept.set("group", group);
    history.replaceState(null, "", String(kept) ? `#${kept}` : location.pathname + location.search);
  };
  const names = ["", ...sections.map((section) => section.dataset.group || "")];
  for (const name of names) {
    byId("groups").append(element("button", {
      type: "button", "data-group": name,
      click: () => {
        group = name;
        show();
      },
    }, name || "All"));
  }
  const read = () => {
    const kept = new URLSearchParams(location.hash.slice(1));
    search.value = kept.get("search") || "";
    group = names.includes(kept.get("group") || "") ? kept.get("group") || "" : "";
  };
  search.addEventListener("input", show);
  addEventListener("hashchange", () => {
    if (location.hash === "#models") return;
    read();
    show();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && document.activeElement === search) {
      search.value = "";
      show();
    }
  });
  read();
  show();
}

/** Light or dark, as the reader's system has it until he says otherwise. @param {Card[]} cards */
function followTheme(cards) {
  const root = document.documentElement;
  const asked = matchMedia("(prefers-color-scheme: dark)");
  /** @param {boolean} dark */
  const become = (dark) => {
    root.dataset.theme = dark ? "dark" : "light";
    for (const card of cards) if (card.painted && !card.moving) card.paint(card.rest);
  };
  asked.addEventListener("change", () => become(asked.matches));
  byId("theme").addEventListener("click", () => become(root.dataset.theme !== "dark"));
  become(asked.matches);
}

buildSearch();
followTheme(paintCards());
