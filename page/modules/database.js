// The database, which is only read. Each statement is prepared once.

import { exactly } from "./figures.js";

/** @typedef {import("./figures.js").Value} Value */
/** @typedef {{columns: string[], rows: Value[][]}} Answer */
/** @typedef {Record<string, null | number | string>} Bound */

/** What a statement of a reader may begin with. */
const READING = /^(select|with|values|explain)\b/i;

export class Database {
  /** @param {SqlJsDatabase} database */
  constructor(database) {
    /** @private */ this.database = database;
    /** @private @type {Map<string, SqlJsStatement>} */ this.prepared = new Map();
    database.exec("pragma query_only = on");
  }

  /**
   * The rows of a statement.
   * @param {string} sql
   * @param {Bound} [values] with their colons
   * @returns {Answer}
   */
  run(sql, values = {}) {
    let statement = this.prepared.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.prepared.set(sql, statement);
    }
    try {
      return rowsOf(statement, values);
    } finally {
      statement.reset();
    }
  }

  /**
   * The rows of a reader's own statement.
   * @param {string} sql
   * @returns {Answer}
   */
  runOwn(sql) {
    const text = sql.replace(/^(\s+|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/, "");
    if (text === "") throw new Error("there is no statement");
    if (!READING.test(text)) throw new Error("only SELECT can be run");
    /** @type {Answer | undefined} */
    let answer;
    for (const statement of this.database.iterateStatements(sql)) {
      if (answer) throw new Error("there is more than one statement; run them one at a time");
      answer = rowsOf(statement, {});
    }
    return answer ?? { columns: [], rows: [] };
  }
}

/**
 * @param {SqlJsStatement} statement
 * @param {Bound} values
 * @returns {Answer}
 */
function rowsOf(statement, values) {
  statement.bind(values);
  const rows = [];
  while (statement.step()) rows.push(statement.get(null, { useBigInt: true }));
  return { columns: statement.getColumnNames(), rows };
}

/**
 * Opens the database.
 * @param {Uint8Array} machineCode SQLite for the browser
 * @param {Uint8Array} bytes the file
 */
export async function opened(machineCode, bytes) {
  const sqlite = await initSqlJs({ wasmBinary: machineCode });
  return new Database(new sqlite.Database(bytes));
}

/**
 * Rows as CSV, as the command line writes it.
 * @param {Answer} answer
 */
export function csv({ columns, rows }) {
  const lines = [columns, ...rows.map((row) => row.map(exactly))];
  const line = (/** @type {string[]} */ fields) =>
    fields.length === 1 && fields[0] === "" ? '""' : fields.map(quoted).join(",");
  return lines.map((fields) => `${line(fields)}\n`).join("");
}

/** @param {string} field */
function quoted(field) {
  return /[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
