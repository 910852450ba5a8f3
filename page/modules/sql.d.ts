// What the page uses of sql.js.

interface SqlJsStatement {
  bind(values: Record<string, null | number | string>): boolean;
  step(): boolean;
  get(values: null, options: { useBigInt: true }): (null | bigint | number | string | Uint8Array)[];
  getColumnNames(): string[];
  reset(): void;
}

interface SqlJsDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqlJsStatement;
  iterateStatements(sql: string): Iterable<SqlJsStatement>;
}

declare function initSqlJs(options: {
  wasmBinary: Uint8Array;
}): Promise<{ Database: new (bytes: Uint8Array) => SqlJsDatabase }>;
