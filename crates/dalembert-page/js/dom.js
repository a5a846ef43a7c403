// Elements, numbers and files: what the other modules write with.

/**
 * An element with attributes and children. Functions among the attributes listen to events; texts are texts, never markup.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * What must be there: a browser that cannot give it cannot show this.
 * @template T @param {T | null | undefined} thing @returns {T}
 */
export function there(thing) {
  if (thing == null) throw new Error("the browser has no more room for this");
  return thing;
}

/**
 * A function that draws with the next picture of the screen: once, however often it is called before.
 * @param {() => void} draw
 */
export function withNextPicture(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

/**
 * A number for people: so many digits, small and large ones with an exponent.
 * @param {number|null|undefined} value
 * @param {number} [digits]
 */
export function shown(value, digits = 5) {
  if (value == null || Number.isNaN(value)) return "not determined";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  // Zeros at the end of the digits say nothing; those of the exponent do.
  const [digits_of, exponent] = text.split("e");
  const trimmed = digits_of.includes(".") ? digits_of.replace(/\.?0+$/, "") : digits_of;
  return (exponent === undefined ? trimmed : `${trimmed}e${exponent.replace("+", "")}`).replace(/-/g, "−");
}

/** A unit behind a number. @param {string|null|undefined} unit */
export function unitText(unit) {
  return unit && unit !== "1" ? " " + unit.replace(/\*/g, "·").replace(/\^2/g, "²").replace(/\^3/g, "³") : "";
}

/** A unit behind a name. @param {string|null|undefined} unit */
export function bracketed(unit) {
  const text = unitText(unit).trim();
  return text && ` [${text}]`;
}

/** A colour of the style sheet. @param {string} name */
export function themed(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Gives the reader a file. @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A name that files may have. @param {string} text */
export function fileName(text) {
  return text.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^-+|-+$/g, "") || "dalembert";
}
