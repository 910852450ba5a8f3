// What columns mean, from the dictionary that the database holds.

import { follows, safe } from "./figures.js";

/** @typedef {import("./database.js").Database} Database */
/** @typedef {{meaning: string, unit: string}} Entry */

/** @type {Map<string, Entry>} */
const entries = new Map();

/**
 * Reads the dictionary.
 * @param {Database} database
 */
export function readWords(database) {
  const { rows } = database.run(
    `select column_name, meaning, coalesce(unit, '') from dictionary
     where column_name is not null
     group by column_name, meaning, unit
     order by column_name, count(*) desc, meaning`,
  );
  for (const [column, meaning, unit] of rows) {
    if (!entries.has(String(column))) {
      entries.set(String(column), { meaning: String(meaning), unit: String(unit) });
    }
  }
}

/**
 * What the dictionary says of a column, or of the one whose name its own ends in.
 * @param {string} column
 * @returns {Entry}
 */
function entryOf(column) {
  const exact = entries.get(column);
  if (exact) return exact;
  const endings = [...entries.keys()].filter((name) => follows(column, name));
  endings.sort((left, right) => right.length - left.length);
  const unit = endings.length > 0 ? entries.get(endings[0])?.unit ?? "" : "";
  return { meaning: "", unit };
}

/**
 * The unit of a column; empty where it has none.
 * @param {string} column
 */
export function unitOf(column) {
  const { unit } = entryOf(column);
  return unit === "1" ? "" : safe(unit);
}

/**
 * What a column means; empty where the dictionary does not say it.
 * @param {string} column
 */
export function meaningOf(column) {
  return safe(entryOf(column).meaning);
}

/**
 * The name of a column in words. What its unit says is left out.
 * @param {string} column
 */
export function labelOf(column) {
  const ending = /** @type {Record<string, string>} */ ({ ms: "_ms", s: "_s", W: "_watts" })[unitOf(column)];
  const name = ending && column.endsWith(ending) ? column.slice(0, -ending.length) : column;
  return safe(name.replaceAll("_", " "));
}

/**
 * The name of a column with its unit.
 * @param {string} column
 */
export function titleOf(column) {
  const unit = unitOf(column);
  return unit ? `${labelOf(column)} (${unit})` : labelOf(column);
}
