// Pictures of answers: which column goes where, and which series a row belongs to. Titles and units
// are the dictionary's.

import { safe, shown } from "./figures.js";
import { labelOf, titleOf, unitOf } from "./words.js";

/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./figures.js").Value} Value */
/** @typedef {import("./chart.js").Point} Point */
/** @typedef {import("./chart.js").Picture} Picture */
/** @typedef {import("./chart.js").Series} Series */

/** What energy is per, in the order in which a query's columns are looked through. */
const ENERGIES = ["wh_per_million_output_tokens", "wh_per_image", "wh_per_video", "wh_per_output"];
/** What is in flight at once: requests, or the images or videos of a batch. */
const LOADS = ["avg_running_batch", "batch_size"];
/** What images and videos must have in common to compete. */
export const SETTING = ["width_pixels", "height_pixels", "num_frames", "inference_steps"];
/** What tells series of one model, GPU and number of GPUs apart. */
const APART = [
  "precision", "tensor_parallel", "data_parallel", "expert_parallel", "ulysses_degree", "ring_degree",
  ...SETTING, "source",
];

/** @param {string[]} columns */
export function energyOf(columns) {
  return ENERGIES.find((column) => columns.includes(column)) ?? "";
}

/** @param {string[]} columns */
export function loadOf(columns) {
  return LOADS.find((column) => columns.includes(column)) ?? "";
}

/**
 * A function from a row to the name of its series: number of GPUs and GPU, and as much more as tells
 * the series of the answer apart.
 * @param {Answer} answer
 * @returns {(row: Value[]) => string}
 */
function seriesOf(answer) {
  const [model, gpu, count] = ["model", "gpu", "num_gpus"].map((column) => reader(answer, column));
  const isOneModel = answer.rows.every((row) => model(row) === model(answer.rows[0]));
  const base = (/** @type {Value[]} */ row) => `${isOneModel ? "" : `${safe(String(model(row)))} `}${shown("num_gpus", count(row))} × ${safe(String(gpu(row)))}`;
  const isTelling = (/** @type {string} */ column) => {
    const value = reader(answer, column);
    /** @type {Map<string, Value>} */
    const known = new Map();
    for (const row of answer.rows) if (!known.has(base(row))) known.set(base(row), value(row));
    return answer.rows.some((row) => known.get(base(row)) !== value(row));
  };
  const telling = APART.filter((column) => answer.columns.includes(column) && isTelling(column));
  const word = (/** @type {Value[]} */ row, /** @type {string} */ column) => {
    const value = reader(answer, column)(row);
    const text = `${shown(column, value)}${unitOf(column) ? ` ${unitOf(column)}` : ""}`;
    return typeof value === "string" ? text : `${labelOf(column)} ${value === null ? "none" : text}`;
  };
  return (row) => [base(row), ...telling.map((column) => word(row, column))].join(" · ");
}

/**
 * A function from a row to the look of its series.
 * @param {Answer} answer
 * @returns {(row: Value[]) => number}
 */
export function looksOf(answer) {
  const name = seriesOf(answer);
  const names = [...new Set(answer.rows.map(name))];
  return (row) => names.indexOf(name(row));
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
function withUnit(column, value) {
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
 * The curves of an answer: each of several columns against what is in flight.
 * @param {Answer} answer of the query curve, or one like it; rows without a load have no place on it
 * @param {string[]} ys
 * @param {{look?: (row: Value[]) => number, open: (row: Value[]) => void, mark?: {at: number, words: string} | null}} how
 * @returns {Picture[]}
 */
export function curvesOf({ columns, rows }, ys, { look, open, mark = null }) {
  const x = loadOf(columns);
  const answer = { columns, rows: rows.filter((row) => reader({ columns, rows }, x)(row) !== null) };
  const name = seriesOf(answer);
  const lookOf = look ?? looksOf(answer);
  const drawn = ys.filter((column) => answer.columns.includes(column));
  return drawn.map((y) => {
    /** @type {Map<string, Series>} */
    const series = new Map();
    for (const row of answer.rows) {
      const [atX, atY] = [reader(answer, x)(row), reader(answer, y)(row)];
      if (atX === null || atY === null) continue;
      const key = name(row);
      const one = series.get(key) ?? { name: key, look: lookOf(row), points: [], join: /** @type {const} */ ("line") };
      one.points.push({ x: Number(atX), y: Number(atY), words: `${key}: ${wordsOf(answer, row, [...new Set([x, y, "max_num_seqs"])])}`, open: () => open(row) });
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

/**
 * The picture that a query's file declares; none where it declares none or nothing can be drawn.
 * @param {import("./queries.js").Sketch | null} sketch
 * @param {Answer} answer
 * @param {string} says what the answer is
 * @param {(row: Value[]) => (() => void) | undefined} opens
 * @returns {Picture | null}
 */
export function sketched(sketch, answer, says, opens) {
  if (!sketch) return null;
  const [atX, atY] = [sketch.x, sketch.y].map((column) => reader(answer, column));
  const rows = answer.rows.filter((row) => atX(row) !== null && atY(row) !== null);
  if (rows.length === 0) return null;
  const group = groupsOf(sketch, { columns: answer.columns, rows });
  const groups = [...new Set(rows.map(group))];
  const all = sketch.by.map((column) => reader(answer, column));
  /** @type {Map<string, Series>} */
  const series = new Map();
  const read = [...sketch.by, sketch.y, sketch.x, "max_num_seqs"];
  const told = read.filter((column, index) => read.indexOf(column) === index);
  let [runs, last] = [0, -Infinity];
  for (const row of rows) {
    // A curve that goes back begins another.
    if (sketch.is_curve && Number(atX(row)) < last) runs += 1;
    last = Number(atX(row));
    const key = JSON.stringify([sketch.is_curve ? runs : 0, ...all.map((value) => String(value(row)))]);
    const one = series.get(key) ?? { name: group(row), look: groups.indexOf(group(row)), points: [], join: sketch.is_curve ? /** @type {const} */ ("line") : /** @type {const} */ ("none") };
    one.points.push({ x: Number(atX(row)), y: Number(atY(row)), words: wordsOf(answer, row, told), open: opens(row) });
    series.set(key, one);
  }
  const isLog = (/** @type {(row: Value[]) => Value} */ value) => rows.every((row) => Number(value(row)) > 0);
  return {
    title: `${labelOf(sketch.y)} against ${labelOf(sketch.x)}`,
    description: `${safe(says)} ${rows.length} points in ${series.size} series.`,
    x: { title: titleOf(sketch.x), isLog: isLog(atX) },
    y: { title: titleOf(sketch.y), isLog: isLog(atY) },
    series: [...series.values()],
  };
}

/** More groups than this nobody tells apart. */
const MOST_GROUPS = 8;

/**
 * A function from a row to what it is drawn as: the values of those columns that differ and make few
 * enough groups together.
 * @param {import("./queries.js").Sketch} sketch
 * @param {Answer} answer
 * @returns {(row: Value[]) => string}
 */
function groupsOf(sketch, answer) {
  const wordsBy = (/** @type {string[]} */ columns) => (/** @type {Value[]} */ row) => columns.map((column) => withUnit(column, reader(answer, column)(row))).join(" · ");
  const count = (/** @type {string[]} */ columns) => new Set(answer.rows.map(wordsBy(columns))).size;
  /** @type {string[]} */
  let telling = [];
  for (const column of sketch.by) {
    if (count([column]) === 1) continue;
    if (count([...telling, column]) > MOST_GROUPS) break;
    telling = [...telling, column];
  }
  return wordsBy(telling);
}
