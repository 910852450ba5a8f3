// What the sources of an answer differ in, and which own configurations it leaves out.

/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./database.js").Bound} Bound */
/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Query} Query */
/** @typedef {import("./queries.js").Requirement} Requirement */
/** @typedef {import("./queries.js").Words} Words */

const HAS_OWN = "select exists (select 1 from sources where source <> 'published')";
/** Parameters that name what is asked about, with their columns. One of two sides begins with other_. */
const NAMING = ["task", "model", "gpu", "source", "precision", "num_gpus"];

/**
 * The notes on the sources of an answer.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words
 * @param {Answer} answer
 */
export function sourceNotesOf(catalogue, query, words, answer) {
  if (Number(catalogue.database.run(HAS_OWN).rows[0]?.[0]) === 0) return [];
  const values = catalogue.values(query, words);
  return [differenceOf(catalogue, values, answer), leftOutOf(catalogue, query, values)].filter((note) => note !== null);
}

/**
 * The facts of the method in which the sources of the rows differ.
 * @param {Catalogue} catalogue
 * @param {Bound} values
 * @param {Answer} answer
 */
function differenceOf(catalogue, values, { columns, rows }) {
  const places = columns.flatMap((column, index) => (column === "source" || column === "other_source" ? [index] : []));
  const seen = new Set(rows.flatMap((row) => places.map((place) => row[place] ?? null)).filter((source) => source !== null));
  if (seen.size < 2) return null;
  const asked = { ":sources": JSON.stringify([...seen]), ":task": values[":task"] ?? null };
  const note = catalogue.database.run(catalogue.differences, asked).rows[0]?.[0] ?? null;
  return note === null ? null : String(note);
}

/**
 * How many own configurations the query leaves out, and why.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Bound} values
 */
function leftOutOf(catalogue, query, values) {
  const lacks = query.requires.flatMap((requirement) => lackOf(requirement, values));
  if (lacks.length === 0) return null;
  /** @type {Bound} */
  const named = {};
  const asked = NAMING.flatMap((column) => {
    if ((values[`:${column}`] ?? null) === null) return [];
    const names = [`:${column}`, `:other_${column}`].filter((name) => (values[name] ?? null) !== null);
    for (const name of names) named[name] = values[name] ?? null;
    return [` and ${column} in (${names.join(", ")})`];
  });
  const counts = lacks.map(({ sql }) => `, coalesce(sum(${sql}), 0)`);
  const { rows } = catalogue.database.run(
    `select count(*), coalesce(sum(${lacks.map(({ sql }) => sql).join(" or ")}), 0)${counts.join("")} ` +
      `from configuration_energy where source <> 'published'${asked.join("")}`,
    named,
  );
  const [own, leftOut, ...ofEach] = (rows[0] ?? []).map(Number);
  if (!leftOut) return null;
  const reasons = lacks.flatMap(({ told }, index) => (ofEach[index] ? [`${ofEach[index]} ${told}`] : []));
  return `${leftOut} of ${own} own configurations ${leftOut === 1 ? "is" : "are"} left out: ${reasons.join("; ")}`;
}

/**
 * What a configuration lacks that does not meet a requirement, and how SQL finds it.
 * @param {Requirement} requirement
 * @param {Bound} values
 * @returns {{told: string, sql: string}[]}
 */
function lackOf({ figure, condition }, values) {
  if (condition) {
    const value = values[`:${condition.parameter}`] ?? null;
    if ((value !== null && value !== 0) !== condition.is_for) return [];
  }
  if (figure === "steady") {
    const unless = condition ? `, which --${condition.parameter.replaceAll("_", "-")} counts` : "";
    return [{ told: `not steady${unless}`, sql: "unstable_reason is not null" }];
  }
  const column = figure.replace(/^:percentile/, String(values[":percentile"]));
  return [{ told: `without ${column}`, sql: `${column} is null` }];
}
