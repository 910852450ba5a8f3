// What a query says to look out for in the rows of its answer.

import { shown } from "./figures.js";
import { sourceNotesOf } from "./sources.js";

/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./figures.js").Value} Value */
/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Note} Note */
/** @typedef {import("./queries.js").Query} Query */
/** @typedef {import("./queries.js").Words} Words */

/** A column that a note shows. */
const IN_BRACES = /\{(\w+)\}/g;

/**
 * The notes that an answer deserves.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words what was asked
 * @param {Answer} answer
 * @returns {{text: string, isOfRows: boolean}[]} with whether it is of some rows, whose figures are marked
 */
export function notesOf(catalogue, query, words, answer) {
  const { columns, rows } = answer;
  const onRows = query.notes.flatMap((note) => {
    if (note.condition.without?.some((name) => words[name] !== undefined)) return [];
    const seen = rows.filter((row) => holds(note, columns, row));
    if (seen.length === 0) return [];
    const text = note.text.replace(IN_BRACES, (_, column) => extentOf(column, seen.map((row) => figureIn(columns, row, column))));
    const isOfRows = note.condition.when !== undefined;
    return [{ text: isOfRows && rows.length > 1 ? `${text} (${seen.length} of ${rows.length} rows)` : text, isOfRows }];
  });
  const onSources = sourceNotesOf(catalogue, query, words, answer);
  return [...onRows, ...onSources.map((text) => ({ text, isOfRows: false }))];
}

/**
 * What to look out for in one figure; empty where there is nothing.
 * @param {Note[]} notes
 * @param {string[]} columns
 * @param {Value[]} row
 * @param {string} column
 */
export function noteOn(notes, columns, row, column) {
  const of = notes.filter((note) => note.condition.when?.first === column && holds(note, columns, row));
  return of.map(({ text }) => text).join("; ");
}

/**
 * Whether a row is what a note is about.
 * @param {Note} note
 * @param {string[]} columns
 * @param {Value[]} row
 */
function holds({ condition: { when } }, columns, row) {
  if (!when) return true;
  const first = figureIn(columns, row, when.first);
  const second = typeof when.second === "number" ? when.second : figureIn(columns, row, when.second);
  return first !== null && second !== null && (when.is_above ? first > second : first < second);
}

/**
 * @param {string[]} columns
 * @param {Value[]} row
 * @param {string} column
 */
function figureIn(columns, row, column) {
  const value = row[columns.indexOf(column)] ?? null;
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
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
