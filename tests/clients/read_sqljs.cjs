// Prints what sql.js reads, which is SQLite in WebAssembly as browsers run it: usage:
// node read_sqljs.cjs FILE NAME... in a folder whose node_modules has sql.js.
const fs = require("fs");
const path = require("path");

const module_path = require.resolve("sql.js", { paths: [process.cwd()] });
const [file, ...names] = process.argv.slice(2);
require(module_path)({ locateFile: (name) => path.join(path.dirname(module_path), name) }).then((SQL) => {
  const database = new SQL.Database(fs.readFileSync(file));
  const rows = (sql) => (database.exec(sql)[0] ?? { values: [] }).values;
  console.log(JSON.stringify(rows("select sqlite_version()")[0][0]));
  for (const name of names) console.log(JSON.stringify([name, rows(`select * from "${name}"`)]));
});
