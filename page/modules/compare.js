// Compare: two GPUs, models or precisions side by side, with the curves of both.

import { h } from "./element.js";
import { safe } from "./figures.js";
import { fragmentOf, keepState } from "./state.js";
import { figureOf } from "./chart.js";
import { openProvenance } from "./provenance.js";
import { taskOf } from "./answer.js";
import { curvesOf, energyOf, reader } from "./pictures.js";
import { asking } from "./ask.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Words} Words */

/** The parameters that are asked first. */
const COMPARED = [
  "task", "model", "other_model", "gpu", "other_gpu", "precision", "other_precision", "source", "percentile", "deadline_ms",
];

/**
 * @param {Catalogue} catalogue
 * @param {Words} words
 * @returns {HTMLElement}
 */
export function compareView(catalogue, words) {
  const query = catalogue.get("compare");
  if (!query) return h("p", {}, "This energydb has no query that compares.");
  const gpus = catalogue.names("gpu") ?? [];
  const isFresh = Object.keys(words).length === 0;
  const start = isFresh && gpus.length > 1 ? { gpu: gpus[0], other_gpu: gpus[1] } : words;
  return h(
    "div",
    {},
    h("h1", {}, "What changes with another GPU, model or precision?"),
    h("p", { class: "lead" }, safe(query.description)),
    asking(catalogue, query, start, (kept) => keepState("compare", kept), (answer, asked) => [bothCurvesOf(catalogue, query, answer, asked)], COMPARED),
    (catalogue.names("source") ?? []).length > 1 && h("p", { class: "note" }, "Two sources are set side by side by ", h("a", { href: fragmentOf("ask", { name: "compare-sources" }) }, "compare-sources"), "."),
  );
}

/**
 * The curves of both sides, where one model is compared.
 * @param {Catalogue} catalogue
 * @param {import("./queries.js").Query} query
 * @param {import("./database.js").Answer} answer
 * @param {Words} asked
 */
function bothCurvesOf(catalogue, query, answer, asked) {
  const curve = catalogue.get("curve");
  if (!curve || answer.rows.length === 0) return null;
  const [row] = answer.rows;
  const isOne = answer.rows.every((other) => reader(answer, "model")(other) === reader(answer, "model")(row));
  if (!isOne) return h("p", { class: "note" }, "Name a model to see the curves of both sides.");
  const task = taskOf(catalogue, query, asked);
  const sides = [["model", "gpu"], ["other_model", "other_gpu"]].map(([model, gpu]) => ({
    task, model: String(reader(answer, model)(row)), gpu: String(reader(answer, gpu)(row)), ...(asked.source ? { source: asked.source } : {}),
  }));
  /** @type {import("./database.js").Answer} */
  const curves = { columns: [], rows: [] };
  for (const side of sides) {
    const one = catalogue.ask(curve, side);
    curves.columns = one.columns;
    curves.rows.push(...one.rows);
  }
  const id = reader(curves, "row_id");
  const pictures = curvesOf(curves, [energyOf(curves.columns), "p99_itl_ms"], {
    open: (of) => openProvenance(catalogue, task, String(id(of))),
  });
  return h("div", { class: "grid" }, pictures.map((picture, index) => h("div", { class: "card" }, figureOf(picture, { height: 300, name: `compare-${index + 1}` }))));
}
