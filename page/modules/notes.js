// What a query says to look out for in the rows of its answer.

import { shown } from "./figures.js";

/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./figures.js").Value} Value */
/** @typedef {import("./queries.js").Note} Note */
/** @typedef {import("./queries.js").Words} Words */

/** A column that a note shows. */
const IN_BRACES = /\{(\w+)\}/g;

/**
 * The notes that an answer deserves.
 * @param {Note[]} notes
 * @param {Answer} answer
 * @param {Words} words what was asked
 */
export function notesOf(notes, answer, words) {
  const { columns, rows } = answer;
  const figure = (/** @type {Value[]} */ row, /** @type {string} */ column) => {
    const value = row[columns.indexOf(column)] ?? null;
    return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
  };
  const holds = (/** @type {Note} */ { condition: { when } }, /** @type {Value[]} */ row) => {
    if (!when) return true;
    const first = figure(row, when.first);
    const second = typeof when.second === "number" ? when.second : figure(row, when.second);
    return first !== null && second !== null && (when.is_above ? first > second : first < second);
  };
  return notes.flatMap((note) => {
    if (note.condition.without?.some((name) => words[name] !== undefined)) return [];
    const seen = rows.filter((row) => holds(note, row));
    if (seen.length === 0) return [];
    const text = note.text.replace(IN_BRACES, (_, column) => extentOf(column, seen.map((row) => figure(row, column))));
    return [note.condition.when && rows.length > 1 ? `${text} (${seen.length} of ${rows.length} rows)` : text];
  });
}

/**
 * The lowest and the highest of figures of a column.
 * @param {string} column
 * @param {(number | null)[]} figures
 */
function extentOf(column, figures) {
  const known = figures.filter((value) => value !== null);
  if (known.length === 0) return "unknown";
  const [low, high] = [known.reduce((one, other) => Math.min(one, other)), known.reduce((one, other) => Math.max(one, other))].map((value) => shown(column, value));
  return low === high ? low : `${low} to ${high}`;
}
