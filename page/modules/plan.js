// Plan: a demand and a deadline in; GPUs, replicas, energy and money out, with the load at which each
// replica runs marked on its curve.

import { h } from "./element.js";
import { safe, shown } from "./figures.js";
import { labelOf } from "./words.js";
import { fragmentOf, keepState } from "./state.js";
import { figureOf } from "./chart.js";
import { openProvenance } from "./provenance.js";
import { taskOf } from "./answer.js";
import { SETTING, curvesOf, energyOf, loadOf, reader } from "./pictures.js";
import { asking } from "./ask.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Query} Query */
/** @typedef {import("./queries.js").Words} Words */

/** Where a replica works, in the rows of a plan of text. */
const LOAD = "per_replica_avg_running_batch";
/** The parameters that are asked first. */
const PLANNED = [
  "task", "model", "gpu", "precision", "tokens_per_second", "requests_per_second", "outputs_per_hour", "percentile",
  "deadline_ms", "deadline_s", "headroom", "minimize", "usd_per_kwh", "usd_per_gpu_hour", "gco2_per_kwh",
];
/** A demand to begin with, by the parameter that takes it. */
const DEMANDS = /** @type {Words} */ ({ tokens_per_second: "5000", outputs_per_hour: "1000" });

/**
 * @param {Catalogue} catalogue
 * @param {Words} words
 * @returns {HTMLElement}
 */
export function planView(catalogue, words) {
  const plans = plansOf(catalogue);
  const output = catalogue.outputOf(words.task ?? "") ?? plans[0]?.outputs[0];
  const query = catalogue.about("plan", String(output));
  if (!query) return h("p", {}, "This energydb has no query that plans.");
  const demand = Object.keys(DEMANDS).find((name) => query.parameters.some((parameter) => parameter.name === name)) ?? "";
  const isFresh = Object.keys(words).every((name) => name === "task");
  const start = isFresh ? { ...words, [demand]: DEMANDS[demand] ?? "" } : words;
  return h(
    "div",
    {},
    h("h1", {}, "How many GPUs serve a demand, and what does it take?"),
    h("p", { class: "lead" }, safe(query.description)),
    plans.length > 1 && h("nav", { class: "tabs", "aria-label": "What is made" }, plans.map((plan) => h("a", { href: fragmentOf("plan", { task: plan.task }), "aria-current": plan.query === query ? "page" : null }, plan.outputs.join(" and ")))),
    asking(catalogue, query, start, (kept) => keepState("plan", kept), (answer, asked) => [replicaOf(catalogue, query, String(output), answer, asked)], PLANNED),
    h("details", { class: "explanation" }, h("summary", {}, "What the figures mean"), h("pre", { class: "prose" }, query.explanation.split("\n").map(safe).join("\n"))),
  );
}

/**
 * The queries that plan, with what they are about and a task of it.
 * @param {Catalogue} catalogue
 */
function plansOf(catalogue) {
  const tasks = catalogue.database.run("select output, min(task) from tasks group by output order by output <> 'tokens', output").rows;
  /** @type {{query: Query, outputs: string[], task: string}[]} */
  const plans = [];
  for (const [output, first] of tasks.map((row) => row.map(String))) {
    const query = catalogue.about("plan", output);
    const known = plans.find((plan) => plan.query === query);
    if (known) known.outputs.push(output);
    else if (query) plans.push({ query, outputs: [output], task: taskOf(catalogue, query, {}) || first });
  }
  return plans;
}

/**
 * The curve of the best plan, with the load of each replica.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {string} output
 * @param {import("./database.js").Answer} answer
 * @param {Words} asked
 */
function replicaOf(catalogue, query, output, answer, asked) {
  const curve = catalogue.about("curve", output);
  const column = [LOAD, loadOf(answer.columns)].find((name) => answer.columns.includes(name)) ?? LOAD;
  const [load, replicas] = [column, "replicas"].map((name) => reader(answer, name));
  const row = answer.rows.find((row) => load(row) !== null && replicas(row) !== null);
  if (!curve || !row) return null;
  const isOne = answer.rows.every((other) => reader(answer, "model")(other) === reader(answer, "model")(row));
  if (!isOne) return h("p", { class: "note" }, "Choose a model to see where on its curve each replica works.");
  const task = taskOf(catalogue, query, asked);
  const [model, gpu, count, source] = ["model", "gpu", "num_gpus", "source"].map((name) => String(reader(answer, name)(row)));
  const all = catalogue.ask(curve, { task, model, gpu, num_gpus: count, source });
  // Of the settings of images and videos, the plan has one.
  const setting = SETTING.filter((name) => answer.columns.includes(name));
  const isOfPlan = (/** @type {import("./figures.js").Value[]} */ of) => setting.every((name) => reader(all, name)(of) === reader(answer, name)(row));
  const curves = { columns: all.columns, rows: all.rows.filter(isOfPlan) };
  const rowId = reader(curves, "row_id");
  const pictures = curvesOf(curves, ["power_watts", energyOf(curves.columns)], {
    open: (of) => openProvenance(catalogue, task, String(rowId(of))),
    mark: { at: Number(load(row)), words: `each replica: ${shown(column, load(row))}` },
  });
  return h(
    "div",
    {},
    h("p", { class: "verdict" }, "The first row takes ", h("strong", {}, safe(`${count} × ${gpu}`)), ` in ${shown("replicas", replicas(row))} ${replicas(row) === 1n ? "replica" : "replicas"} with ${safe(model)}; ${labelOf(column)} ${shown(column, load(row))}.`),
    h("div", { class: "grid" }, pictures.map((picture, index) => h("div", { class: "card" }, figureOf(picture, { height: 280, name: `plan-${index + 1}` })))),
  );
}
