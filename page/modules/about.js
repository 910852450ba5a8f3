// About: the release, what the figures leave out, where the data comes from, how to cite it, and the
// database itself to take along.

import { h } from "./element.js";
import { safe, shown } from "./figures.js";
import { labelOf } from "./words.js";
import { save } from "./keep.js";
import { addressOr } from "./provenance.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */

/**
 * @param {Catalogue} catalogue
 * @param {{file: string, bytes: Uint8Array, program: string}} held
 * @returns {HTMLElement}
 */
export function aboutView({ database }, { file, bytes, program }) {
  const release = database.run("select * from release");
  const sources = database.run("select * from sources order by source_id");
  const evidence = database.run("select source_id, evidence from licence_evidence order by source_id, position").rows;
  const hash = database.run("select sha256 from content_hash").rows[0]?.[0];
  const caveat = release.rows[0]?.[release.columns.indexOf("caveat")];
  const list = (/** @type {string[]} */ columns, /** @type {import("./figures.js").Value[]} */ row) =>
    h("dl", {}, columns.flatMap((column, index) => {
      if (row[index] === null || column.endsWith("_id")) return [];
      return [h("dt", {}, labelOf(column)), h("dd", {}, addressOr(shown(column, row[index])))];
    }));
  const licence = document.getElementById("sqlite-licence")?.textContent ?? "";
  return h(
    "div",
    {},
    h("h1", {}, "About these figures"),
    h("p", { class: "lead" }, safe(String(caveat ?? ""))),
    h("section", { class: "card" }, h("h2", {}, "Take the database with you"),
      h("p", {}, `${file}, ${bytes.length.toLocaleString("en")} bytes. Any SQLite client opens it; "energydb query best --db ${file}" asks it.`),
      h("p", { class: "buttons" }, h("button", { type: "button", class: "main-button", click: () => save(file, "application/vnd.sqlite3", /** @type {Uint8Array<ArrayBuffer>} */ (bytes)) }, "Save the database"))),
    h("section", { class: "card" }, h("h2", {}, "The release"), list([...release.columns, "content_hash"], [...(release.rows[0] ?? []), hash ?? "none recorded"])),
    sources.rows.map((row) =>
      h("details", { class: "card" }, h("summary", {}, safe(String(row[sources.columns.indexOf("name")] ?? row[sources.columns.indexOf("source")] ?? "A source")), " ", h("small", {}, safe(String(row[sources.columns.indexOf("workload")] ?? "")).slice(0, 90))),
        list(sources.columns, row),
        h("ol", {}, evidence.filter(([of]) => of === row[sources.columns.indexOf("source_id")]).map(([, text]) => h("li", {}, safe(String(text))))))),
    h("section", { class: "card" }, h("h2", {}, "What this page is made of"),
      h("p", {}, `energydb ${program}, Apache-2.0. SQLite is in the public domain; sql.js 1.17.0, which runs it here, is under this licence:`),
      h("pre", { class: "prose", tabindex: 0, "aria-label": "Licence of sql.js" }, licence)),
  );
}
