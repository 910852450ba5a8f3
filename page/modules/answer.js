// An answer: the rows of a query, what to take along of them, and why there are none.

import { h } from "./element.js";
import { csv } from "./database.js";
import { safe } from "./figures.js";
import { noteOn, notesOf } from "./notes.js";
import { copy, save } from "./keep.js";
import { openProvenance } from "./provenance.js";
import { tableOf } from "./table.js";

/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Query} Query */
/** @typedef {import("./queries.js").Words} Words */

/**
 * The task that an answer is about.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words
 */
export function taskOf(catalogue, query, words) {
  const parameter = query.parameters.find(({ name }) => name === "task");
  return words.task ?? (parameter ? catalogue.defaultOf(parameter) : null) ?? "";
}

/**
 * What is shown of an answer.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words
 * @param {Answer} answer
 * @param {{commands?: string[], before?: (row: import("./figures.js").Value[]) => Node | null, everyColumn?: boolean}} [options]
 */
export function answerOf(catalogue, query, words, answer, options = {}) {
  const commands = options.commands ?? [catalogue.commandLine(query, words)];
  return h(
    "div",
    { class: "answer" },
    answer.rows.length === 0
      ? emptyOf(catalogue, query, words)
      : tableOf(answer, {
          label: query.description,
          everyColumn: options.everyColumn,
          important: query.important,
          before: options.before,
          warns: (row, column) => noteOn(query.notes, answer.columns, row, column),
          open: (rowId, column) => openProvenance(catalogue, taskIn(catalogue, query, words, answer, rowId), rowId, column),
        }),
    caveatsOf(notesOf(catalogue, query, words, answer)),
    takeAlong(query, answer, commands),
  );
}

/**
 * What to look out for in the rows.
 * @param {{text: string, isOfRows: boolean}[]} notes
 */
function caveatsOf(notes) {
  if (notes.length === 0) return null;
  return h("ul", { class: "caveats", "aria-label": "What to look out for" }, notes.map(({ text, isOfRows }) => h("li", { class: isOfRows ? "marked" : "" }, safe(text))));
}

/**
 * The task of a row: its own where it names one.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words
 * @param {Answer} answer
 * @param {string} rowId
 */
function taskIn(catalogue, query, words, answer, rowId) {
  const task = answer.columns.indexOf("task");
  const row = answer.rows.find((row) => row.includes(rowId));
  const own = task >= 0 ? row?.[task] : null;
  return typeof own === "string" ? own : taskOf(catalogue, query, words);
}

/**
 * The command line, the rows as CSV and a link to this state.
 * @param {Query} query
 * @param {Answer} answer
 * @param {string[]} commands
 */
function takeAlong(query, answer, commands) {
  const text = commands.join("\n");
  return h(
    "div",
    { class: "take" },
    h("pre", { class: "command", tabindex: 0, "aria-label": "The command line that gives this answer" }, h("code", {}, safeLines(text))),
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "button", click: () => copy(text, "command line") }, "Copy command"),
      h("button", { type: "button", click: () => save(`${query.name}.csv`, "text/csv", csv(answer)) }, "Save CSV"),
      h("button", { type: "button", click: () => copy(location.href, "link") }, "Copy link"),
    ),
  );
}

/** @param {string} text */
function safeLines(text) {
  return text.split("\n").map(safe).join("\n");
}

/**
 * Why an answer is empty, as far as it is known.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words
 */
function emptyOf(catalogue, query, words) {
  const reason = query.no_rows ?? "No configuration has all that was asked for.";
  const box = h("div", { class: "empty" }, h("p", {}, h("strong", {}, "No rows. "), safe(reason)));
  const task = taskOf(catalogue, query, words);
  const feasibility = catalogue.about("feasibility", String(catalogue.outputOf(task)));
  const hasDeadline = query.parameters.some(({ name }) => name.startsWith("deadline"));
  if (!feasibility || query === feasibility || !hasDeadline) return box;
  const shared = Object.fromEntries(
    Object.entries({ ...words, task }).filter(([name]) => feasibility.parameters.some((parameter) => parameter.name === name)),
  );
  if (catalogue.refusal(feasibility, shared)) return box;
  const answer = catalogue.ask(feasibility, shared);
  if (answer.rows.length === 0) {
    box.append(h("p", {}, "Nothing was measured of this model on this GPU in this workload."));
  } else {
    box.append(h("p", {}, "What the deadline alone allows:"), tableOf(answer, { label: feasibility.description }));
  }
  return box;
}
