// Pictures of answers: which column goes where. Titles and units are the dictionary's.

import { shown } from "./figures.js";
import { labelOf, titleOf, unitOf } from "./words.js";

/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./figures.js").Value} Value */
/** @typedef {import("./chart.js").Point} Point */
/** @typedef {import("./chart.js").Picture} Picture */
/** @typedef {import("./chart.js").Series} Series */

/** What energy is per, in the order in which a query's columns are looked through. */
const ENERGIES = ["wh_per_million_output_tokens", "wh_per_image", "wh_per_video"];

/** @param {string[]} columns */
export function energyOf(columns) {
  return ENERGIES.find((column) => columns.includes(column)) ?? "";
}

/**
 * A function from a row to the value of a column.
 * @param {Answer} answer
 * @param {string} column
 * @returns {(row: Value[]) => Value}
 */
export function reader(answer, column) {
  const index = answer.columns.indexOf(column);
  return (row) => row[index] ?? null;
}

/**
 * A value with its unit.
 * @param {string} column
 * @param {Value} value
 */
export function withUnit(column, value) {
  const unit = unitOf(column);
  return `${shown(column, value)}${unit ? ` ${unit}` : ""}`;
}

/**
 * What is read out of a row.
 * @param {Answer} answer
 * @param {Value[]} row
 * @param {string[]} columns
 */
export function wordsOf(answer, row, columns) {
  const known = columns.filter((column) => answer.columns.includes(column));
  return known.map((column) => `${labelOf(column)} ${withUnit(column, reader(answer, column)(row))}`).join(", ");
}

/**
 * The curves of an answer: each of several columns against the load.
 * @param {Answer} answer of the query curve, or one like it
 * @param {string} x
 * @param {string[]} ys
 * @param {{name: (row: Value[]) => string, look: (row: Value[]) => number, open: (row: Value[]) => void, mark?: {at: number, words: string} | null}} how
 * @returns {Picture[]}
 */
export function curvesOf(answer, x, ys, { name, look, open, mark = null }) {
  const drawn = ys.filter((column) => answer.columns.includes(column));
  return drawn.map((y) => {
    /** @type {Map<string, Series>} */
    const series = new Map();
    for (const row of answer.rows) {
      const [atX, atY] = [reader(answer, x)(row), reader(answer, y)(row)];
      if (atX === null || atY === null) continue;
      const key = name(row);
      const one = series.get(key) ?? { name: key, look: look(row), points: [], join: /** @type {const} */ ("line") };
      one.points.push({ x: Number(atX), y: Number(atY), words: `${key}: ${wordsOf(answer, row, [x, y, "max_num_seqs", "batch_size"])}`, open: () => open(row) });
      series.set(key, one);
    }
    return {
      title: labelOf(y),
      description: `${titleOf(y)} against ${titleOf(x)}, ${series.size} curves.`,
      x: { title: titleOf(x), isLog: true, mark },
      y: { title: titleOf(y), isLog: false },
      series: [...series.values()],
    };
  });
}
