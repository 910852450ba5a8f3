// The page can be used: by keyboard alone, in light and dark, on a small screen, without a server.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import { browser, done, everything, go, opened, pageOf, served, settled, shot } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["#explore", "#compare", "#plan?tokens_per_second=5000", "#model", "#ask", "#ask?name=best", "#about"];

/** How often the time that is allowed a machine may take that also does other work. What it took is printed. */
const patience = () => Number(process.env.PATIENCE ?? Math.max(1, (2 * loadavg()[0]) / cpus().length));

const median = (list) => list.toSorted((left, right) => left - right)[Math.floor(list.length / 2)];

let running, made;

before(async () => {
  made = pageOf(everything);
  running = await browser();
});
after(() => running.close());

/** Presses Tab until something is focused that fits. */
async function tabTo(tab, fits, most = 400) {
  for (let presses = 0; presses < most; presses += 1) {
    await tab.keyboard.press("Tab");
    if (await tab.evaluate(fits)) return;
  }
  assert.fail(`nothing focused fits ${fits}`);
}

/** The fragment of a model that has most configurations of text. */
function model(tab) {
  return tab.evaluate(() => energydb.database.run("select model from model_index join tasks using (task) where output = 'tokens' and gpus > 1 order by configurations desc, model limit 1").rows[0][0]);
}

test("from a disk and from a server nothing is asked for, nothing is said, no policy is broken", async () => {
  const server = await served(made.bytes);
  for (const address of [made.address, server.address]) {
    const { tab, said, asked } = await opened(running, address);
    for (const view of VIEWS) await go(tab, view);
    assert.deepEqual(said, []);
    assert.deepEqual(asked.filter((url) => !url.startsWith("data:") && !url.startsWith("blob:")), [address]);
    await tab.close();
  }
  server.close();
});

test("without scripts the question, its picture and its answer are there at once", async () => {
  const paints = [];
  const rows = JSON.parse(done("query", "best", "--db", made.database, "--format", "json", "--quiet"));
  for (let index = 0; index < 11; index += 1) {
    const { tab } = await opened(running, made.address, { script: false });
    assert.ok(await tab.$eval("h1", (heading) => heading.getClientRects().length > 0));
    assert.ok(await tab.$eval("main img", (image) => image.complete && image.naturalWidth > 0));
    assert.deepEqual(await tab.$$eval("main tbody tr", (rows) => rows.map((row) => row.firstElementChild.textContent)), rows.map(({ model }) => model));
    await new Promise((resolve) => setTimeout(resolve, 100));
    paints.push(await tab.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime));
    await tab.close();
  }
  console.log(`first content without scripts after ${Math.round(median(paints))} ms (median of 11)`);
  assert.ok(median(paints) < 600 * patience(), `${paints}`);
});

for (const [width, scheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"], [2560, "light"]]) {
  test(`nothing bars anyone at ${width} pixels in ${scheme}`, async () => {
    const { tab } = await opened(running, made.address, { width, scheme });
    const views = [...VIEWS, `#model?model=${await model(tab)}`];
    for (const view of views) {
      await go(tab, view);
      await shot(tab, `${view.replace(/[#?=&]/g, "-").slice(1)}-${width}-${scheme}`);
      // The page's policy lets nothing in, so the checker is put in through the debugger.
      const found = await tab.evaluate(`(async () => { ${AXE}; const { violations } = await axe.run(); return violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + " " + (any[0]?.message ?? "")).join(" | ")); })()`);
      assert.deepEqual(found, [], view);
      const isWide = await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.ok(!isWide, `${view} is wider than ${width}`);
    }
    await tab.close();
  });
}

test("by keyboard: the best at a deadline", async () => {
  const { tab } = await opened(running, made.address);
  await tabTo(tab, "document.activeElement.id === 'deadline'");
  await tab.keyboard.press("End");
  for (let index = 0; index < 8; index += 1) await tab.keyboard.press("Backspace");
  await tab.keyboard.type("50");
  await settled(tab);
  const model = await tab.$eval(".answer tbody td[data-column=model]", (cell) => cell.textContent);
  const best = done("query", "best", "--deadline-ms", "50", "--db", made.database, "--format", "csv", "--quiet").split("\n")[1].split(",")[0];
  assert.equal(model, best);
  assert.match(await tab.evaluate("location.hash"), /deadline_ms=50/);
  assert.match(await tab.$eval(".command", (line) => line.textContent), /energydb query best --deadline-ms 50/);
  // The picture: from mark to mark, and into where it comes from.
  await tabTo(tab, "document.activeElement.matches('.point')");
  await tab.keyboard.press("Home");
  const first = await tab.$eval(".readout", (line) => line.textContent);
  await tab.keyboard.press("ArrowRight");
  assert.notEqual(await tab.$eval(".readout", (line) => line.textContent), first);
  await tab.keyboard.press("Enter");
  assert.ok(await tab.$eval("dialog", (dialog) => dialog.open));
  await tab.keyboard.press("Escape");
  assert.ok(!(await tab.$eval("dialog", (dialog) => dialog.open)));
  await tab.close();
});

test("by keyboard: the provenance of a figure", async () => {
  const { tab } = await opened(running, made.address);
  await tabTo(tab, "document.activeElement.matches('button.source')");
  const rowId = await tab.evaluate("document.activeElement.textContent");
  await tab.keyboard.press("Enter");
  const text = await tab.$eval("dialog", (dialog) => dialog.textContent);
  const rows = JSON.parse(done("query", "provenance", "--row-id", rowId, "--db", made.database, "--format", "json", "--quiet"));
  assert.ok(rows.length > 10);
  for (const { json_pointer, sha256 } of rows) assert.ok(text.includes(json_pointer ?? "") && text.includes(sha256 ?? ""));
  await tab.keyboard.press("Escape");
  assert.equal(await tab.evaluate("document.activeElement.textContent"), rowId);
  await tab.close();
});

test("by keyboard: two GPUs compared", async () => {
  const { tab } = await opened(running, made.address);
  await tabTo(tab, "document.activeElement.getAttribute('href') === '#compare'");
  await tab.keyboard.press("Enter");
  await settled(tab);
  // A workload and a model that was measured on both.
  const [task, name] = await tab.evaluate(() => energydb.database.run("select display_name, model_name from model_index join tasks using (task) where output = 'tokens' and gpus > 1 and display_name is not null order by model_index.configurations desc, model limit 1").rows[0]);
  for (const [parameter, text] of [["task", task], ["model", name]]) {
    await tabTo(tab, `document.activeElement.closest('[data-parameter=${parameter}]') !== null`);
    await tab.keyboard.type(text);
    await settled(tab);
  }
  const words = Object.fromEntries(new URLSearchParams((await tab.evaluate("location.hash")).split("?")[1]));
  assert.ok(words.gpu && words.other_gpu && words.model, JSON.stringify(words));
  const texts = await tab.$$eval(".answer [data-column=energy_ratio]", (cells) => cells.map((cell) => cell.textContent));
  const rows = done("query", "compare", "--gpu", words.gpu, "--other-gpu", words.other_gpu, "--model", words.model, ...(words.task ? ["--task", words.task] : []), "--db", made.database, "--format", "line", "--quiet");
  assert.ok(texts.length > 1 && rows.includes(texts[1]), `${texts} in ${rows}`);
  await tab.close();
});

test("by keyboard: a link is copied and opened again", async () => {
  const { tab } = await opened(running, made.address);
  await running.defaultBrowserContext().overridePermissions("file://", []).catch(() => {});
  await tab.evaluate(() => { window.kept = ""; navigator.clipboard.writeText = async (text) => { window.kept = text; }; });
  await tabTo(tab, "document.activeElement.value === 'p99'|| document.activeElement.name === 'percentile'");
  for (let index = 0; index < 3; index += 1) await tab.keyboard.press("ArrowRight");
  await settled(tab);
  await tabTo(tab, "document.activeElement.textContent === 'Copy link'");
  await tab.keyboard.press("Enter");
  await settled(tab);
  const link = await tab.evaluate("window.kept");
  assert.match(link, /#explore\?percentile=p99$/);
  const { tab: other } = await opened(running, link);
  const cells = (of) => of.$$eval(".answer tbody td", (cells) => cells.map((cell) => cell.textContent));
  assert.deepEqual(await cells(other), await cells(tab));
  assert.match(await tab.$eval("#status", (status) => status.textContent), /copied/);
  await tab.close();
  await other.close();
});

test("by keyboard: a demand planned", async () => {
  const { tab } = await opened(running, made.address);
  await tabTo(tab, "document.activeElement.getAttribute('href') === '#plan'");
  await tab.keyboard.press("Enter");
  await settled(tab);
  await tabTo(tab, "document.activeElement.closest('[data-parameter=tokens_per_second]') !== null");
  await tab.keyboard.press("End");
  for (let index = 0; index < 8; index += 1) await tab.keyboard.press("Backspace");
  await tab.keyboard.type("1234");
  await settled(tab, 600);
  const shown = await tab.$$eval(".answer [data-column=power_watts]", (cells) => cells.slice(1).map((cell) => cell.textContent));
  const rows = JSON.parse(done("query", "plan", "--tokens-per-second", "1234", "--db", made.database, "--format", "json", "--quiet"));
  assert.equal(shown.length, rows.length);
  await tab.close();
});

test("the question is the same before and after the scripts begin, and follows what is chosen", async () => {
  const question = async (script) => {
    const { tab } = await opened(running, made.address, { script });
    const text = await tab.$eval("h1", (heading) => heading.textContent);
    await tab.close();
    return text;
  };
  const known = "Which GPU serves LLM Chat (LM Arena) with the least energy, at a median ITL of at most 500 ms?";
  assert.equal(await question(false), known);
  assert.equal(await question(true), known);
  const { tab } = await opened(running, `${made.address}#explore?models=qwen-3-14b&percentile=p99&deadline_ms=80`);
  assert.equal(await tab.$eval("h1", (heading) => heading.textContent), "Which GPU serves Qwen 3 14B with the least energy, at a p99 ITL of at most 80 ms?");
  await tab.close();
});

test("a family is what a search finds, and the frontier follows what is chosen", async () => {
  const { tab } = await opened(running, made.address);
  const lines = () => tab.$$eval(".main > .card:first-child path.line", (lines) => lines.map((line) => line.classList.contains("overall")));
  assert.deepEqual(await lines(), [true]);
  await tabTo(tab, "document.activeElement.type === 'search'");
  await tab.keyboard.type("nemotron");
  await tabTo(tab, "document.activeElement.textContent === 'Choose all found'");
  await tab.keyboard.press("Enter");
  await settled(tab);
  const chosen = new URLSearchParams((await tab.evaluate("location.hash")).split("?")[1]).get("models").split(",");
  assert.ok(chosen.length > 1 && chosen.every((model) => model.includes("nemotron")), chosen);
  const shown = await tab.$$eval(".answer tbody td[data-column=model]", (cells) => cells.map((cell) => cell.textContent));
  const best = JSON.parse(done("query", "best", "--db", made.database, "--format", "json", "--quiet")).map(({ model }) => model);
  assert.deepEqual(shown, best.filter((model) => model.includes("nemotron")));
  assert.deepEqual([...new Set(await lines())], [false]);
  await tab.close();
});

test("a statement of one's own reads, and does nothing else", async () => {
  const { tab } = await opened(running, made.address);
  const run = (sql) => tab.evaluate((sql) => { try { return energydb.database.runOwn(sql).rows.map((row) => row.map(String)); } catch (error) { return error.message; } }, sql);
  assert.deepEqual(await run("select count(*) from tasks -- all"), [[String((await tab.evaluate(() => energydb.catalogue.names("task"))).length)]]);
  assert.deepEqual(await run("-- a note\nwith one as (select 1 as x) select x from one"), [["1"]]);
  for (const sql of ["delete from tasks", "drop table tasks", "pragma query_only = off", "attach 'x' as y", "select 1; select 2", "update tasks set task = 'x'", "with a as (select 1) delete from tasks", ""]) {
    assert.equal(typeof (await run(sql)), "string", sql);
  }
  await tab.close();
});

test("an answer without rows says why", async () => {
  const { tab } = await opened(running, made.address);
  for (const words of ["name=best&deadline_ms=0.5", "name=best-images&deadline_s=0.01", "name=best-videos&deadline_s=0.01"]) {
    await go(tab, `#ask?${words}`);
    const text = await tab.$eval(".empty", (box) => box.textContent);
    assert.match(text, /No rows/);
    assert.match(text, /none meets/i);
  }
  await tab.close();
});

test("a statement is prepared once, however often it is asked", async () => {
  const { tab } = await opened(running, made.address);
  const prepared = await tab.evaluate(async () => {
    const { database } = energydb.database;
    const asked = [];
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => { asked.push(sql); return prepare(sql); };
    const slider = document.querySelector(".deadline input[type=range]");
    const wait = () => new Promise((resolve) => setTimeout(resolve, 120));
    for (let index = 0; index < 11; index += 1) {
      slider.value = String(150 + 15 * index);
      slider.dispatchEvent(new Event("input"));
      await wait();
    }
    const moved = asked.length;
    for (const view of ["#compare", "#plan", "#ask?name=best", "#compare", "#plan", "#ask?name=best"]) { location.hash = view; await wait(); }
    return { moved, all: asked.length, once: new Set(asked).size };
  });
  assert.equal(prepared.moved, 0);
  assert.ok(prepared.all > 0);
  assert.equal(prepared.all, prepared.once);
  await tab.close();
});

test("the page is as small as it is meant to be", () => {
  const chat = pageOf(`${everything}/tasks/lm-arena-chat.json`, "--data-version", "2026-01-01").bytes;
  const [whole, packed] = [chat.length, gzipSync(chat, { level: 9 }).length];
  console.log(`chat alone ${whole} bytes, ${packed} gzipped; everything ${made.bytes.length} bytes`);
  assert.ok(whole <= 900_000 && packed <= 550_000 && made.bytes.length <= 2_200_000);
});

test("figures that deserve a second look are marked, and what is known of them is beside them", async () => {
  const { tab } = await opened(running, `${made.address}#ask?name=best&all=1`);
  const rows = JSON.parse(done("query", "best", "--db", made.database, "--format", "json", "--quiet"));
  const isThin = rows.map((row) => row.requests_per_slot !== null && row.requests_per_slot < 2);
  const marked = await tab.$$eval("[data-column=requests_per_slot]", (cells) => cells.filter((cell) => cell.tagName === "TD").map((cell) => cell.classList.contains("warned")));
  assert.deepEqual(marked, isThin);
  assert.ok(isThin.includes(true) && isThin.includes(false));
  assert.match(await tab.$eval(".caveats", (list) => list.textContent), new RegExp(`\\(${isThin.filter(Boolean).length} of ${rows.length} rows\\)`));
  await go(tab, "#ask?name=plan&tokens_per_second=20&all=1");
  const estimates = await tab.$$eval("td[data-column=estimate].poor", (cells) => cells.map((cell) => cell.textContent));
  assert.ok(estimates.length > 0 && estimates.every((text) => text === "true"));
  await tab.close();
});

test("outputs are counted once each, in bins that do not overlap", async () => {
  const { tab } = await opened(running, made.address);
  await go(tab, "#model?model=qwen-3-14b&task=gpqa");
  const bars = await tab.$$eval("rect.bar", (bars) => bars.map((bar) => ({ x: bar.x.baseVal.value, width: bar.width.baseVal.value, requests: Number(/: (\d+) requests/.exec(bar.textContent)[1]) })));
  bars.slice(1).forEach((bar, index) => assert.ok(bar.x >= bars[index].x + bars[index].width));
  const sql = "select sum(output_length_bins.requests) as n from output_length_bins join output_lengths using (output_lengths_id) join tasks using (task_id) join models using (model_id) where task = 'gpqa' and model = 'qwen-3-14b'";
  const [{ n }] = JSON.parse(done("query", "--sql", sql, "--db", made.database, "--format", "json", "--quiet"));
  assert.equal(bars.reduce((sum, { requests }) => sum + requests, 0), n);
  await tab.close();
});

for (const task of ["text-to-image", "text-to-video"]) {
  test(`${task} is explored and planned as text is`, async () => {
    const { tab, said } = await opened(running, `${made.address}#explore?task=${task}`);
    const query = task.endsWith("image") ? "best-images" : "best-videos";
    const best = JSON.parse(done("query", query, "--task", task, "--db", made.database, "--format", "json", "--quiet"));
    assert.deepEqual(await tab.$$eval(".answer [data-column=row_id]", (cells) => cells.slice(1).map((cell) => cell.textContent)), best.map((row) => row.row_id));
    assert.equal(await tab.$$eval(".curves figure", (figures) => figures.length), 4);
    await go(tab, `#plan?task=${task}&outputs_per_hour=100`);
    const plan = JSON.parse(done("query", "plan-media", "--task", task, "--outputs-per-hour", "100", "--db", made.database, "--format", "json", "--quiet"));
    assert.equal(await tab.$$eval(".answer tbody tr", (rows) => rows.length), plan.length);
    await go(tab, "#ask?name=plan-media");
    assert.match(await tab.$eval(".empty", (box) => box.textContent), /text-to-image, text-to-video/);
    assert.deepEqual(said, []);
    await tab.close();
  });
}

test("the page is ready soon, and follows a move of the deadline at once", async () => {
  const loads = [];
  for (let index = 0; index < 11; index += 1) {
    const { tab } = await opened(running, made.address);
    loads.push(await tab.evaluate(() => performance.getEntriesByName("ready")[0].startTime - performance.getEntriesByType("navigation")[0].responseEnd));
    await tab.close();
  }
  const { tab } = await opened(running, made.address);
  const moves = [];
  for (let index = 0; index < 11; index += 1) {
    moves.push(await tab.evaluate((index) => new Promise((resolve) => {
      const slider = document.querySelector(".deadline input[type=range]");
      const card = document.querySelector(".answer").closest(".card");
      const start = performance.now();
      new MutationObserver((_, watcher) => { watcher.disconnect(); requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start))); }).observe(card, { childList: true });
      slider.value = String(150 + 15 * index);
      slider.dispatchEvent(new Event("input"));
    }), index));
    await settled(tab, 50);
  }
  console.log(`ready after ${Math.round(median(loads))} ms, redrawn within ${Math.round(median(moves))} ms (medians of 11, at a load of ${loadavg()[0]})`);
  assert.ok(median(loads) < 600 * patience(), `${loads}`);
  assert.ok(median(moves) < 250 * patience(), `${moves}`);
  await tab.close();
});
