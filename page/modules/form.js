// A form for a query, made of the parameters that its file declares.

import { h, paused } from "./element.js";
import { safe } from "./figures.js";
import { fieldTitle } from "./words.js";
import { refusalOf } from "./queries.js";

/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Parameter} Parameter */
/** @typedef {import("./queries.js").Query} Query */
/** @typedef {import("./queries.js").Words} Words */

let fields = 0;

/**
 * A field for a parameter. Changing it changes the words and then calls.
 * @param {Catalogue} catalogue
 * @param {Parameter} parameter
 * @param {Words} words
 * @param {() => void} changed
 */
export function fieldOf(catalogue, parameter, words, changed) {
  fields += 1;
  const id = `field-${fields}`;
  const problem = h("p", { class: "problem", id: `${id}-problem`, role: "alert" });
  const take = (/** @type {string} */ word) => {
    const reason = word === "" ? null : refusalOf(parameter, word);
    problem.textContent = reason ? `It ${reason}.` : "";
    control.toggleAttribute("aria-invalid", reason !== null);
    if (reason !== null) return;
    if (word === "") delete words[parameter.name];
    else words[parameter.name] = word;
    changed();
  };
  const control = controlOf(catalogue, parameter, words, take);
  control.id = id;
  control.setAttribute("aria-describedby", `${id}-help ${id}-problem`);
  return h(
    "div",
    { class: "field", "data-parameter": parameter.name },
    h("label", { for: id }, fieldTitle(parameter.name)),
    control,
    h("p", { class: "help", id: `${id}-help` }, safe(parameter.help)),
    problem,
  );
}

/**
 * @param {Catalogue} catalogue
 * @param {Parameter} parameter
 * @param {Words} words
 * @param {(word: string) => void} take
 * @returns {HTMLElement}
 */
function controlOf(catalogue, parameter, words, take) {
  const standard = catalogue.defaultOf(parameter);
  const word = words[parameter.name] ?? "";
  const choices = choicesOf(catalogue, parameter);
  if (choices) {
    const options = choices.map(([value, text]) =>
      h("option", { value, selected: value === (word || standard) }, safe(text)),
    );
    const none = standard === null && h("option", { value: "", selected: word === "" }, "any");
    return h(
      "select",
      { change: (/** @type {Event} */ event) => {
        const value = /** @type {HTMLSelectElement} */ (event.target).value;
        take(value === standard ? "" : value);
      } },
      none,
      options,
    );
  }
  const typed = paused(() => take(input.value.trim()), 200);
  const isLong = parameter.kind === "load profile";
  const placeholder = isLong ? "hours,tokens_per_second\n8,2000\n16,5000" : standard ?? "";
  const input = isLong
    ? h("textarea", { rows: 4, placeholder, input: typed, value: word })
    : h("input", { type: "text", inputmode: parameter.kind === "integer" ? "numeric" : parameter.kind === "real" ? "decimal" : "text", placeholder, input: typed, value: word, autocomplete: "off" });
  return input;
}

/**
 * The values that a parameter may have, each with its words; none where there are too many to list.
 * @param {Catalogue} catalogue
 * @param {Parameter} parameter
 * @returns {[string, string][] | null}
 */
export function choicesOf(catalogue, parameter) {
  if (parameter.choices) return parameter.choices.map((choice) => [choice, choice]);
  if (parameter.kind === "boolean") return [["false", "no"], ["true", "yes"]];
  if (parameter.kind === "row_id") return null;
  if (parameter.kind === "model") return named(catalogue, "select model, model_name from models order by lower(model_name), model");
  if (parameter.kind.endsWith("task")) {
    const titles = new Map(named(catalogue, "select task, coalesce(display_name, task) from tasks"));
    return catalogue.names(parameter.kind)?.map((name) => [name, titles.get(name) ?? name]) ?? null;
  }
  return catalogue.names(parameter.kind)?.map((name) => [name, name]) ?? null;
}

/**
 * @param {Catalogue} catalogue
 * @param {string} sql
 * @returns {[string, string][]}
 */
function named(catalogue, sql) {
  return catalogue.database.run(sql).rows.map(([value, text]) => [String(value), String(text)]);
}

/**
 * A form of parameters.
 * @param {Catalogue} catalogue
 * @param {Query} query
 * @param {Words} words
 * @param {() => void} changed
 * @param {{without?: string[], first?: string[]}} [which] those to leave out, and those that are not folded away
 */
export function formOf(catalogue, query, words, changed, { without = [], first } = {}) {
  const parameters = query.parameters.filter(({ name }) => !without.includes(name));
  const isFirst = (/** @type {Parameter} */ { name }) => first === undefined || first.includes(name);
  const fieldsOf = (/** @type {Parameter[]} */ some) => h("div", { class: "fields" }, some.map((parameter) => fieldOf(catalogue, parameter, words, changed)));
  const folded = parameters.filter((parameter) => !isFirst(parameter));
  const isOpen = folded.some(({ name }) => words[name] !== undefined);
  return h(
    "form",
    { submit: (/** @type {Event} */ event) => event.preventDefault(), "aria-label": "What to ask" },
    fieldsOf(parameters.filter(isFirst)),
    folded.length > 0 && h("details", { class: "folded", open: isOpen }, h("summary", {}, "More limits and rates"), fieldsOf(folded)),
  );
}
