// Pictures of models: node tests/page/screenshots.mjs FOLDER [--small] [MODEL...]
// Whole pages, or with --small the animation alone, as it stands in the documentation.
import { mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { launch, open, pageOf } from "./browser.mjs";

const [folder, ...words] = process.argv.slice(2);
const small = words.includes("--small");
const named = words.filter((word) => !word.startsWith("--"));
const models = named.length ? named : readdirSync("examples").filter((name) => name.endsWith(".toml")).map((name) => join("examples", name));
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const model of models) {
  const name = basename(model, ".toml");
  try {
    const options = small ? { viewport: { width: 900, height: 480 } } : {};
    const { page, wrong, close } = await open(browser, pageOf(model, name), options);
    await page.evaluate(() => {
      const { model } = globalThis.dalembert;
      globalThis.dalembert.frame(model.begin + 0.3 * (model.end - model.begin));
    });
    if (small) {
      const box = await (await page.$("#view")).boundingBox();
      await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 70, clip: box, timeout: 120_000 });
    } else await page.screenshot({ path: join(folder, `${name}.png`), timeout: 120_000 });
    console.log(name, wrong.join("; "));
    await close();
  } catch (error) {
    console.log(`${name}: ${String(error.stderr || error.message).slice(0, 400)}`);
    process.exitCode = 1;
  }
}
await browser.close();
