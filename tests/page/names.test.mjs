// Names in the data are shown as text, whatever they hold.

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import sqlite from "sql.js";
import { browser, done, folder, go, join, opened, pageOf } from "./browser.mjs";

const NAMES = [
  `A <img src=x onerror="window.hit=1">`,
  `B </script><script>window.hit=1</script>`,
  `Birch & "Elm" 'Fir' <b>`,
  `D \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 {{database}}`,
  `模型 Σ é ${"x".repeat(80)}`,
  `F \${window.hit=1}`,
];

const TURNED = "D \u202eright to left\u202c\n{{database}}";
const PACKAGE = createRequire(import.meta.url).resolve;

let running, made;

before(async () => {
  const place = folder();
  const file = join(place, "gpqa.json");
  cpSync(join(process.env.WORKLOADS, "tasks", "gpqa.json"), file);
  const document = JSON.parse(readFileSync(file, "utf8"));
  const row = document.configurations[0];
  document.task_display_name = NAMES[0];
  document.configurations = NAMES.map((name, index) => ({ ...row, nickname: name, model_id: `example/${index}<i>&"'`, gpu_model: `B<u>&"${index}`, architecture: name }));
  writeFileSync(file, JSON.stringify(document));
  made = pageOf(file, "--data-version", "2026-01-01");
  // No build takes what is not seen or turns text around, but another program may have written it.
  const { Database } = await sqlite({ locateFile: (name) => PACKAGE(`sql.js/dist/${name}`) });
  const database = new Database(readFileSync(made.database));
  database.run("update models set model_name = ? where model_name like 'D %'", [TURNED]);
  writeFileSync(made.database, database.export());
  done("page", "--db", made.database, "-o", made.page, "--quiet");
  running = await browser();
});
after(() => running.close());

test("no name is markup or script, in any view, with and without scripts", async () => {
  const { tab, said, asked } = await opened(running, made.address);
  const models = await tab.evaluate(() => energydb.database.run("select model from models").rows.flat());
  for (const view of ["#explore", "#compare", "#plan?tokens_per_second=50", "#model", "#ask", "#ask?name=best&all=1", "#ask?name=models&all=1", "#about", ...models.map((model) => `#model?model=${encodeURIComponent(model)}`)]) {
    await go(tab, view);
    assert.equal(await tab.evaluate("window.hit"), undefined, view);
    assert.equal(await tab.evaluate("document.querySelectorAll('main img, main script, main b, main i, main u').length"), 0, view);
  }
  await go(tab, "#ask?name=models&all=1");
  const text = await tab.$eval("main", (main) => main.textContent);
  for (const name of NAMES.filter((name) => !name.startsWith("D "))) assert.ok(text.includes(name), name);
  assert.ok(text.includes("D \\u{202e}right to left\\u{202c}\\n{{database}}"));
  assert.deepEqual(said, []);
  assert.equal(asked.filter((url) => !url.startsWith("data:")).length, 1);
  const { tab: bare } = await opened(running, made.address, { script: false });
  assert.equal(await bare.$$eval("main img:not([src^='data:image/svg+xml;base64,']), main script, main b", (found) => found.length), 0);
});

test("SQLite for the browser is what its publisher ships", () => {
  for (const name of ["sql-wasm-browser.js", "sql-wasm-browser.wasm"]) {
    const vendored = join(process.env.VENDORED, name);
    assert.ok(readFileSync(vendored).equals(readFileSync(PACKAGE(`sql.js/dist/${name}`))), name);
  }
});

test("what an address holds is text, too", async () => {
  for (const fragment of ["#ask?name=<img src=x onerror=window.hit=1>", "#explore?task=<b>&deadline_ms=<i>", "#explore?deadline_ms=-5&percentile=zz", "#model?model=%3Cb%3E", "#nothing", "#%", "#ask?sql=select '<b>x</b>' as \"<i>\""]) {
    const { tab, said } = await opened(running, `${made.address}${fragment}`);
    assert.equal(await tab.evaluate("window.hit"), undefined);
    assert.equal(await tab.evaluate("document.querySelectorAll('main img, main b, main i').length"), 0);
    assert.deepEqual(said, [], fragment);
    await tab.close();
  }
});
