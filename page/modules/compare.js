// Compare: two GPUs, models or precisions side by side, with the curves of both.

import { h } from "./element.js";
import { safe } from "./figures.js";
import { keepState } from "./state.js";
import { figureOf } from "./chart.js";
import { openProvenance } from "./provenance.js";
import { taskOf } from "./answer.js";
import { curvesOf, energyOf, reader } from "./pictures.js";
import { asking } from "./ask.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Words} Words */

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
    asking(catalogue, query, start, (kept) => keepState("compare", kept), (answer) => [bothCurvesOf(catalogue, query, answer)]),
  );
}

/**
 * The curves of both sides, where one model is compared.
 * @param {Catalogue} catalogue
 * @param {import("./queries.js").Query} query
 * @param {import("./database.js").Answer} answer
 */
function bothCurvesOf(catalogue, query, answer) {
  const curve = catalogue.get("curve");
  if (!curve || answer.rows.length === 0) return null;
  const [row] = answer.rows;
  const isOne = answer.rows.every((other) => reader(answer, "model")(other) === reader(answer, "model")(row));
  if (!isOne) return h("p", { class: "note" }, "Name a model to see the curves of both sides.");
  const task = new URLSearchParams(location.hash.split("?")[1] ?? "").get("task") ?? taskOf(catalogue, query, {});
  const sides = [["model", "gpu"], ["other_model", "other_gpu"]].map(([model, gpu]) => ({
    task, model: String(reader(answer, model)(row)), gpu: String(reader(answer, gpu)(row)),
  }));
  /** @type {import("./database.js").Answer} */
  const curves = { columns: [], rows: [] };
  for (const side of sides) {
    const one = catalogue.ask(curve, side);
    curves.columns = one.columns;
    curves.rows.push(...one.rows);
  }
  const [model, gpu, count, precision, id] = ["model", "gpu", "num_gpus", "precision", "row_id"].map((column) => reader(curves, column));
  const name = (/** @type {import("./figures.js").Value[]} */ of) => safe(`${model(of)}, ${count(of)} × ${gpu(of)}, ${precision(of)}`);
  const names = [...new Set(curves.rows.map(name))];
  const pictures = curvesOf(curves, "avg_running_batch", [energyOf(curves.columns), "p99_itl_ms"], {
    name, look: (of) => names.indexOf(name(of)), open: (of) => openProvenance(catalogue, task, String(id(of))),
  });
  return h("div", { class: "grid" }, pictures.map((picture, index) => h("div", { class: "card" }, figureOf(picture, { height: 300, name: `compare-${index + 1}` }))));
}
