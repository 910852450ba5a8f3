// Values as people read them, by the rules that the program gives: which column has how many
// decimals, and which characters are shown escaped.

import { fixed, scientific, shortest, withoutTrailingZeros } from "./exact.js";

/** @typedef {null | bigint | number | string | Uint8Array} Value */
/** @typedef {{kind: string, decimals: number | null}} Precision */
/** @typedef {Precision & {column: string, label: string, unit: string | null}} Label */

/** Numbers from here up, and below, are written with an exponent where no column says otherwise. */
const HUGE = 1e15;
const TINY = 1e-5;

/** @type {Precision} */
const AS_RECEIVED = { kind: "as received", decimals: null };

/** @type {Map<string, Label>} */
const labels = new Map();
/** The characters that are shown escaped. */
let hidden = /[]/gu;

/**
 * Takes the rules from the program.
 * @param {{labels: Label[], escaped: [number, number][]}} given
 */
export function writeBy(given) {
  for (const label of given.labels) labels.set(label.column, label);
  const ranges = given.escaped.map((ends) => ends.map((code) => `\\u{${code.toString(16)}}`).join("-"));
  hidden = new RegExp(`[${ranges.join("")}]`, "gu");
}

/**
 * What a column is called and how it is written, where that is declared.
 * @param {string} column
 */
export function declared(column) {
  return labels.get(column);
}

/**
 * @param {string} column
 * @returns {Precision}
 */
function precisionOf(column) {
  return labels.get(column) ?? AS_RECEIVED;
}

/**
 * A value of a column, as the command line's tables show it.
 * @param {string} column
 * @param {Value} value
 * @returns {string}
 */
export function shown(column, value) {
  if (value === null) return "";
  if (typeof value === "string") return safe(value);
  if (value instanceof Uint8Array) return hex(value);
  const precision = precisionOf(column);
  if (typeof value === "number") return realText(precision, value);
  if (precision.kind === "boolean" && value === 0n) return "false";
  if (precision.kind === "boolean" && value === 1n) return "true";
  const asReal = precision.kind === "decimals" || precision.kind === "real";
  return asReal ? realText(precision, Number(value)) : value.toString();
}

/**
 * Whether a value is read as a number in this column.
 * @param {string} column
 * @param {Value} value
 */
export function isNumber(column, value) {
  const isNumeric = typeof value === "number" || typeof value === "bigint";
  return isNumeric && precisionOf(column).kind !== "boolean";
}

/**
 * A value with every digit, as the command line's CSV has it.
 * @param {Value} value
 * @returns {string}
 */
export function exactly(value) {
  if (value === null) return "";
  if (typeof value === "number") return shortest(value);
  return value instanceof Uint8Array ? hex(value) : value.toString();
}

/**
 * @param {Precision} precision
 * @param {number} value
 */
function realText(precision, value) {
  if (!Number.isFinite(value)) return shortest(value);
  switch (precision.kind) {
    case "decimals": {
      const decimals = precision.decimals ?? 0;
      return fixed(Number(fixed(value, decimals)), decimals);
    }
    case "whole":
      return fixed(value, 0);
    case "real":
    case "exact":
      return shortest(value);
    case "change":
      return percent(value);
    default:
      return sixSignificantDigits(value);
  }
}

/** @param {number} change */
function percent(change) {
  const value = change * 100;
  const sign = value > 0 ? "+" : "";
  return `${sign}${significantDigits(value, 3)} %`;
}

/** @param {number} value */
function sixSignificantDigits(value) {
  return significantDigits(value, 6);
}

/**
 * So many significant digits, and every digit before the decimal point.
 * @param {number} value
 * @param {number} digits
 */
function significantDigits(value, digits) {
  const [mantissa, exponent] = scientific(value, digits - 1);
  const size = Math.abs(value);
  if (value !== 0 && (size < TINY || size >= HUGE)) {
    return `${withoutTrailingZeros(mantissa)}e${exponent}`;
  }
  return withoutTrailingZeros(fixed(value, Math.max(digits - 1 - exponent, 0)));
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Text on one line, with nothing in it that is not seen or turns other text around.
 * @param {string} text
 */
export function safe(text) {
  return text.replace(hidden, escaped);
}

/** @param {string} character */
function escaped(character) {
  const short = /** @type {Record<string, string>} */ ({ "\n": "\\n", "\r": "\\r", "\t": "\\t" });
  return short[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
