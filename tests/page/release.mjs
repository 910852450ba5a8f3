// Opens the pages of releases: each answers as the command line does from the database beside it, which
// it also holds, and asks nothing of anyone. usage: node release.mjs RELEASE...

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { browser, done, join, opened } from "./browser.mjs";

const running = await browser();
for (const release of process.argv.slice(2).map((path) => resolve(path))) {
  const names = readdirSync(release).filter((name) => name.endsWith(".sqlite"));
  assert.equal(names.length, 1, `${names}`);
  const database = join(release, names[0]);
  const address = `file://${join(release, "index.html")}`;
  const { tab, said, asked } = await opened(running, address);
  const packed = await tab.$eval("#database", (script) => script.textContent);
  assert.ok(readFileSync(database).equals(gunzipSync(Buffer.from(packed, "base64"))), "the page holds another database");
  const answers = await tab.evaluate(() => energydb.database.run("select task, case output when 'tokens' then 'best' else 'best-' || output end from tasks").rows.map(([task, name]) => ({
    task, name, csv: energydb.csv(energydb.catalogue.ask(energydb.catalogue.get(name), { task })),
  })));
  assert.ok(answers.length > 0);
  for (const { task, name, csv } of answers) assert.equal(csv, done("query", name, "--task", task, "--db", database, "--format", "csv", "--quiet"), task);
  assert.ok((await tab.$$eval(".answer tbody tr", (rows) => rows.length)) > 0);
  assert.deepEqual(said, []);
  assert.deepEqual(asked.filter((url) => !url.startsWith("data:")), [address]);
  console.log(`${names[0]}: ${answers.length} workloads, as on the command line`);
  await tab.close();
}
await running.close();
