// What columns mean, from the dictionary that the database holds.

import { declared, safe } from "./figures.js";

/** @typedef {import("./database.js").Database} Database */
/** @typedef {{meaning: string, unit: string}} Entry */

/** @type {Map<string, Entry>} */
const entries = new Map();

/**
 * Reads the dictionary. Of a column that several objects have, the entry that most of them share counts.
 * @param {Database} database
 */
export function readWords(database) {
  const { rows } = database.run("select column_name, meaning, unit from dictionary where column_name is not null");
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const [column, meaning, unit] of rows) {
    const [name, key] = [String(column), JSON.stringify([column, meaning, unit])];
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= (most.get(name) ?? 0)) continue;
    most.set(name, count);
    entries.set(name, { meaning: String(meaning), unit: String(unit ?? "") });
  }
}

/**
 * The unit of a column; empty where it has none.
 * @param {string} column
 */
export function unitOf(column) {
  const unit = declared(column)?.unit ?? entries.get(column)?.unit ?? "";
  // What is counted needs no unit beside its name, as in 2 GPUs.
  const isSaid = unit === "1" || unit.toLowerCase() === declared(column)?.label.toLowerCase();
  return isSaid ? "" : unit === "10^9" ? "billion" : safe(unit);
}

/**
 * What a column means; empty where the dictionary does not say it.
 * @param {string} column
 */
export function meaningOf(column) {
  return safe(entries.get(column)?.meaning ?? "");
}

/**
 * What a column is called.
 * @param {string} column
 */
export function labelOf(column) {
  return declared(column)?.label ?? safe(column.replaceAll("_", " "));
}

/** How the parts of parameters' names are written that are no plain words. */
const SHORT = /** @type {Record<string, string>} */ ({
  gpu: "GPU", gpus: "GPUs", usd: "USD", kwh: "kWh", gco2: "gCO2e", pue: "PUE", ms: "ms", s: "s",
});

/**
 * What a parameter is called.
 * @param {string} name
 */
export function fieldTitle(name) {
  const parts = name.split("_").map((part, index) => SHORT[part] ?? (index === 0 ? part[0].toUpperCase() + part.slice(1) : part));
  return safe(parts.join(" "));
}

/**
 * The name of a column with its unit.
 * @param {string} column
 */
export function titleOf(column) {
  const unit = unitOf(column);
  return unit ? `${labelOf(column)} (${unit})` : labelOf(column);
}
