// What the tests share: the program, a database and its page, and a browser that tells everything.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const program = process.env.ENERGYDB;
const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** Runs the program. */
export function energydb(...words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  return { status, out: stdout, err: stderr };
}

/** Runs the program, which must end well. */
export function done(...words) {
  return execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
}

/** An empty folder that is gone when the tests end. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), "energydb-page-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The database of these inputs, its page, and the page's bytes. */
export function pageOf(...inputs) {
  const place = folder();
  const [database, page] = [join(place, "page.sqlite"), join(place, "page.html")];
  done("build", ...inputs, "-o", database, "--quiet");
  done("page", "--db", database, "-o", page, "--quiet");
  return { database, page, address: `file://${page}`, bytes: readFileSync(page) };
}

/** The leaderboard's data, with every workload. */
export const everything = process.env.LEADERBOARD;

/** Measurements of somebody's own, of a model that the leaderboard has, too. */
export function own() {
  const file = join(folder(), "mine.csv");
  const same = "lm-arena-chat,gpu,whole-run,per-chunk,qwen-3-14b";
  writeFileSync(file, `task,energy_boundary,measurement_window,itl_kind,model,gpu,num_gpus,precision,max_num_seqs,tokens_per_second,power_watts,median_itl_ms
${same},B200,1,BF16,16,1000,600,8
${same},B200,1,BF16,64,3000,800,15
${same},H100,1,BF16,64,2000,600,25
`);
  return file;
}

/** How long a browser may take to start, on a machine that has other work. */
const LAUNCH_MS = 120_000;

/** A browser. */
export function browser() {
  return puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: flags, userDataDir: folder(), timeout: LAUNCH_MS });
}

/** Another browser; null where there is none. */
export function firefox() {
  const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
  return existsSync(executablePath) ? puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout: LAUNCH_MS }) : null;
}

/** A server on this machine that gives these bytes, and its address. */
export async function served(bytes) {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(request.url === "/" ? bytes : "no");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** A tab on a page that is ready, with all that it says and asks for. */
export async function opened(running, address, { width = 1280, scheme = "light", script = true } = {}) {
  const tab = await running.newPage();
  const said = [];
  const asked = [];
  tab.on("console", (message) => said.push(message.text()));
  tab.on("pageerror", (error) => said.push(String(error)));
  tab.on("request", (request) => asked.push(request.url()));
  await tab.evaluateOnNewDocument(() => {
    document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await tab.setViewport({ width, height: width < 500 ? 800 : 900 });
  // Firefox cannot be asked for these.
  if (scheme !== "light") await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  if (!script) await tab.setJavaScriptEnabled(false);
  await tab.goto(address);
  if (script) await ready(tab);
  return { tab, said, asked };
}

/** Waits until the page has its database. */
export function ready(tab) {
  return tab.waitForFunction("document.documentElement.dataset.ready === 'yes'", { timeout: 30000 });
}

/** Goes to another fragment of the page. */
export async function go(tab, fragment) {
  await tab.evaluate((to) => { location.hash = to; }, fragment);
  await settled(tab);
}

/** Waits until what was changed is drawn. */
export function settled(tab, milliseconds = 350) {
  return tab.evaluate((pause) => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), pause)), milliseconds);
}

/** Keeps a picture for a person to look at, where a folder is named for it. */
export async function shot(tab, name) {
  const folder = process.env.SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await tab.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export { join, writeFileSync };
