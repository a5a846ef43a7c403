// A browser, and what is common to tests and screenshots.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./command.mjs";

export { command, dalembert, dataOf, file, pageOf } from "./command.mjs";

const modules = process.env.DALEMBERT_NODE || join(root, "target/page");
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");

/** A browser that draws by software, so that it does so everywhere. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
}

/** A page of its own that notes everything that should not be: messages, failures, requests but for those that are allowed. */
export async function watched(browser, options, allowed) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver|willReadFrequently/.test(message.text()) && wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => !allowed(request.url()) && !/^(blob|data):/.test(request.url()) && wrong.push(`request: ${request.url()}`));
  // A page that loads itself anew may never be closed, which is Chromium's matter; its end closes it.
  const close = () => within(20, context.close()).catch(() => {});
  return { page, wrong, close };
}

/** Opens the page of a motion. */
export async function open(browser, path, options = {}) {
  const address = pathToFileURL(path).href;
  const opened = await watched(browser, options, (url) => url === address);
  await opened.page.goto(address);
  await opened.page.evaluate(() => globalThis.dalembert.ready);
  return opened;
}

/** The longest that a test may take, in seconds: something that never comes is a failure, and not waited for. */
const LONGEST = 180;

/** Runs tests by name, those that the command line names a part of, and says how they went; ends the program. */
export async function runTests(tests) {
  const browser = await launch();
  for (const [name, test] of Object.entries(tests)) {
    if (process.argv[2] && !name.includes(process.argv[2])) continue;
    try {
      await within(LONGEST, test(browser));
      console.log(`ok      ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
  await within(LONGEST, browser.close()).catch((error) => console.log(`the browser does not close: ${error.message}`));
  // Whatever a test that failed has left open is not waited for.
  process.exit();
}

function within(seconds, work) {
  let timer;
  const late = new Promise((_, failed) => {
    timer = setTimeout(() => failed(new Error(`not done after ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
