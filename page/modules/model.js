// A model: what is known of it, where it was measured, its curves and the lengths of its outputs.

import { h, svg } from "./element.js";
import { safe, shown } from "./figures.js";
import { labelOf, unitOf } from "./words.js";
import { figureOf, roomFor } from "./chart.js";
import { addressOr, openProvenance } from "./provenance.js";
import { answerOf } from "./answer.js";
import { curvesOf, energyOf, loadOf, reader } from "./pictures.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Words} Words */

/**
 * @param {Catalogue} catalogue
 * @param {Words} words
 * @returns {HTMLElement}
 */
export function modelView(catalogue, { model = "", task = "" }) {
  const { database } = catalogue;
  const known = database.run("select model, model_name from models order by lower(model_name), model").rows;
  const name = known.find(([slug]) => slug === model)?.[1];
  if (name === undefined) {
    return h(
      "div",
      {},
      h("h1", {}, "Models"),
      h("p", { class: "lead" }, `${known.length} models are in this database.`),
      h("ul", { class: "models-list card" }, known.map(([slug, title]) => h("li", {}, h("a", { href: `#model?model=${encodeURIComponent(String(slug))}` }, safe(String(title)))))),
    );
  }
  const facts = database.run("select hugging_face_id, params_b, active_params_b, architecture from models where model = :model", { ":model": model });
  const tasks = database.run(
    `select distinct tasks.task, tasks.output, coalesce(tasks.display_name, tasks.task) from model_index
     join tasks on tasks.task = model_index.task where model_index.model = :model order by tasks.task`,
    { ":model": model },
  ).rows;
  const chosen = tasks.find(([of]) => of === task) ?? tasks[0];
  const sections = chosen ? sectionsOf(catalogue, model, String(chosen[0]), String(chosen[1])) : [h("p", {}, "Nothing was measured of it.")];
  return h(
    "div",
    {},
    h("p", { class: "back" }, h("a", { href: "#model" }, "All models")),
    h("h1", {}, safe(String(name))),
    h("dl", { class: "facts card" }, facts.columns.flatMap((column, index) => {
      const value = facts.rows[0]?.[index] ?? null;
      if (value === null) return [];
      const text = `${shown(column, value)} ${unitOf(column)}`.trim();
      return [h("div", {}, h("dt", {}, labelOf(column)), h("dd", {}, column === "hugging_face_id" ? addressOr(`https://huggingface.co/${text}`) : text))];
    })),
    h("nav", { class: "tabs", "aria-label": "Workloads" }, tasks.map(([of, , title]) => h("a", { href: `#model?model=${encodeURIComponent(model)}&task=${encodeURIComponent(String(of))}`, "aria-current": of === chosen?.[0] ? "page" : null }, safe(String(title))))),
    sections,
  );
}

/**
 * @param {Catalogue} catalogue
 * @param {string} model
 * @param {string} task
 * @param {string} output
 */
function sectionsOf(catalogue, model, task, output) {
  const sections = [];
  const everything = catalogue.everything(output);
  const words = { task, model };
  const lengths = catalogue.get("output-lengths");
  const curve = catalogue.about("curve", output);
  if (curve) {
    const answer = catalogue.ask(curve, words);
    const id = reader(answer, "row_id");
    const pictures = curvesOf(answer, [energyOf(answer.columns), "p99_itl_ms", "batch_latency_s", "tokens_per_second", "outputs_per_second", "power_watts"], {
      open: (of) => openProvenance(catalogue, task, String(id(of))),
    });
    sections.push(h("h2", {}, `Against ${labelOf(loadOf(answer.columns)).toLowerCase()}`), h("div", { class: "grid" }, pictures.map((picture, index) => h("div", { class: "card" }, figureOf(picture, { height: 260, name: `${model}-${index + 1}` })))));
  }
  if (output === "tokens" && lengths) {
    const histogram = histogramOf(catalogue, model, task);
    if (histogram) sections.push(h("h2", {}, "How long its outputs were"), h("div", { class: "card" }, histogram));
  }
  if (everything) {
    sections.push(h("h2", {}, "Every configuration"), h("div", { class: "card" }, answerOf(catalogue, everything, words, catalogue.ask(everything, words))));
  }
  return sections;
}

/**
 * The lengths of the outputs over all of a model's runs in a task.
 * @param {Catalogue} catalogue
 * @param {string} model
 * @param {string} task
 */
function histogramOf(catalogue, model, task) {
  const bins = catalogue.database.run(
    `with ends as (
         select max(to_tokens) / 24.0 as wide from output_length_bins
         join output_lengths using (output_lengths_id)
         where task_id = (select task_id from tasks where task = :task)
             and model_id = (select model_id from models where model = :model)
     )
     select cast((from_tokens + to_tokens) / 2.0 / wide as integer) as place, wide, sum(output_length_bins.requests) as requests
     from output_length_bins
     join output_lengths using (output_lengths_id)
     cross join ends
     where task_id = (select task_id from tasks where task = :task)
         and model_id = (select model_id from models where model = :model)
     group by place, wide order by place`,
    { ":task": task, ":model": model },
  ).rows.map(([place, wide, requests]) => ({ from: Number(place) * Number(wide), to: (Number(place) + 1) * Number(wide), requests: Number(requests) }));
  if (bins.length === 0) return null;
  const most = Math.max(...bins.map(({ requests }) => requests));
  const total = bins.reduce((sum, { requests }) => sum + requests, 0);
  const last = bins[bins.length - 1].to;
  const description = `Requests by output length, in ${bins.length} bins; ${total} requests in all.`;
  const height = 200;
  const draw = (/** @type {number} */ width) => {
    const at = (/** @type {number} */ tokens) => 4 + (tokens / last) * (width - 8);
    const bars = bins.map(({ from, to, requests }) => {
      const tall = (requests / most) * (height - 40);
      const says = svg("title", {}, `${Math.round(from)} to ${Math.round(to)} tokens: ${requests} requests`);
      return svg("rect", { x: at(from), width: Math.max(at(to) - at(from) - 1, 1), y: height - 24 - tall, height: tall, class: "bar look-0" }, says);
    });
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) =>
      svg("text", { x: at(part * last), y: height - 6, "text-anchor": part === 0 ? "start" : part === 1 ? "end" : "middle", class: "faint-ink" }, `${Math.round(part * last)}`));
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "picture", role: "img", "aria-label": description }, bars, ticks);
  };
  return h("figure", {}, roomFor(draw), h("p", { class: "note" }, `${description} The axis has tokens; all runs of the model in this workload count together.`));
}
