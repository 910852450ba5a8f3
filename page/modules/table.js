// Rows as a table: what is the same in every row is said once above it, columns sort, and every
// figure opens its provenance.

import { h } from "./element.js";
import { isNumber, shown } from "./figures.js";
import { labelOf, meaningOf, titleOf, unitOf } from "./words.js";

/** @typedef {import("./figures.js").Value} Value */
/** @typedef {import("./database.js").Answer} Answer */
/**
 * @typedef {object} TableOptions
 * @property {string} label
 * @property {boolean} [everyColumn] in the order of the answer
 * @property {string[]} [important] columns that are read first
 * @property {(rowId: string, column: string) => void} [open] opens the provenance of a figure
 * @property {(row: Value[]) => Node | null} [before] stands before each row
 * @property {(row: Value[], column: string) => string} [warns] what to look out for in a figure
 */

/** Rows that are drawn at once. */
const MOST_ROWS = 200;

/**
 * @param {Answer} answer
 * @param {TableOptions} options
 */
export function tableOf(answer, options) {
  const { columns } = answer;
  const rows = [...answer.rows];
  const isSame = columns.map((_, index) => rows.length > 1 && rows.every((row) => same(row[index], rows[0][index])));
  const isId = columns.map((column) => column.endsWith("row_id"));
  const kept = columns
    .map((_, index) => index)
    .filter((index) => options.everyColumn || isId[index] || !(isSame[index] || rows.every((row) => row[index] === null)));
  if (!options.everyColumn) {
    // Whose figures they are is read before them, where it differs.
    const first = ["task", "model", "gpu", "other_gpu", "source", "status", ...(options.important ?? [])];
    const rank = (/** @type {number} */ index) => (first.includes(columns[index]) ? first.indexOf(columns[index]) : first.length);
    kept.sort((left, right) => rank(left) - rank(right));
  }
  const said = columns
    .map((_, index) => index)
    .filter((index) => !options.everyColumn && isSame[index] && !isId[index] && rows[0][index] !== null)
    .map((index) => `${labelOf(columns[index])} ${shown(columns[index], rows[0][index])}${unitOf(columns[index]) ? ` ${unitOf(columns[index])}` : ""}`);
  const body = h("tbody");
  let isWhole = rows.length <= MOST_ROWS;
  const fill = () => {
    const drawn = isWhole ? rows : rows.slice(0, MOST_ROWS);
    body.replaceChildren(...drawn.map((row) => rowOf(row, columns, kept, options)));
  };
  fill();
  const headers = kept.map((index) => headerOf(columns[index], rows.every((row) => row[index] === null || isNumber(columns[index], row[index])), (direction) => {
    rows.sort((left, right) => direction * compared(left[index], right[index]));
    fill();
  }));
  const sortable = headers.map(({ header }) => header);
  const more = h("button", { type: "button", class: "quiet more", click: () => { isWhole = true; fill(); more.remove(); } }, `Show all ${rows.length} rows`);
  return h(
    "div",
    { class: "table" },
    said.length > 0 && h("p", { class: "said" }, `In every row: ${said.join(" · ")}`),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": options.label },
      h("table", {}, h("thead", {}, h("tr", {}, options.before && h("th", { scope: "col" }, h("span", { class: "unseen" }, "mark")), sortable)), body),
    ),
    !isWhole && more,
  );
}

/**
 * @param {Value[]} row
 * @param {string[]} columns
 * @param {number[]} kept
 * @param {TableOptions} options
 */
function rowOf(row, columns, kept, options) {
  const rowIdFor = (/** @type {string} */ column) => {
    const names = column.startsWith("other_") ? ["other_row_id"] : ["row_id", "upper_row_id", "lower_row_id", "most_requests_row_id"];
    const name = column.endsWith("row_id") ? column : names.find((known) => columns.includes(known));
    const value = name === undefined ? null : row[columns.indexOf(name)];
    return typeof value === "string" ? value : null;
  };
  const cells = kept.map((index) => {
    const [column, value] = [columns[index], row[index]];
    const text = shown(column, value);
    const isFigure = isNumber(column, value);
    const rowId = rowIdFor(column);
    const attributes = { "data-column": column, class: isFigure ? "number" : "" };
    if (rowId !== null && options.open && column.endsWith("row_id")) {
      const open = () => options.open?.(rowId, column);
      return h("td", attributes, h("button", { type: "button", class: "source", click: open, title: "Where it comes from" }, text));
    }
    if ((column === "model" || column === "other_model") && value !== null) {
      return h("td", attributes, h("a", { href: `#model?model=${encodeURIComponent(String(value))}` }, text));
    }
    if (column === "status") return h("td", { ...attributes, class: `status ${text === "meets" || text === "both meet" ? "good" : "poor"}` }, text);
    if (column === "estimate" && value === 1n) return h("td", { ...attributes, class: "status poor" }, text);
    const opens = isFigure && rowId !== null && options.open ? { click: () => options.open?.(rowId, column) } : {};
    const warning = options.warns?.(row, column) ?? "";
    const classes = [attributes.class, "click" in opens ? "opens" : "", warning ? "warned" : ""].filter((name) => name !== "");
    return h("td", { ...attributes, ...opens, class: classes.join(" "), title: warning || null }, text);
  });
  const before = options.before?.(row);
  return h("tr", {}, options.before && h("td", { class: "before" }, before), cells);
}

/**
 * @param {string} column
 * @param {boolean} isFigure
 * @param {(direction: number) => void} sort
 */
function headerOf(column, isFigure, sort) {
  const header = h("th", { scope: "col", class: isFigure ? "number" : "", "data-column": column });
  const turn = () => {
    const isUp = header.getAttribute("aria-sort") === "ascending";
    for (const other of header.parentElement?.querySelectorAll("[aria-sort]") ?? []) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", isUp ? "descending" : "ascending");
    sort(isUp ? -1 : 1);
  };
  const unit = unitOf(column);
  header.append(
    h("button", { type: "button", click: turn, title: meaningOf(column) || titleOf(column) }, labelOf(column), unit && h("small", {}, unit)),
  );
  return { header };
}

/** @param {Value} left @param {Value} right */
function same(left, right) {
  return left === right || (left instanceof Uint8Array && right instanceof Uint8Array && left.join() === right.join());
}

/** @param {Value} left @param {Value} right */
function compared(left, right) {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  return left < right ? -1 : left > right ? 1 : 0;
}
