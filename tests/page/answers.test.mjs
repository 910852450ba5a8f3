// The page's answers are the command line's: every value bit for bit, every text cell by cell.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { browser, done, energydb, everything, folder, go, join, opened, own, pageOf, writeFileSync } from "./browser.mjs";

const RANDOM = Number(process.env.RANDOM_ARGUMENTS ?? 200);

let running, made, tab, queries, names;

before(async () => {
  made = pageOf(everything, own());
  running = await browser();
  ({ tab } = await opened(running, made.address));
  queries = await tab.evaluate(() => energydb.catalogue.queries.map(({ sql, ...rest }) => rest));
  names = await tab.evaluate(() => {
    const all = {};
    const kinds = energydb.catalogue.queries.flatMap(({ parameters }) => parameters.map(({ kind }) => kind));
    for (const kind of new Set(kinds)) all[kind] = kind === "row_id" ? null : energydb.catalogue.names(kind);
    all.model = energydb.database.run("select model from models order by model").rows.flat();
    all.row_ids = {};
    for (const task of all.task) all.row_ids[task] = energydb.catalogue.names("row_id", task);
    return all;
  });
});
after(() => running.close());

/** What the page answers: the rows as CSV and as JSON, and the texts that it shows. */
function ask(name, words) {
  return tab.evaluate((name, words) => {
    const { catalogue, csv, notesOf, shown } = energydb;
    const query = catalogue.get(name);
    const refusal = catalogue.refusal(query, words);
    if (refusal) return { refusal };
    const answer = catalogue.ask(query, words);
    return {
      csv: csv(answer),
      notes: notesOf(catalogue, query, words, answer).map(({ text }) => text),
      columns: answer.columns,
      rows: answer.rows.map((row) => row.map((value) => (typeof value === "bigint" ? { whole: String(value) } : value instanceof Uint8Array ? { bytes: [...value] } : Object.is(value, -0) ? { negative: 0 } : value))),
      texts: answer.rows.map((row) => row.map((value, index) => shown(answer.columns[index], value))),
      command: catalogue.commandLine(query, words),
    };
  }, name, words);
}

/** The flags for these words. */
function flags(query, words) {
  return query.parameters.filter(({ name }) => words[name] !== undefined).flatMap(({ name, flag, kind }) => {
    if (kind !== "load profile") return [`--${flag}`, words[name]];
    const file = join(folder(), "day.csv");
    writeFileSync(file, words[name]);
    return [`--${flag}`, file];
  });
}

/** The cells of a table as the command line prints it where it is piped. */
function cells(table) {
  const [head, rule, ...rows] = table.replace(/\n$/, "").split("\n");
  const ends = [...rule].flatMap((letter, index) => (letter === "+" ? [index] : []));
  const cut = (line) => {
    const letters = [...line];
    return [-1, ...ends].map((start, index) => letters.slice(start + 1, ends[index] ?? letters.length).join("").trim());
  };
  return { columns: cut(head), rows: rows.map(cut) };
}

async function equal(query, words) {
  const asked = ["query", query.name, ...flags(query, words), "--db", made.database, "--quiet"];
  const where = asked.join(" ");
  const page = await ask(query.name, words);
  if (page.refusal) {
    assert.equal(energydb(...asked).status, 2, `${where}: the page refuses: ${page.refusal}`);
    return false;
  }
  const json = JSON.parse(done(...asked, "--format", "json"));
  assert.equal(page.rows.length, json.length, where);
  json.forEach((row, index) => {
    const values = page.rows[index].map((value) => value?.whole !== undefined ? Number(value.whole) : value);
    const known = Object.values(row).map((value) => (typeof value === "boolean" ? Number(value) : value));
    assert.deepStrictEqual(values, known, where);
  });
  const [lines, known] = [page.csv, done(...asked, "--format", "csv")].map((csv) => csv.split("\n"));
  assert.equal(lines.length, known.length, where);
  lines.forEach((line, index) => assert.equal(line, known[index], `${where}: line ${index + 1}`));
  if (json.length > 0) {
    const { err } = energydb(...asked.filter((word) => word !== "--quiet"), "--format", "csv");
    assert.deepEqual(page.notes, err.split("\n").filter((line) => line.startsWith("note: ")).map((line) => line.slice(6)), where);
    const table = cells(done(...asked, "--format", "table"));
    assert.deepEqual(page.columns, table.columns, where);
    assert.deepEqual(page.texts.map((row) => row.map((text) => text.trim())), table.rows, where);
  }
  return true;
}

/** A sequence of numbers that is the same in every run. */
function sequence(seed) {
  return () => {
    seed = (seed * 1664525 + 1013904223) % 4294967296;
    return seed / 4294967296;
  };
}

function randomWords(query, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const words = {};
  const task = query.parameters.find(({ name }) => name === "task");
  if (task && names[task.kind].length > 0) words.task = pick(names[task.kind]);
  const needed = query.needs.filter(({ rule }) => rule === "one").map(({ names }) => pick(names));
  const barred = query.needs.filter(({ rule }) => rule === "one" || rule === "at most one").flatMap(({ names }) => {
    const kept = names.find((name) => needed.includes(name)) ?? pick(names);
    return names.filter((name) => name !== kept);
  });
  for (const parameter of query.parameters) {
    const { name, kind, choices, range } = parameter;
    const isWanted = needed.includes(name) || (!barred.includes(name) && random() < 0.45);
    if (name === "task" || !isWanted) continue;
    if (choices) words[name] = pick(choices);
    else if (kind === "boolean") words[name] = pick(["true", "false"]);
    else if (kind === "load profile") words[name] = `hours,tokens_per_second\n6,${1 + Math.floor(random() * 900)}\n18,${(random() * 5000 + 1).toFixed(3)}\n`;
    else if (kind === "row_id") words[name] = pick(names.row_ids[words.task] ?? Object.values(names.row_ids).flat());
    else if (names[kind]) words[name] = pick(names[kind]);
    else if (kind === "integer") words[name] = String(Math.max(range?.from ?? 1, Math.floor(10 ** (random() * 3))));
    else if (kind === "real") {
      const low = range?.from ?? range?.above ?? 0;
      const value = low + 10 ** (random() * 4 - 1);
      words[name] = String(random() < 0.4 ? Math.ceil(value) : Math.min(value, range?.up_to ?? Infinity));
    } else if (kind === "date") words[name] = "2026-01-01";
    else assert.fail(`${query.name}: nothing is known to ask for ${name}, a ${kind}`);
  }
  return words;
}

test("every named query gives the same rows and texts, for every workload that it takes", async () => {
  const random = sequence(7);
  for (const query of queries) {
    const task = query.parameters.find(({ name }) => name === "task");
    for (const one of task ? names[task.kind] : [undefined]) {
      let isAsked = false;
      for (let tries = 0; !isAsked && tries < 30; tries += 1) {
        const words = tries === 0 ? {} : randomWords(query, random);
        if (one) words.task = one;
        if (words.row_id && one) words.row_id = names.row_ids[one][tries % names.row_ids[one].length];
        isAsked = await equal(query, words);
      }
      assert.ok(isAsked, `${query.name} was never asked`);
    }
  }
});

test(`${RANDOM} random sets of arguments give the same rows and texts`, async () => {
  const random = sequence(Number(process.env.SEED ?? 20260227));
  let asked = 0;
  for (let index = 0; asked < RANDOM; index += 1) {
    const query = queries[index % queries.length];
    if (await equal(query, randomWords(query, random))) asked += 1;
    assert.ok(index < RANDOM * 5, `only ${asked} could be asked`);
  }
});

test("the table in the page has the texts of the command line's table", async () => {
  for (const query of queries) {
    const words = randomWords(query, sequence(3));
    const refused = (await ask(query.name, words)).refusal;
    if (refused || words.load_profile) continue;
    await go(tab, `#ask?${new URLSearchParams({ name: query.name, all: "1", ...words })}`);
    const rows = await tab.$$eval(".answer tbody tr", (rows) => rows.map((row) => [...row.querySelectorAll("[data-column]")].map((cell) => cell.textContent)));
    const table = done("query", query.name, ...flags(query, words), "--db", made.database, "--quiet", "--format", "table");
    const known = cells(table).rows.slice(0, 200);
    if (known.length > 0) assert.deepEqual(rows.map((row) => row.map((text) => text.trim())), known, query.name);
  }
});

test("the command line that the page shows gives the page's rows", async () => {
  const elsewhere = await tab.evaluate(() => energydb.database.run("select min(model) from model_index group by model having max(task = 'lm-arena-chat') = 0 and count(distinct task) = 1").rows[0][0]);
  const random = (name) => randomWords(queries.find((query) => query.name === name), sequence(11));
  const asked = ["best", "pareto", "curve", "tasks"].map((name) => [name, random(name)]);
  // Where no workload is named, the command line takes that of the model.
  for (const [name, words] of [...asked, ["configurations", { model: elsewhere }], ["best", { model: names.model[0], deadline_ms: "50" }]]) {
    const page = await ask(name, words);
    const line = `${page.command.replace("energydb", '"$ENERGYDB"')} --db '${made.database}' --format csv --quiet`;
    assert.equal(execFileSync("sh", ["-c", line], { encoding: "utf8" }), page.csv, page.command);
  }
});

test("figures are rounded from their exact binary value, ties to even, as the command line does", async () => {
  const known = [
    ["itl_ms", 383.25], ["wh_per_million_output_tokens", 2.675], ["itl_ms", 383.75], ["power_watts", 2.5], ["power_watts", 3.5],
    ["itl_ms", -0.04], ["x", 999999.7], ["x", 1e15], ["x", 1.5e20], ["x", -1.25e-7], ["x", 0.000123456789], ["x", 0.5], ["x", 1234567.5],
    ["unrounded_value", 1e16], ["unrounded_value", 5e-324], ["unrounded_value", 0.00001], ["unrounded_value", 123456789012345680], ["relative_change", 0.0005], ["relative_change", -0.015625],
    ["joules_per_output_token", 0.12345675], ["wh_per_image", 1e22], ["params_b", 235], ["x", 100000.5], ["x", 1000005 / 10],
  ];
  const random = sequence(99);
  for (let index = 0; index < 600; index += 1) {
    const value = (Math.floor(random() * 2 ** 20) - 2 ** 19) / 2 ** Math.floor(random() * 12);
    known.push([["itl_ms", "wh_per_million_output_tokens", "power_watts", "x", "relative_change", "wh_per_image"][index % 6], value * 10 ** Math.floor(random() * 6 - 3)]);
  }
  for (let start = 0; start < known.length; start += 60) {
    const some = known.slice(start, start + 60);
    const sql = `select ${some.map(([column, value], index) => `${Number.isInteger(value) && Math.abs(value) < 1e21 ? `${BigInt(value)}.0` : value} as a${index}_${column}`).join(", ")}`;
    const table = cells(done("query", "--sql", sql, "--db", made.database, "--format", "table", "--quiet"));
    const texts = await tab.evaluate((columns, values) => values.map((value, index) => energydb.shown(columns[index], value)), table.columns, some.map(([, value]) => value));
    assert.deepEqual(texts, table.rows[0], sql);
  }
});
