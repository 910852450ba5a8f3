// Plan: a demand and a deadline in; GPUs, replicas, energy and money out, with the load at which each
// replica runs marked on its curve.

import { h } from "./element.js";
import { safe, shown } from "./figures.js";
import { labelOf } from "./words.js";
import { keepState } from "./state.js";
import { figureOf } from "./chart.js";
import { openProvenance } from "./provenance.js";
import { taskOf } from "./answer.js";
import { curvesOf, energyOf, reader } from "./pictures.js";
import { asking } from "./ask.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Words} Words */

/** Where a replica works, in the rows of a plan. */
const LOAD = "per_replica_avg_running_batch";

/**
 * @param {Catalogue} catalogue
 * @param {Words} words
 * @returns {HTMLElement}
 */
export function planView(catalogue, words) {
  const query = catalogue.get("plan");
  if (!query) return h("p", {}, "This energydb has no query that plans.");
  const isFresh = Object.keys(words).length === 0;
  const start = isFresh ? { tokens_per_second: "5000" } : words;
  return h(
    "div",
    {},
    h("h1", {}, "How many GPUs serve a demand, and what does it take?"),
    h("p", { class: "lead" }, safe(query.description)),
    asking(catalogue, query, start, (kept) => keepState("plan", kept), (answer) => [replicaOf(catalogue, query, answer)]),
    h("details", { class: "explanation" }, h("summary", {}, "What the figures mean"), h("pre", { class: "prose" }, query.explanation.split("\n").map(safe).join("\n"))),
  );
}

/**
 * The curve of the plan of least power, with the load of each replica.
 * @param {Catalogue} catalogue
 * @param {import("./queries.js").Query} query
 * @param {import("./database.js").Answer} answer
 */
function replicaOf(catalogue, query, answer) {
  const curve = catalogue.get("curve");
  const [load, id] = [reader(answer, LOAD), reader(answer, "upper_row_id")];
  const row = answer.rows.find((row) => load(row) !== null && id(row) !== null);
  if (!curve || !row) return null;
  const isOne = answer.rows.every((other) => reader(answer, "model")(other) === reader(answer, "model")(row));
  if (!isOne) return h("p", { class: "note" }, "Name a model to see where on its curve each replica works.");
  const task = new URLSearchParams(location.hash.split("?")[1] ?? "").get("task") ?? taskOf(catalogue, query, {});
  const [model, gpu, count, replicas] = ["model", "gpu", "num_gpus", "replicas"].map((column) => reader(answer, column)(row));
  const curves = catalogue.ask(curve, { task, model: String(model), gpu: String(gpu), num_gpus: String(count) });
  const rowId = reader(curves, "row_id");
  const pictures = curvesOf(curves, "avg_running_batch", ["power_watts", energyOf(curves.columns)], {
    name: (of) => safe(`${reader(curves, "num_gpus")(of)} × ${reader(curves, "gpu")(of)} ${reader(curves, "precision")(of)}`),
    look: () => 0,
    open: (of) => openProvenance(catalogue, task, String(rowId(of))),
    mark: { at: Number(load(row)), words: `each replica: ${shown(LOAD, load(row))}` },
  });
  return h(
    "div",
    {},
    h("p", { class: "verdict" }, "Least power: ", h("strong", {}, safe(`${shown("replicas", replicas)} × ${shown("num_gpus", count)} ${gpu}`)), ` with ${safe(String(model))}; ${labelOf(LOAD)} ${shown(LOAD, load(row))}.`),
    h("div", { class: "grid" }, pictures.map((picture, index) => h("div", { class: "card" }, figureOf(picture, { height: 280, name: `plan-${index + 1}` })))),
  );
}
