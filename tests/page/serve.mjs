// `dalembert serve` with real browsers and hostile clients: node tests/page/serve.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { command, file, launch, runTests, watched } from "./browser.mjs";

/** Servers that run: none outlives the tests, whatever becomes of them. */
const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** A folder with a model, and a server of it. */
async function served(model, name, ...words) {
  const folder = file(name);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "model.toml");
  cpSync(model, path);
  const child = spawn(command, ["serve", path, "--no-open", "--json", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const text = await new Promise((done, failed) => {
    children.add(child);
    child.stdout.once("data", (data) => done(String(data)));
    child.once("exit", (code) => failed(new Error(`ended with ${code}`)));
  });
  const { address } = JSON.parse(text);
  const url = new URL(address);
  return {
    path, folder, address, port: Number(url.port), token: url.pathname, child,
    end: () => new Promise((done) => {
      const gone = child.exitCode ?? child.signalCode;
      if (gone !== null) return done(gone);
      child.once("exit", (code, signal) => done(signal || code));
      child.kill("SIGINT");
    }),
  };
}

/** One request; gives status, headers and body. */
function ask(server, path = server.token, { method = "GET", headers = {}, body } = {}) {
  return new Promise((done, failed) => {
    const asked = request({ host: "127.0.0.1", port: server.port, path, method, headers, agent: false, setHost: !("Host" in headers) }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts).toString() }));
    });
    asked.on("error", failed);
    asked.end(body);
  });
}

/** The motion with other values. */
function post(server, body, headers = {}) {
  return ask(server, `${server.token}run`, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body });
}

/** Opens the page, and waits for the motion. */
async function seen(browser, server, options = {}) {
  const opened = await watched(browser, options, (url) => url.startsWith(server.address));
  await opened.page.goto(server.address);
  await opened.page.waitForFunction(() => globalThis.dalembert?.frame);
  return opened;
}

const titled = (page, title) => page.waitForFunction((wanted) => globalThis.dalembert?.frame && document.title === wanted, title, { timeout: 60_000 });
const retitled = (server, title) => writeFileSync(server.path, readFileSync(server.path, "utf8").replace(/^title.*$/m, `title = "${title}"`));

const tests = {
  async "a change of the file is seen by two browsers at once, which stay where they were"(browser) {
    const server = await served("examples/pendulum.toml", "two");
    const other = await launch();
    const [one, two] = [await seen(browser, server), await seen(other, server)];
    await one.page.click("#tab-equations");
    await one.page.evaluate(() => {
      globalThis.dalembert.frame(0.7);
      globalThis.dalembert.stage.camera.turn(0.3, 0.1);
    });
    const camera = () => one.page.evaluate(() => globalThis.dalembert.stage.camera.eye());
    const eye = await camera();
    retitled(server, "Another pendulum");
    const began = performance.now();
    // The next page is there within a second; how long a browser takes to load it is its own affair.
    while (!(await ask(server)).body.includes("<title>Another pendulum")) await pause(20);
    assert.ok(performance.now() - began < 1000, `${performance.now() - began} ms`);
    await Promise.all([titled(one.page, "Another pendulum"), titled(two.page, "Another pendulum")]);
    assert.equal(await one.page.getAttribute("#tab-equations", "aria-selected"), "true");
    assert.equal(await one.page.evaluate(() => globalThis.dalembert.player.t), 0.7);
    assert.deepEqual(await camera(), eye);
    // Editors replace files.
    writeFileSync(`${server.path}~`, readFileSync(server.path, "utf8").replace("Another", "A replaced"));
    renameSync(`${server.path}~`, server.path);
    await Promise.all([titled(one.page, "A replaced pendulum"), titled(two.page, "A replaced pendulum")]);
    assert.deepEqual([...one.wrong, ...two.wrong], []);
    await other.close();
    await one.close();
    assert.equal(await server.end(), 0);
  },

  async "a broken model shows what is wrong above the last motion, and recovers"(browser) {
    const server = await served("examples/pendulum.toml", "broken");
    const { page, wrong, close } = await seen(browser, server);
    const right = readFileSync(server.path, "utf8");
    writeFileSync(server.path, right.replace('= "x^2 + y^2', '= "x^2 + z^2'));
    await page.waitForSelector("#served.wrong");
    const text = await page.textContent("#served");
    assert.match(text, /error\[E\d+\].*model\.toml:\d+:\d+.*\^/s);
    assert.ok(await page.evaluate(() => globalThis.dalembert.model.rows > 10), "the motion is still there");
    // A page that is opened now has both, too.
    const later = await seen(browser, server);
    await later.page.waitForSelector("#served.wrong");
    assert.equal(await later.page.title(), "Pendulum in x and y");
    writeFileSync(server.path, "\u0000\u{1F600} = [");
    await page.waitForFunction((before) => document.getElementById("served").textContent !== before, text);
    writeFileSync(server.path, right.replace("Pendulum in", "Mended in"));
    await Promise.all([titled(page, "Mended in x and y"), titled(later.page, "Mended in x and y")]);
    await page.waitForFunction(() => document.getElementById("served").hidden);
    // A run that stops is shown as far as it came.
    writeFileSync(server.path, right.replace(/^span.*$/m, "span = 10\nmax_steps = 20"));
    await page.waitForSelector("#served.wrong");
    await page.waitForFunction(() => /stopped on its way/.test(document.querySelector("#served summary")?.textContent || ""));
    assert.deepEqual([...wrong, ...later.wrong], []);
    await close();
    await later.close();
    await server.end();
  },

  async "a model that was never right has a page, too, and words of it are words"(browser) {
    const evil = file("evil.toml");
    writeFileSync(evil, `dalembert = 1\n"</pre><script>globalThis.pwned = 1</script>" = 3\n`);
    const server = await served(evil, "never");
    const { page, wrong, close } = await watched(browser, { colorScheme: "dark" }, (url) => url.startsWith(server.address));
    await page.goto(server.address);
    await page.waitForSelector("#served.wrong");
    assert.match(await page.textContent("#served"), /pwned = 1.*\^/s);
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
    cpSync("examples/pendulum.toml", server.path);
    await titled(page, "Pendulum in x and y");
    assert.deepEqual(wrong, []);
    await close();
    await server.end();
  },

  async "tables and parts are watched, and read from the folder only"(browser) {
    const model = file("table.toml");
    const text = readFileSync("examples/pendulum.toml", "utf8");
    const force = (name) => `${text}\n[force.f]\ngeneralized = { x = 'table("${name}", t)' }\n`;
    writeFileSync(model, force("drive.csv"));
    const server = await served(model, "tables");
    const { page, close } = await watched(browser, {}, () => true);
    await page.goto(server.address);
    await page.waitForSelector("#served.wrong");
    assert.match(await page.textContent("#served"), /drive\.csv/);
    writeFileSync(join(server.folder, "drive.csv"), "t,f\n0,0\n100,0\n");
    await page.waitForFunction(() => globalThis.dalembert?.frame);
    const start = () => page.evaluate(() => globalThis.dalembert?.frame && globalThis.dalembert.model.byName.get("x''")?.series.values?.[0]);
    const before = await start();
    writeFileSync(join(server.folder, "drive.csv"), "t,f\n0,3\n100,3.5\n");
    await page.waitForFunction((old) => globalThis.dalembert?.frame && globalThis.dalembert.model.byName.get("x''")?.series.values?.[0] !== old, before);
    for (const outside of ["/etc/passwd", "../table.toml", "../nowhere.csv"]) {
      writeFileSync(server.path, force(outside));
      await page.waitForFunction((name) => document.getElementById("served").textContent.includes(name), outside);
      assert.match(await page.textContent("#served"), /not in the folder/);
    }
    await close();
    await server.end();
  },

  async "what the page stops at is run by the command"(browser) {
    const server = await served("examples/sliding-block.toml", "sticks");
    const { page, wrong, close } = await seen(browser, server);
    await page.waitForFunction(() => globalThis.dalembert.remote);
    const [end, rates, words, events] = await page.evaluate(async () => {
      globalThis.dalembert.set("mu", 0.9);
      const columns = await globalThis.dalembert.simulate();
      const { model } = globalThis.dalembert;
      return [model.end, Array.from(columns["x'"]), document.querySelector("#sliders .state").textContent, model.data.events];
    });
    assert.equal(end, 2);
    assert.ok(rates[0] > 3 && Math.abs(rates.at(-1)) < 1e-12, "it sticks");
    assert.ok(events.some((it) => /stick/.test(it.what)), JSON.stringify(events));
    assert.match(words, /^done in/);
    // Values that the page can run again are.
    assert.match(await page.evaluate(async () => {
      globalThis.dalembert.set("mu", 0.2);
      await globalThis.dalembert.simulate();
      return document.querySelector("#sliders .state").textContent;
    }), /^\d+ steps in/);
    assert.deepEqual(wrong, []);
    await close();
    await server.end();
  },

  async "other values are run for the page, and no other way in"(browser) {
    const server = await served("examples/pendulum.toml", "values");
    const { page, wrong, close } = await seen(browser, server);
    const remote = (settings) => page.evaluate((values) => globalThis.dalembert.remote(values), settings);
    const moved = await remote({ l: 2 });
    assert.equal(moved.parameters.find((it) => it.name === "l").value, 2);
    assert.ok(moved.columns.length > 5 && moved.scene.figures.length > 0);
    const stopped = await page.evaluate(async () => {
      const abort = new AbortController();
      const asked = globalThis.dalembert.remote({ l: 2.5 }, abort.signal);
      abort.abort();
      return asked.then(() => "answered", (error) => error.name);
    });
    assert.equal(stopped, "AbortError");
    assert.deepEqual(wrong, []);
    assert.match((await remote({ m: -1 })).diagnostics, /E\d+/);
    await close();
    const refused = await post(server, `{"settings": {"nonsense": 1}}`);
    assert.equal(refused.status, 422);
    assert.match(JSON.parse(refused.body).error, /nonsense/);
    for (const [body, status] of [["", 400], ["{", 400], [`{"settings": {"l": "table('/etc/passwd', t)"}}`, 400], [`{"settings": {"l=1#": 1}}`, 400]]) assert.equal((await post(server, body)).status, status, body);
    assert.equal((await post(server, `{"settings": {}}`, { "Content-Type": "text/plain" })).status, 415);
    await server.end();
  },

  async "who does not belong here is not answered"() {
    const server = await served("examples/pendulum.toml", "strangers");
    const own = `127.0.0.1:${server.port}`;
    const right = await ask(server);
    assert.equal(right.status, 200);
    for (const [name, value] of [["cache-control", "no-store"], ["x-content-type-options", "nosniff"], ["x-frame-options", "DENY"], ["referrer-policy", "no-referrer"], ["cross-origin-resource-policy", "same-origin"]]) assert.equal(right.headers[name], value);
    assert.match(right.headers["content-security-policy"], /frame-ancestors 'none'/);
    assert.match(right.body, /content="default-src 'none';[^"]*connect-src 'self'/);
    const other = `/${server.token.slice(1, -2)}x/`;
    for (const path of ["/", "/favicon.ico", "/etc/passwd", "//", server.token.slice(0, -1), other, `${server.token}../`, `${server.token}model.toml`, `${server.token}%2e%2e/model.toml`]) assert.equal((await ask(server, path)).status, 404, path);
    for (const Host of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", `127.0.0.1:${server.port + 1}`, `[::1]:${server.port}`]) assert.equal((await ask(server, server.token, { headers: { Host } })).status, 421, Host);
    assert.equal((await ask(server, server.token, { headers: { Host: `localhost:${server.port}` } })).status, 200);
    for (const Origin of ["http://evil.example", "null", `https://${own}`, `http://localhost:${server.port}`]) {
      assert.equal((await ask(server, server.token, { headers: { Origin } })).status, 403, Origin);
      assert.equal((await post(server, `{"settings": {}}`, { Origin })).status, 403, Origin);
    }
    for (const method of ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"]) assert.equal((await ask(server, server.token, { method })).status, 405, method);
    assert.equal((await ask(server, `${server.token}run`)).status, 405);
    assert.equal((await ask(server, `${server.token}${"x".repeat(20_000)}`)).status, 431);
    assert.equal((await post(server, "x".repeat(70_000))).status, 413);
    assert.equal((await ask(server)).status, 200);
    // No other machine reaches it.
    const outside = Object.values(networkInterfaces()).flat().filter((it) => it && !it.internal && it.family === "IPv4");
    for (const { address } of outside) {
      const reached = await new Promise((done) => connect(server.port, address, () => done(true)).on("error", () => done(false)));
      assert.equal(reached, false, address);
    }
    await server.end();
  },

  async "slow clients are sent away, and two hundred at once do not stop it"() {
    const server = await served("examples/pendulum.toml", "crowd");
    while (!(await ask(server)).body.includes("data-edition=\"1\"")) await pause(50);
    const drip = (every) => new Promise((done) => {
      const began = performance.now();
      const socket = connect(server.port, "127.0.0.1");
      const text = `GET ${server.token} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX: ${"x".repeat(4000)}`;
      let sent = 0;
      const timer = setInterval(() => socket.writable && socket.write(text[sent++ % text.length]), every);
      let heard = "";
      socket.on("data", (data) => (heard += data));
      socket.on("error", () => {});
      socket.on("close", () => {
        clearInterval(timer);
        done({ heard, seconds: (performance.now() - began) / 1000 });
      });
    });
    // Byte by byte, it is over after five seconds all the same.
    const slow = drip(100);
    const crowd = Array.from({ length: 100 }, () => drip(200));
    await pause(200);
    const times = await Promise.all(Array.from({ length: 100 }, async () => {
      const began = performance.now();
      const { status, body } = await ask(server);
      assert.equal(status, 200);
      assert.ok(body.endsWith("</html>\n"));
      return (performance.now() - began) / 1000;
    }));
    assert.ok(Math.max(...times) < 4, `the slowest answer took ${Math.max(...times)} s`);
    const ended = await Promise.all([slow, ...crowd]);
    assert.ok(ended.every(({ seconds }) => seconds < 9), `${Math.max(...ended.map((it) => it.seconds))} s`);
    assert.ok(ended.some(({ heard }) => heard.startsWith("HTTP/1.1 408")), "some were told why");
    // Whoever says nothing at all, and whoever never reads.
    const silent = Array.from({ length: 150 }, () => connect(server.port, "127.0.0.1").on("error", () => {}));
    const deaf = Array.from({ length: 50 }, () => connect(server.port, "127.0.0.1", function () {
      this.pause();
      this.write(`GET ${server.token} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
    }).on("error", () => {}));
    await pause(300);
    assert.equal((await ask(server)).status, 200);
    // Streams are few, and more of them are refused.
    const streams = await Promise.all(Array.from({ length: 60 }, () => new Promise((done) => {
      const asked = request({ host: "127.0.0.1", port: server.port, path: `${server.token}events`, agent: false }, (answer) => done([answer.statusCode, asked]));
      asked.on("error", () => done([0, asked]));
      asked.end();
    })));
    assert.equal(streams.filter(([status]) => status === 200).length, 32);
    assert.equal((await ask(server)).status, 200);
    for (const socket of [...silent, ...deaf]) socket.destroy();
    for (const [, asked] of streams) asked.destroy();
    assert.equal(await server.end(), 0);
  },

  async "a long run shows how far it is, and gives way to another"(browser) {
    const model = file("long.toml");
    writeFileSync(model, readFileSync("examples/double-pendulum.toml", "utf8").replace(/^span.*$/m, "span = 100000"));
    const server = await served(model, "long");
    const { page, close } = await watched(browser, {}, () => true);
    await page.goto(server.address);
    await page.waitForSelector("#served progress");
    cpSync("examples/pendulum.toml", server.path);
    await titled(page, "Pendulum in x and y");
    // Closed before the file changes again: Chromium may never end to close a page that loads itself anew.
    await close();
    // Whoever waits for a long run and goes away leaves its processor to others.
    appendFileSync(server.path, "\n# so that it is read again\n");
    const gone = Array.from({ length: 6 }, () => {
      const asked = request({ host: "127.0.0.1", port: server.port, path: `${server.token}run`, method: "POST", headers: { "Content-Type": "application/json" }, agent: false });
      asked.on("error", () => {});
      asked.end(`{"settings": {"g": 1e9}}`);
      return asked;
    });
    await pause(300);
    for (const asked of gone) asked.destroy();
    assert.equal((await post(server, `{"settings": {"l": 2}}`)).status, 200);
    await server.end();
  },

  async "the page says when its server has ended"(browser) {
    const server = await served("examples/pendulum.toml", "ended");
    const { page, close } = await seen(browser, server);
    assert.equal(await server.end(), 0);
    await page.waitForSelector("#served.wrong");
    assert.match(await page.textContent("#served"), /no connection/);
    assert.ok(await page.evaluate(() => globalThis.dalembert.model.rows > 10));
    await close();
  },
};

await runTests(tests);
