// Where a figure comes from: the document, the place in it, the text that was received, and how the
// figure follows from it.

import { h } from "./element.js";
import { safe, shown } from "./figures.js";
import { labelOf } from "./words.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */

/**
 * Opens the provenance of a configuration, at one of its figures.
 * @param {Catalogue} catalogue
 * @param {string} task
 * @param {string} rowId
 * @param {string} [figure]
 */
export function openProvenance(catalogue, task, rowId, figure = "") {
  const query = catalogue.get("provenance");
  const dialog = document.getElementById("provenance");
  if (!query || !(dialog instanceof HTMLDialogElement)) return;
  const { columns, rows } = catalogue.ask(query, { task, row_id: rowId });
  const at = (/** @type {import("./figures.js").Value[]} */ row, /** @type {string} */ column) =>
    shown(column, row[columns.indexOf(column)] ?? null);
  const places = ["document", "sha256", "source_url"].filter((column) => columns.includes(column));
  // A figure may come from another document than its row, such as the requests from a model's own file.
  const documents = [...new Set(rows.map((row) => JSON.stringify(places.map((place) => at(row, place)))))]
    .map((texts) => /** @type {string[]} */ (JSON.parse(texts)))
    .filter((texts) => texts[0] !== "");
  const lines = rows.map((row) => {
    const name = at(row, "figure");
    return h(
      "tr",
      { class: name === figure ? "chosen" : "" },
      h("th", { scope: "row" }, labelOf(name)),
      h("td", { class: "number" }, at(row, "unrounded_value")),
      h("td", { class: "number" }, at(row, "received")),
      h("td", {}, at(row, "how")),
      h("td", {}, h("code", {}, at(row, "json_pointer"))),
      documents.length > 1 ? h("td", {}, at(row, "document")) : null,
    );
  });
  const titles = ["figure", "unrounded value", "received", "how", "JSON pointer"];
  if (documents.length > 1) titles.push("document");
  dialog.replaceChildren(
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "provenance-title", tabindex: -1 }, "Where it comes from"),
      h("button", { class: "quiet", value: "close" }, "Close"),
    ),
    h("p", {}, h("code", {}, safe(rowId)), ` in ${safe(task)}`),
    ...documents.map((texts) =>
      h("dl", {}, places.flatMap((place, index) => [h("dt", {}, labelOf(place)), h("dd", {}, addressOr(texts[index] ?? ""))])),
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Figures and where they come from" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", {}, lines),
      ),
    ),
  );
  dialog.showModal();
  const chosen = dialog.querySelector(".chosen");
  chosen?.scrollIntoView({ block: "center" });
  dialog.querySelector("h2")?.focus();
}

/**
 * An address as a link, anything else as text.
 * @param {string} text
 */
export function addressOr(text) {
  return /^https?:\/\//.test(text) ? h("a", { href: text, rel: "noreferrer" }, text) : text;
}
