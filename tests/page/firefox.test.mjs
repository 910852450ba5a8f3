// The page in another browser: it opens, answers as the command line does, and follows the keyboard.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { done, everything, firefox, go, opened, pageOf, served, settled } from "./browser.mjs";

let running, made, server;

before(async () => {
  running = await firefox();
  if (!running) return;
  made = pageOf(everything);
  server = await served(made.bytes);
});
after(async () => {
  server?.close();
  await running?.close();
});

test("in Firefox, from a disk and from a server, nothing is asked for and nothing is said", async (context) => {
  if (!running) return context.skip("Firefox is not installed");
  for (const address of [made.address, server.address]) {
    const { tab, said, asked } = await opened(running, address);
    for (const view of ["#explore?task=text-to-image", "#compare", "#plan", "#model?model=qwen-3-14b", "#ask?name=best", "#about"]) await go(tab, view);
    assert.deepEqual(said, []);
    const isHere = (url) => url.startsWith("data:") || url.startsWith("blob:") || url === address;
    assert.deepEqual(asked.filter((url) => !isHere(url)), []);
    await tab.close();
  }
});

test("in Firefox, the best of every workload is the command line's, digit for digit", async (context) => {
  if (!running) return context.skip("Firefox is not installed");
  const { tab } = await opened(running, made.address);
  const tasks = await tab.evaluate(() => energydb.database.run("select task, case output when 'tokens' then 'best' else 'best-' || output end from tasks").rows);
  assert.equal(tasks.length, 7);
  for (const [task, name] of tasks) {
    const csv = await tab.evaluate((name, task) => energydb.csv(energydb.catalogue.ask(energydb.catalogue.get(name), { task })), name, task);
    assert.equal(csv, done("query", name, "--task", task, "--db", made.database, "--format", "csv", "--quiet"), task);
  }
  await tab.close();
});

test("in Firefox, by keyboard: the best at a deadline and where it comes from", async (context) => {
  if (!running) return context.skip("Firefox is not installed");
  const { tab } = await opened(running, made.address);
  await tab.focus("#deadline");
  await tab.keyboard.press("End");
  for (let index = 0; index < 8; index += 1) await tab.keyboard.press("Backspace");
  await tab.keyboard.type("50");
  await settled(tab);
  const best = JSON.parse(done("query", "best", "--deadline-ms", "50", "--db", made.database, "--format", "json", "--quiet"));
  assert.deepEqual(await tab.$$eval(".answer [data-column=row_id]", (cells) => cells.slice(1).map((cell) => cell.textContent)), best.map((row) => row.row_id));
  await tab.focus("button.source");
  await tab.keyboard.press("Enter");
  assert.ok(await tab.$eval("dialog", (dialog) => dialog.open && dialog.textContent.includes("lm-arena-chat")));
  await tab.keyboard.press("Escape");
  assert.ok(!(await tab.$eval("dialog", (dialog) => dialog.open)));
  await tab.close();
});
