// The command, and files for the time of a test.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { opened } from "../../crates/dalembert-page/js/data.js";

export const root = resolve(import.meta.dirname, "../..");
export const command = process.env.DALEMBERT || join(root, "target/release/dalembert");
const folder = mkdtempSync(join(tmpdir(), "dalembert-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Runs the command. */
export function dalembert(...words) {
  return execFileSync(command, words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A file for the time of the test. */
export function file(name) {
  return join(folder, name);
}

/** The page of a model; gives its file. */
export function pageOf(model, name, ...words) {
  const out = file(`${name}.html`);
  dalembert("view", model, "--no-open", "--out", out, ...words);
  return out;
}

/** The data of a page. */
export function dataOf(path) {
  return opened(readFileSync(path, "utf8").match(/id="data">(.*?)<\/script>/s)[1]);
}
