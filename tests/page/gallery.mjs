// The site of the gallery in a real browser: node tests/page/gallery.mjs
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { dalembert, file, runTests, watched } from "./browser.mjs";

const folder = file("site");
const said = JSON.parse(dalembert("view", "--gallery", folder, "--no-open", "--json"));
const named = (folder, ending) => readdirSync(folder).filter((name) => name.endsWith(".toml")).map((name) => name.replace(".toml", ending));
const models = [...named("examples", ""), ...named("examples/mechanisms", "-bodies")];
const front = pathToFileURL(join(folder, "index.html")).href;

/** Opens the front page, from where it is said to be, and notes what it asks for besides itself. */
async function opened(browser, options = {}, address = front) {
  const site = new URL(".", address).href;
  const it = await watched(browser, options, (url) => url.startsWith(site));
  await it.page.goto(address);
  return it;
}

/** How many colours the picture of a card has. */
const colors = (page, index) => page.evaluate((at) => {
  const canvas = document.querySelectorAll(".card canvas")[at];
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}, index);

const tests = {
  async "all models have a page, and the front page is small"() {
    assert.deepEqual([said.status, said.pages], ["done", models.length]);
    for (const name of models) assert.ok(existsSync(join(folder, `${name}.html`)), name);
    const bytes = readFileSync(join(folder, "index.html")).length;
    assert.ok(bytes < 2_000_000, `${bytes}`);
  },

  async "every card has a picture, words and a link to a page that works"(browser) {
    const { page, wrong, close } = await opened(browser);
    const cards = await page.$$eval(".card", (list) => list.map((card) => ({ name: card.querySelector(".name").textContent, title: card.querySelector("a").textContent, about: card.querySelector(".about").textContent, href: card.querySelector("a").getAttribute("href") })));
    assert.deepEqual(cards.map((card) => card.name).sort(), models.toSorted());
    assert.ok(cards.every(({ title, about }) => title && about));
    for (let k = 0; k < cards.length; k++) {
      await page.evaluate((at) => document.querySelectorAll(".card")[at].scrollIntoView(), k);
      await page.waitForFunction((at) => document.querySelectorAll(".card canvas")[at].width !== 300, k);
      assert.ok(await colors(page, k) > 30, `${cards[k].name}: ${await colors(page, k)} colours`);
      assert.equal(cards[k].href, `${cards[k].name}.html`);
    }
    await page.click("a[href='pendulum.html']");
    await page.waitForFunction(() => globalThis.dalembert?.frame);
    assert.equal(await page.title(), "Pendulum in x and y");
    assert.deepEqual(wrong, []);
    await close();
  },

  async "the search finds by words of all kinds, and is kept in the address"(browser) {
    const { page, wrong, close } = await opened(browser);
    const shown = () => page.$$eval(".card", (list) => list.filter((card) => card.offsetParent).map((card) => card.querySelector(".name").textContent));
    await page.keyboard.press("/");
    await page.keyboard.type("PAINLEVE");
    assert.deepEqual(await shown(), ["painleve-rod"]);
    assert.match(await page.textContent("#found"), /^1 of \d+/);
    await page.fill("#search", "meijaard");
    assert.deepEqual(await shown(), ["whipple-bicycle"]);
    assert.match(page.url(), /#search=meijaard$/);
    await page.fill("#search", "no such thing");
    assert.deepEqual(await shown(), []);
    assert.ok(await page.isVisible("#none"));
    await page.focus("#search");
    await page.keyboard.press("Escape");
    assert.equal((await shown()).length, models.length);
    await page.click("#groups button:text-is('Friction')");
    const group = await shown();
    assert.ok(group.includes("sliding-block") && group.length < 10, group.join());
    const link = page.url();
    const again = await opened(browser, {}, link);
    assert.deepEqual(await again.page.$$eval(".card", (list) => list.filter((card) => card.offsetParent).length), group.length);
    assert.deepEqual([...wrong, ...again.wrong], []);
    await again.close();
    await close();
  },

  async "pictures move when they are pointed at or focused, unless that is not wanted"(browser) {
    const image = (page) => page.evaluate(() => document.querySelector(".card canvas").toDataURL());
    for (const [reducedMotion, moves] of [["no-preference", true], ["reduce", false]]) {
      const { page, close } = await opened(browser, { reducedMotion });
      await page.waitForFunction(() => document.querySelector(".card canvas").width !== 300);
      const rest = await image(page);
      await page.focus(".card a");
      await page.waitForTimeout(700);
      assert.equal((await image(page)) !== rest, moves, reducedMotion);
      await page.focus("#search");
      await page.waitForTimeout(100);
      assert.equal(await image(page), rest, "it rests again");
      await close();
    }
  },

  async "keyboard, names, narrow and dark"(browser) {
    const { page, wrong, close } = await opened(browser, { viewport: { width: 360, height: 740 }, colorScheme: "dark", deviceScaleFactor: 2 });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    const nameless = await page.$$eval("button, a, input", (list) => list.filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim())).length);
    assert.equal(nameless, 0);
    await page.focus("#search");
    for (let k = 0; k < 40 && !(await page.evaluate(() => document.activeElement.closest(".card"))); k++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => globalThis.dalembert?.frame);
    assert.deepEqual(wrong, []);
    await close();
  },

  async "a static server is as good as a folder"(browser) {
    const server = createServer((asked, answer) => {
      const name = join(folder, asked.url === "/" ? "index.html" : asked.url.split("?")[0]);
      answer.writeHead(existsSync(name) ? 200 : 404, { "Content-Type": "text/html" }).end(existsSync(name) ? readFileSync(name) : "");
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const { page, wrong, close } = await opened(browser, {}, `http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => document.querySelector(".card canvas").width !== 300);
    await page.click(".card a");
    await page.waitForFunction(() => globalThis.dalembert?.frame);
    assert.deepEqual(wrong, []);
    await close();
    server.close();
  },
};

await runTests(tests);
