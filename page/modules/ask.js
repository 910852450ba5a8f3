// Ask: every named query with a form of its parameters, and SQL of one's own.

import { h } from "./element.js";
import { csv } from "./database.js";
import { safe } from "./figures.js";
import { copy, save } from "./keep.js";
import { fragmentOf, keepState } from "./state.js";
import { tableOf } from "./table.js";
import { formOf } from "./form.js";
import { answerOf, taskOf } from "./answer.js";
import { figureOf } from "./chart.js";
import { openProvenance } from "./provenance.js";
import { reader, sketched } from "./pictures.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Query} Query */
/** @typedef {import("./queries.js").Words} Words */

/**
 * A query's form with its answer, which follows every change.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words
 * @param {(words: Words) => void} keep
 * @param {(answer: import("./database.js").Answer, asked: Words) => (Node | null)[]} [pictures]
 * @param {string[]} [first] the parameters that are not folded away
 */
export function asking(catalogue, query, words, keep, pictures = () => [], first) {
  const room = h("div");
  const { all, ...rest } = words;
  const asked = rest;
  const every = h("input", { type: "checkbox", checked: all === "1", change: () => update() });
  const update = () => {
    const isEvery = every.checked;
    keep({ ...asked, ...(isEvery ? { all: "1" } : {}) });
    const refusal = catalogue.refusal(query, asked);
    if (refusal) {
      room.replaceChildren(h("p", { class: "empty" }, safe(refusal)));
      return;
    }
    try {
      const answer = catalogue.ask(query, asked);
      room.replaceChildren(
        ...pictures(answer, asked).filter((picture) => picture !== null),
        h("div", { class: "card" }, answerOf(catalogue, query, asked, answer, { everyColumn: isEvery })),
      );
    } catch (error) {
      room.replaceChildren(h("p", { class: "empty" }, safe(String(error))));
    }
  };
  const form = formOf(catalogue, query, asked, update, { first });
  update();
  return h(
    "div",
    { class: "asking" },
    h("div", { class: "card" }, form),
    h("label", { class: "every" }, every, h("span", {}, "every column, also what is empty or the same in all rows")),
    room,
  );
}

/**
 * @param {Catalogue} catalogue
 * @param {Words} words
 * @returns {HTMLElement}
 */
export function askView(catalogue, { name = "", ...words }) {
  const query = catalogue.get(name);
  const links = catalogue.queries.map((known) =>
    h("li", {}, h("a", { href: fragmentOf("ask", { name: known.name }), "aria-current": known === query ? "page" : null }, known.name), h("span", {}, safe(known.description))),
  );
  if (!query) {
    return h(
      "div",
      {},
      h("h1", {}, "Ask"),
      h("p", { class: "lead" }, "Each question is a query that the command line answers too; the page runs the same file on the same database."),
      h("ul", { class: "queries card" }, links),
      sqlBox(catalogue, words.sql ?? ""),
    );
  }
  return h(
    "div",
    {},
    h("p", { class: "back" }, h("a", { href: "#ask" }, "All questions")),
    h("h1", {}, safe(query.description)),
    h("details", { class: "explanation" }, h("summary", {}, "What the figures mean"), h("pre", { class: "prose" }, safeText(query.explanation))),
    asking(catalogue, query, words, (kept) => keepState("ask", { name, ...kept }), (answer, asked) => [pictureOf(catalogue, query, answer, asked)]),
    h("details", {}, h("summary", {}, "The query"), h("pre", { tabindex: 0, "aria-label": "The query" }, h("code", {}, safeText(query.sql)))),
  );
}

/**
 * The picture that the query's file declares.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {import("./database.js").Answer} answer
 * @param {Words} asked
 */
function pictureOf(catalogue, query, answer, asked) {
  const id = reader(answer, "row_id");
  const picture = sketched(query.picture, answer, query.description, (row) => {
    const rowId = id(row);
    return typeof rowId === "string" ? () => openProvenance(catalogue, taskOf(catalogue, query, asked), rowId) : undefined;
  });
  return picture && h("div", { class: "card" }, figureOf(picture, { height: 400, name: query.name }));
}

/** @param {string} text */
function safeText(text) {
  return text.split("\n").map(safe).join("\n");
}

/**
 * A box for a statement of one's own, with the tables beside it.
 * @param {Catalogue} catalogue
 * @param {string} first
 */
function sqlBox(catalogue, first) {
  const example = "select model, gpu, wh_per_million_output_tokens\nfrom best_configurations\norder by wh_per_million_output_tokens\nlimit 10";
  const box = h("textarea", { id: "sql", rows: 7, spellcheck: "false", value: first || example, "aria-describedby": "sql-help" });
  const room = h("div");
  const run = () => {
    const sql = box.value;
    keepState("ask", sql === example ? {} : { sql });
    try {
      const answer = catalogue.database.runOwn(sql);
      const command = `energydb query --sql '${sql.replaceAll("'", "'\\''")}'`;
      room.replaceChildren(
        answer.rows.length > 0 ? tableOf(answer, { label: "Rows of your statement", everyColumn: true }) : h("p", { class: "empty" }, "No rows."),
        h("p", { class: "buttons" },
          h("button", { type: "button", click: () => copy(command, "command line") }, "Copy command"),
          h("button", { type: "button", click: () => save("rows.csv", "text/csv", csv(answer)) }, "Save CSV"),
          h("button", { type: "button", click: () => copy(location.href, "link") }, "Copy link")),
      );
    } catch (error) {
      room.replaceChildren(h("p", { class: "empty", role: "alert" }, safe(error instanceof Error ? error.message : String(error))));
    }
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  };
  box.addEventListener("keydown", press);
  const objects = catalogue.database.run(
    `select object_name, kind, meaning from dictionary where column_name is null order by kind desc, object_name`,
  ).rows;
  const columnsOf = (/** @type {string} */ object) =>
    catalogue.database.run("select column_name, coalesce(unit, ''), meaning from dictionary where object_name = :name and column_name is not null order by dictionary_id", { ":name": object }).rows;
  const schema = objects.map(([object, kind, meaning]) => {
    const details = h("details", {}, h("summary", {}, h("code", {}, String(object)), ` ${kind}`));
    details.addEventListener("toggle", () => {
      if (details.childElementCount > 1) return;
      details.append(
        h("p", {}, safe(String(meaning))),
        h("ul", {}, columnsOf(String(object)).map(([column, unit, text]) => h("li", {}, h("code", {}, String(column)), unit ? ` (${safe(String(unit))}) ` : " ", safe(String(text ?? ""))))),
      );
    });
    return details;
  });
  if (first) run();
  return h(
    "section",
    { class: "card sql", "aria-labelledby": "sql-title" },
    h("h2", { id: "sql-title" }, "SQL of your own"),
    h("div", { class: "halves" },
      h("div", {}, h("label", { for: "sql" }, "Statement"), box, h("p", { class: "help", id: "sql-help" }, "One SELECT, which only reads. Ctrl + Enter runs it."), h("p", { class: "buttons" }, h("button", { type: "button", class: "main-button", click: run }, "Run"))),
      h("div", { class: "schema" }, h("h3", {}, "Tables and views"), schema)),
    room,
  );
}
