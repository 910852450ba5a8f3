// The named queries with their interfaces: how words become values, what the command line is called.

/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./database.js").Database} Database */
/** @typedef {{words: string, above: number | null, from: number | null, up_to: number | null}} Range */
/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} flag
 * @property {string} kind
 * @property {string | null} default
 * @property {string} help
 * @property {Range} [range]
 * @property {string[]} [choices]
 */
/** @typedef {{first: string, is_above: boolean, second: string | number}} Comparison of a column with another or with a number */
/** @typedef {{condition: {when?: Comparison, without?: string[]}, text: string}} Note */
/** @typedef {{is_curve: boolean, x: string, y: string, by: string[]}} Sketch */
/**
 * @typedef {object} Query
 * @property {string} name
 * @property {string} description
 * @property {string} explanation
 * @property {Parameter[]} parameters
 * @property {{rule: string, names: string[], shown: string}[]} needs
 * @property {string | null} no_rows
 * @property {Note[]} notes what to look out for in the rows
 * @property {string | null} left_out the statement that says which own configurations do not count
 * @property {string[]} important columns, which are read first
 * @property {Sketch | null} picture which columns are drawn
 * @property {string} sql
 */
/** @typedef {Record<string, string>} Words what is given for parameters, by name; what is missing is not given */
/** @typedef {Record<string, {all: string, default: string | null, makes: string[] | null}>} Lookups with what the tasks make that a type names */

export class Catalogue {
  /**
   * @param {Database} database
   * @param {Query[]} queries
   * @param {Lookups} lookups
   * @param {string} differences the statement that says what sources differ in
   */
  constructor(database, queries, lookups, differences) {
    this.database = database;
    this.queries = queries;
    this.differences = differences;
    /** @private */ this.lookups = lookups;
    /** @private @type {Map<string, string>} */ this.statements = new Map();
  }

  /** @param {string} name */
  get(name) {
    return this.queries.find((query) => query.name === name);
  }

  /**
   * What a task makes.
   * @param {string} task
   */
  outputOf(task) {
    return this.database.run("select output from tasks where task = :task", { ":task": task }).rows[0]?.[0] ?? null;
  }

  /**
   * The query of a family that is about what a task makes: best, best-images, pareto-media.
   * @param {string} family
   * @param {string} output
   */
  about(family, output) {
    return this.queries.find((query) => {
      const isOfFamily = query.name === family || query.name.startsWith(`${family}-`);
      const kind = query.parameters.find((parameter) => parameter.name === "task")?.kind ?? "";
      return isOfFamily && (this.lookups[kind]?.makes ?? []).includes(output);
    });
  }

  /**
   * The query that tells of every measured configuration that makes this.
   * @param {string} output
   */
  everything(output) {
    return this.get(output === "tokens" ? "configurations" : output);
  }

  /**
   * The names that a naming type may have; none for another type.
   * @param {string} kind
   * @param {string | null} [task] of which row ids are
   */
  names(kind, task = null) {
    const lookup = this.lookups[kind];
    if (!lookup) return null;
    /** @type {import("./database.js").Bound} */
    const values = lookup.all.includes("?1") ? { "?1": task } : {};
    return this.database.run(lookup.all, values).rows.map(([name]) => String(name));
  }

  /**
   * The word that a parameter has where none is given.
   * @param {Parameter} parameter
   */
  defaultOf(parameter) {
    if (parameter.default !== null) return parameter.default;
    const sql = this.lookups[parameter.kind]?.default;
    const name = sql ? this.database.run(sql).rows[0]?.[0] : null;
    return typeof name === "string" ? name : null;
  }

  /**
   * Why these words cannot be asked, if they cannot.
   * @param {Query} query
   * @param {Words} words
   */
  refusal(query, words) {
    const task = query.parameters.find(({ name }) => name === "task");
    if (task && words.task === undefined && this.lookups[task.kind]?.default && this.defaultOf(task) === null) {
      const tasks = this.names(task.kind) ?? [];
      return tasks.length > 0 ? `Needs one of the tasks ${tasks.join(", ")}` : "Needs a task of a kind that this database does not have";
    }
    for (const { rule, names, shown } of query.needs) {
      const given = names.filter((name) => words[name] !== undefined);
      const isWrong =
        (rule === "one" && given.length !== 1) ||
        (rule === "at most one" && given.length > 1) ||
        (rule === "differ" && given.length > 1 && new Set(given.map((name) => words[name])).size === 1);
      if (isWrong) return shown;
    }
    for (const parameter of query.parameters) {
      const word = words[parameter.name];
      const reason = word === undefined ? null : refusalOf(parameter, word);
      if (reason) return `${parameter.flag}: ${reason}`;
    }
    return null;
  }

  /**
   * Those of the words that the query's parameters allow.
   * @param {Query} query
   * @param {Words} words
   * @returns {Words}
   */
  sound(query, words) {
    const isSound = (/** @type {[string, string]} */ [name, word]) => {
      const parameter = query.parameters.find((known) => known.name === name);
      if (!parameter || refusalOf(parameter, word)) return false;
      const names = parameter.kind === "model" || parameter.kind === "row_id" ? null : this.names(parameter.kind);
      return names === null || names.includes(word);
    };
    return Object.fromEntries(Object.entries(words).filter(isSound));
  }

  /**
   * Asks a query.
   * @param {Query} query
   * @param {Words} words
   * @returns {Answer}
   */
  ask(query, words) {
    return this.database.run(this.typed(query), this.values(query, words));
  }

  /**
   * The value of each parameter, with its colon.
   * @param {Query} query
   * @param {Words} words
   */
  values(query, words) {
    /** @type {import("./database.js").Bound} */
    const values = {};
    for (const parameter of query.parameters) {
      const word = words[parameter.name] ?? this.defaultOf(parameter);
      values[`:${parameter.name}`] = word === null ? null : valueOf(parameter, word);
    }
    return values;
  }

  /**
   * The statement of a query, whose numbers keep their type: what is bound is a whole number or a
   * real one by its value alone here, and by its parameter's type on the command line.
   * @private
   * @param {Query} query
   */
  typed(query) {
    let sql = this.statements.get(query.name);
    if (sql === undefined) {
      sql = query.sql;
      for (const { name, kind } of query.parameters) {
        const use = new RegExp(`:${name}\\b`, "g");
        if (kind === "real") sql = sql.replace(use, `(:${name} + 0.0)`);
        if (kind === "integer") sql = sql.replace(use, `(:${name} | 0)`);
      }
      this.statements.set(query.name, sql);
    }
    return sql;
  }

  /**
   * The words that matter: those that are not what is taken anyway.
   * @param {Query} query
   * @param {Words} words
   * @returns {[Parameter, string][]}
   */
  given(query, words) {
    /** @type {[Parameter, string][]} */
    const given = [];
    for (const parameter of query.parameters) {
      const word = words[parameter.name];
      if (word !== undefined && word !== this.defaultOf(parameter)) given.push([parameter, word]);
    }
    return given;
  }

  /**
   * The command line that gives the answer.
   * @param {Query} query
   * @param {Words} words
   */
  commandLine(query, words) {
    const given = this.given(query, words);
    const task = query.parameters.find(({ name }) => name === "task");
    // Where a model or a configuration is named, the command line may take its workload instead.
    const isMeant = query.parameters.some(({ name, kind }) => words[name] !== undefined && (kind === "model" || kind === "row_id"));
    const meant = task && isMeant && !given.some(([parameter]) => parameter === task) ? this.defaultOf(task) : null;
    if (task && meant !== null) given.unshift([task, meant]);
    const flags = given.map(([parameter, word]) => {
      const value = parameter.kind === "load profile" ? "day.csv" : word;
      return ` --${parameter.flag} ${quotedForShell(value)}`;
    });
    return `energydb query ${query.name}${flags.join("")}`;
  }
}

/** @param {string} word */
function quotedForShell(word) {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Why a word is no value of a parameter, if it is none.
 * @param {Parameter} parameter
 * @param {string} word
 */
export function refusalOf(parameter, word) {
  const { kind, range, choices } = parameter;
  if (kind === "integer" || kind === "real") {
    const number = word.trim() === "" ? NaN : Number(word);
    const isWithin =
      Number.isFinite(number) &&
      (kind === "real" || Number.isSafeInteger(number)) &&
      (range?.above == null || number > range.above) &&
      (range?.from == null || number >= range.from) &&
      (range?.up_to == null || number <= range.up_to);
    const what = kind === "integer" ? "a whole number" : "a number";
    return isWithin ? null : `takes ${what} ${range?.words ?? ""}`.trim();
  }
  if (kind === "boolean" && word !== "true" && word !== "false") return "takes true or false";
  if (choices && !choices.includes(word)) return `takes one of ${choices.join(", ")}`;
  if (kind === "load profile") return profileOf(word).reason;
  return null;
}

/**
 * What is bound for a word.
 * @param {Parameter} parameter
 * @param {string} word
 */
function valueOf(parameter, word) {
  if (parameter.kind === "integer" || parameter.kind === "real") return Number(word);
  if (parameter.kind === "boolean") return word === "true" ? 1 : 0;
  if (parameter.kind === "load profile") return JSON.stringify(profileOf(word).parts);
  return word;
}

/**
 * The parts of a day, from the lines of a load profile.
 * @param {string} text
 * @returns {{parts: {hours: number, tokens_per_second: number}[], reason: string | null}}
 */
function profileOf(text) {
  const lines = text.trim().split(/\r?\n/);
  const header = ["hours", "tokens_per_second"];
  const refused = (/** @type {string} */ reason) => ({ parts: [], reason });
  if (lines[0]?.replaceAll(" ", "") !== header.join(",")) {
    return refused(`line 1 is not the header ${header.join(",")}`);
  }
  const parts = [];
  for (const [index, line] of lines.slice(1).entries()) {
    const [hours = NaN, tokens_per_second = NaN, more] = line.split(",").map(Number);
    const isPart = hours > 0 && hours <= 24 && tokens_per_second >= 1e-6 && tokens_per_second <= 1e12;
    if (!isPart || more !== undefined) return refused(`line ${index + 2} is no part of a day`);
    parts.push({ hours, tokens_per_second });
  }
  const total = parts.reduce((sum, part) => sum + part.hours, 0);
  if (Math.abs(total - 24) > 1e-6) return refused(`the hours add up to ${total}, not to 24`);
  return { parts, reason: null };
}
