// What is read: reports about model and run, and the model file with its marks.
import { byId, element, fileName, save, shown, unitText } from "./dom.js";

/** The reports of a run; where values were changed since, what they are of. @param {import("./data.js").PageModel} model @param {string} [changed] */
export function showReports(model, changed = "") {
  const panel = byId("panel-reports");
  const { data } = model;
  if (changed) panel.append(element("p", { class: "state notice" }, `The reports are of the run that was recorded, and not of the one that is shown, which has ${changed}.`));
  if (data.citation) panel.append(element("h2", {}, "Source"), element("p", {}, data.citation));
  for (const report of data.reports) panel.append(element("h2", {}, report.heading), element("pre", {}, report.text));
  if (data.parameters.length) {
    const rows = data.parameters.map((it) => element("tr", {}, element("td", {}, it.name), element("td", { class: "number" }, shown(it.value, 8)), element("td", {}, unitText(it.unit).trim())));
    panel.append(element("h2", {}, "Parameters"), element("table", {}, element("tbody", {}, ...rows)));
  }
  panel.append(element("p", {}, `Written by dalembert ${data.version}.`));
}

/** The same after another run. @param {import("./data.js").PageModel} model @param {string} changed */
export function refreshReports(model, changed) {
  byId("panel-reports").replaceChildren();
  showReports(model, changed);
}

/** The parts of a line of TOML: class and text. @param {string} line @returns {string[][]} */
export function tomlParts(line) {
  const rules = [
    ["c", /^#.*/], ["t", /^\s*\[\[?[^\]]*\]\]?(?=\s*(#|$))/], ["k", /^\s*("[^"]*"|[A-Za-z0-9_.'-]+)(?=\s*=)/],
    ["s", /^("""|'''|"(\\.|[^"\\])*"?|'[^']*'?)/], ["n", /^[+-]?(\d[\d_]*\.?\d*([eE][+-]?\d+)?|true|false|inf|nan)\b/], ["", /^\s+/], ["", /^[A-Za-z0-9_]+/], ["", /^./],
  ];
  const parts = [];
  let rest = line;
  while (rest) {
    const start = rest.length === line.length || /[{,]\s*$/.test(line.slice(0, line.length - rest.length));
    for (const [kind, rule] of /** @type {[string, RegExp][]} */ (rules)) {
      if ((kind === "k" && !start) || (kind === "t" && rest.length !== line.length)) continue;
      const found = rule.exec(rest);
      if (!found || !found[0]) continue;
      parts.push([kind, found[0]]);
      rest = rest.slice(found[0].length);
      break;
    }
  }
  return parts;
}

/** @param {import("./data.js").PageModel} model */
export function showSource(model) {
  const panel = byId("panel-model");
  const { data } = model;
  if (!data.source) {
    panel.append(element("p", {}, "The model was built by a program and has no file."));
    return;
  }
  const copy = element("button", { type: "button", click: () => save(fileName(data.file), new Blob([data.source], { type: "text/plain" })) }, "Save the model file");
  const code = element("pre", { class: "source", tabindex: "0", "aria-label": `Model file ${data.file}` });
  for (const line of data.source.replace(/\n$/, "").split("\n")) {
    const row = element("span", { class: "line" });
    for (const [kind, text] of tomlParts(line)) row.append(kind ? element("span", { class: kind }, text) : text);
    row.append("\n");
    code.append(row);
  }
  panel.append(element("p", {}, copy), code);
}
