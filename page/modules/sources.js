// What the sources of an answer differ in, and which own configurations it leaves out.

/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./database.js").Bound} Bound */
/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Query} Query */
/** @typedef {import("./queries.js").Words} Words */

const HAS_OWN = "select exists (select 1 from sources where source <> 'published')";

/**
 * The notes on the sources of an answer.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words
 * @param {Answer} answer
 */
export function sourceNotesOf(catalogue, query, words, answer) {
  if (Number(catalogue.database.run(HAS_OWN).rows[0]?.[0]) === 0) return [];
  const values = catalogue.values(query, words);
  return [differenceOf(catalogue, values, answer), leftOutOf(catalogue, query, values)].filter((note) => note !== null);
}

/**
 * The facts of the method in which the sources of the rows differ.
 * @param {Catalogue} catalogue
 * @param {Bound} values
 * @param {Answer} answer
 */
function differenceOf(catalogue, values, { columns, rows }) {
  const places = columns.flatMap((column, index) => (column === "source" || column === "other_source" ? [index] : []));
  const seen = new Set(rows.flatMap((row) => places.map((place) => row[place] ?? null)).filter((source) => source !== null));
  if (seen.size < 2) return null;
  const asked = { ":sources": JSON.stringify([...seen]), ":task": values[":task"] ?? null };
  const note = catalogue.database.run(catalogue.differences, asked).rows[0]?.[0] ?? null;
  return note === null ? null : String(note);
}

/**
 * How many own configurations the query leaves out, and why.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Bound} values
 */
function leftOutOf(catalogue, query, values) {
  const note = query.left_out === null ? null : (catalogue.database.run(query.left_out, values).rows[0]?.[0] ?? null);
  return note === null ? null : String(note);
}
