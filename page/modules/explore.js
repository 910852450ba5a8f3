// Explore: which GPU serves a workload with the least energy within a deadline. A picture of energy
// against latency, the best of each model and GPU, and the curves of those that are chosen.

import { h, paused } from "./element.js";
import { safe, shown } from "./figures.js";
import { fieldTitle, labelOf, titleOf, unitOf } from "./words.js";
import { keepState } from "./state.js";
import { figureOf, markOf } from "./chart.js";
import { openProvenance } from "./provenance.js";
import { choicesOf, fieldOf, formOf } from "./form.js";
import { answerOf, taskOf } from "./answer.js";
import { SETTING, curvesOf, energyOf, loadOf, looksOf, reader, wordsOf } from "./pictures.js";

/** @typedef {import("./figures.js").Value} Value */
/** @typedef {import("./database.js").Answer} Answer */
/** @typedef {import("./queries.js").Catalogue} Catalogue */
/** @typedef {import("./queries.js").Query} Query */
/** @typedef {import("./queries.js").Parameter} Parameter */
/** @typedef {import("./queries.js").Words} Words */

/** Pairs of model and GPU that have a line each; more would be a tangle. */
const MOST_LINES = 6;
/** Command lines that are listed. */
const MOST_COMMANDS = 8;
/** Curves that are drawn at once. */
const MOST_CURVES = 4;
const STEPS = 400;

/**
 * @param {Catalogue} catalogue
 * @param {Words} words
 * @param {string} question with the names of its parts in braces
 * @returns {HTMLElement}
 */
export function exploreView(catalogue, words, question) {
  const tasks = catalogue.database.run("select task, output, coalesce(display_name, task) from tasks order by task").rows;
  const taskParameter = /** @type {Parameter} */ ({ name: "task", flag: "task", kind: "task", default: null, help: "" });
  const task = words.task ?? catalogue.defaultOf(taskParameter) ?? String(tasks[0]?.[0] ?? "");
  const known = tasks.find(([name]) => name === task);
  const output = String(known?.[1] ?? "tokens");
  const query = catalogue.about("best", output);
  const everything = catalogue.everything(output);
  if (!known || !query || !everything) return h("p", {}, "The database holds no measurement that this page can show.");
  return new Explorer(catalogue, { ...words, task }, query, everything, output, String(known[2]), question).element;
}

class Explorer {
  /**
   * @param {Catalogue} catalogue
   * @param {Words} words
   * @param {Query} query
   * @param {Query} everything
   * @param {string} output of the task
   * @param {string} title of the task
   * @param {string} question
   */
  constructor(catalogue, words, query, everything, output, title, question) {
    this.catalogue = catalogue;
    const { models, gpus, pairs } = words;
    /** @type {Words} */
    this.words = { ...catalogue.sound(query, words), task: words.task };
    this.query = query;
    this.output = output;
    this.title = title;
    this.question = question;
    /** @type {Map<string, Answer>} */ this.frontiers = new Map();
    this.all = catalogue.ask(everything, { task: words.task });
    this.gpus = catalogue.names("gpu") ?? [];
    this.models = new Set(split(models));
    this.chosenGpus = new Set(split(gpus));
    this.pairs = new Set(split(pairs));
    /** @type {Answer} */
    this.answer = { columns: [], rows: [] };
    this.deadline = query.parameters.find(({ name }) => name.startsWith("deadline"));
    this.percentile = query.parameters.find(({ name }) => name === "percentile");
    this.heading = h("h1");
    this.picture = h("div", { class: "card" });
    this.best = h("div", { class: "card" });
    this.curves = h("div", { class: "curves" });
    this.element = h("div", { class: "explore" }, this.heading, h("div", { class: "sides" }, this.controls(), h("div", { class: "main" }, this.picture, this.best, this.curves)));
    this.redraw = paused(() => this.update(), 30);
    this.update();
  }

  /** The latency that the deadline is about. */
  latency() {
    const { columns } = this.all;
    const percentile = this.wordOf(this.percentile);
    return columns.find((column) => column === `${percentile}_itl_ms`) ?? "batch_latency_s";
  }

  /** @param {Parameter | undefined} parameter */
  wordOf(parameter) {
    return parameter ? this.words[parameter.name] ?? this.catalogue.defaultOf(parameter) ?? "" : "";
  }

  /** The words that the query takes. */
  asked() {
    const asked = { ...this.words };
    if (this.models.size === 1) asked.model = [...this.models][0];
    if (this.chosenGpus.size === 1) asked.gpu = [...this.chosenGpus][0];
    return asked;
  }

  controls() {
    const changed = () => this.redraw();
    const apart = ["task", "model", "gpu", this.deadline?.name ?? "", "percentile", "precision"];
    const precision = this.query.parameters.find(({ name }) => name === "precision");
    return h(
      "aside",
      { class: "controls", "aria-label": "What to look for" },
      this.taskField(),
      this.deadlineField(),
      this.percentileField(),
      this.gpuField(),
      this.modelField(),
      precision && fieldOf(this.catalogue, precision, this.words, changed),
      h("details", {}, h("summary", {}, "More limits"), formOf(this.catalogue, this.query, this.words, changed, { without: apart })),
      h("p", {}, h("a", { href: "#explore", class: "reset" }, "Start again")),
    );
  }

  taskField() {
    const parameter = /** @type {Parameter} */ ({ name: "task", flag: "task", kind: "task", default: null, help: "" });
    const options = choicesOf(this.catalogue, parameter) ?? [];
    const change = (/** @type {Event} */ event) => {
      location.hash = `#explore?task=${encodeURIComponent(/** @type {HTMLSelectElement} */ (event.target).value)}`;
    };
    return h(
      "div",
      { class: "field" },
      h("label", { for: "task" }, "Workload"),
      h("select", { id: "task", change }, options.map(([value, text]) => h("option", { value, selected: value === this.words.task }, safe(text)))),
    );
  }

  deadlineField() {
    const { deadline } = this;
    if (!deadline) return null;
    const latencies = this.all.rows.map((row) => Number(reader(this.all, this.latency())(row) ?? NaN)).filter((value) => value > 0);
    const low = Math.log10(Math.min(...latencies)) - 0.02;
    const high = Math.log10(Math.max(Number(this.catalogue.defaultOf(deadline)), ...latencies));
    const at = (/** @type {number} */ value) => Math.round(((Math.log10(value) - low) / (high - low)) * STEPS);
    const number = h("input", { type: "text", inputmode: "decimal", id: "deadline", value: this.wordOf(deadline), autocomplete: "off", "aria-describedby": "deadline-help" });
    const slider = h("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": `${deadline.name.replaceAll("_", " ")}, on a logarithmic scale` });
    const tell = () => slider.setAttribute("aria-valuetext", `${this.wordOf(deadline)}`);
    slider.value = String(at(Number(this.wordOf(deadline))));
    tell();
    const take = (/** @type {string} */ word) => {
      const value = Number(word);
      number.toggleAttribute("aria-invalid", !(value > 0));
      if (!(value > 0) || !Number.isFinite(value)) return;
      if (word === this.catalogue.defaultOf(deadline)) delete this.words[deadline.name];
      else this.words[deadline.name] = word;
      tell();
      this.redraw();
    };
    slider.addEventListener("input", () => {
      const value = 10 ** (low + (Number(slider.value) / STEPS) * (high - low));
      number.value = slider.value === String(STEPS) && at(Number(this.catalogue.defaultOf(deadline))) === STEPS
        ? this.catalogue.defaultOf(deadline) ?? ""
        : String(Number(value.toPrecision(3)));
      take(number.value);
    });
    number.addEventListener("input", () => {
      const value = Number(number.value);
      if (value > 0) slider.value = String(at(value));
      take(number.value.trim());
    });
    return h(
      "div",
      { class: "field deadline" },
      h("label", { for: "deadline" }, fieldTitle(deadline.name)),
      h("div", { class: "pair" }, slider, number),
      h("p", { class: "help", id: "deadline-help" }, safe(deadline.help)),
    );
  }

  percentileField() {
    const { percentile } = this;
    if (!percentile) return null;
    const choose = (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLInputElement} */ (event.target);
      if (value === percentile.default) delete this.words.percentile;
      else this.words.percentile = value;
      this.redraw();
    };
    return h(
      "fieldset",
      { class: "segments" },
      h("legend", {}, "percentile"),
      (percentile.choices ?? []).map((choice) =>
        h("label", {}, h("input", { type: "radio", name: "percentile", value: choice, checked: choice === this.wordOf(percentile), change: choose }), h("span", {}, choice)),
      ),
    );
  }

  gpuField() {
    const measured = new Set(this.all.rows.map(reader(this.all, "gpu")));
    const gpus = this.gpus.filter((gpu) => measured.has(gpu));
    return h(
      "fieldset",
      { class: "segments gpus" },
      h("legend", {}, "GPUs"),
      gpus.map((gpu) =>
        h("label", {}, h("input", { type: "checkbox", name: "gpu", value: gpu, checked: this.chosenGpus.has(gpu), change: (/** @type {Event} */ event) => this.toggle(this.chosenGpus, gpu, event) }), h("span", {}, markOf(this.look(gpu)), safe(gpu))),
      ),
    );
  }

  modelField() {
    const [slug, title] = [reader(this.all, "model"), reader(this.all, "model_name")];
    const models = new Map(this.all.rows.map((row) => [String(slug(row)), String(title(row) ?? slug(row))]));
    const sorted = [...models].sort(([, left], [, right]) => left.localeCompare(right, "en", { numeric: true }));
    const list = h(
      "div",
      { class: "list" },
      sorted.map(([model, name]) =>
        h("label", { "data-name": `${model} ${name}`.toLowerCase() }, h("input", { type: "checkbox", name: "model", value: model, checked: this.models.has(model), change: (/** @type {Event} */ event) => this.toggle(this.models, model, event) }), h("span", {}, safe(name))),
      ),
    );
    const search = (/** @type {Event} */ event) => {
      const wanted = /** @type {HTMLInputElement} */ (event.target).value.trim().toLowerCase();
      for (const label of list.children) label.toggleAttribute("hidden", !(label.getAttribute("data-name") ?? "").includes(wanted));
    };
    // A family is what a search finds of it.
    const mark = (/** @type {boolean} */ isChosen) => {
      if (!isChosen) this.models.clear();
      for (const input of list.querySelectorAll("input")) {
        if (isChosen && input.closest("[hidden]")) continue;
        input.checked = isChosen;
        if (isChosen) this.models.add(input.value);
      }
      this.redraw();
    };
    return h(
      "fieldset",
      { class: "models" },
      h("legend", {}, `models (${models.size})`),
      h("input", { type: "search", placeholder: "Search, such as llama", "aria-label": "Search models", input: search }),
      list,
      h("p", { class: "buttons" }, h("button", { type: "button", class: "quiet", click: () => mark(true) }, "Choose all found"), h("button", { type: "button", class: "quiet", click: () => mark(false) }, "Choose none")),
    );
  }

  /** @param {Set<string>} set @param {string} name @param {Event} event */
  toggle(set, name, event) {
    if (/** @type {HTMLInputElement} */ (event.target).checked) set.add(name);
    else set.delete(name);
    this.redraw();
  }

  hasSources() {
    return (this.catalogue.names("source") ?? []).length > 1;
  }

  /** @param {Value} gpu */
  look(gpu) {
    return Math.max(this.gpus.indexOf(String(gpu)), 0);
  }

  /**
   * The rows of the models and GPUs that are chosen, which have what else is named, such as a precision.
   * @param {Answer} answer
   */
  shownRows(answer) {
    const [model, gpu] = [reader(answer, "model"), reader(answer, "gpu")];
    const named = Object.entries(this.words).filter(([name]) => answer.columns.includes(name) && this.all.columns.includes(name));
    return answer.rows.filter(
      (row) =>
        (this.models.size === 0 || this.models.has(String(model(row)))) &&
        (this.chosenGpus.size === 0 || this.chosenGpus.has(String(gpu(row)))) &&
        named.every(([name, word]) => String(reader(answer, name)(row)) === word),
    );
  }

  update() {
    const asked = this.asked();
    const answer = this.catalogue.ask(this.query, asked);
    this.answer = { columns: answer.columns, rows: this.shownRows(answer) };
    const { task, ...rest } = this.words;
    const isUsual = task === taskOf(this.catalogue, this.query, {});
    keepState("explore", {
      ...rest,
      ...(isUsual ? {} : { task }),
      models: [...this.models].join(","),
      gpus: [...this.chosenGpus].join(","),
      pairs: [...this.pairs].join(","),
    });
    this.ask();
    this.picture.replaceChildren(this.tradeOff());
    this.best.replaceChildren(this.table(asked));
    this.drawCurves();
  }

  /** The question in words. */
  ask() {
    const latency = sentenceCase(labelOf(this.latency()));
    const at = `${this.wordOf(this.deadline)} ${unitOf(this.latency())}`;
    const [slug, name] = [reader(this.all, "model"), reader(this.all, "model_name")];
    const one = this.models.size === 1 ? this.all.rows.find((row) => this.models.has(String(slug(row)))) : undefined;
    const what = one ? String(name(one) ?? slug(one)) : this.title;
    const parts = /** @type {Words} */ ({ what, latency, deadline: at });
    this.heading.replaceChildren(...this.question.split(/\{(\w+)\}/).map((part, index) => {
      if (index % 2 === 0) return part;
      return part === "latency" ? latency : h("em", {}, safe(parts[part] ?? ""));
    }));
  }

  tradeOff() {
    const { all } = this;
    const [x, y] = [this.latency(), energyOf(all.columns)];
    const [atX, atY, id, gpu, model] = [x, y, "row_id", "gpu", "model"].map((column) => reader(all, column));
    const rows = this.shownRows(all).filter((row) => atX(row) !== null && atY(row) !== null);
    const best = new Set(this.answer.rows.map(reader(this.answer, "row_id")));
    const frontier = this.frontier();
    const said = ["model", "gpu", "num_gpus", "precision", "max_num_seqs", "batch_size", "inference_steps", "width_pixels", "height_pixels", "num_frames", ...(this.hasSources() ? ["source"] : []), y, x, "tokens_per_second", "images_per_second", "videos_per_second"];
    const order = (/** @type {Value[]} */ row) => Number(best.has(id(row))) * 2 + Number(frontier.ids.has(id(row)));
    const gpus = this.gpus.filter((name) => rows.some((row) => gpu(row) === name));
    /** @type {import("./chart.js").Series[]} */
    const points = gpus.map((name) => ({
      name,
      look: this.look(name),
      join: "none",
      points: rows.filter((row) => gpu(row) === name).sort((left, right) => order(left) - order(right)).map((row) => ({
        x: Number(atX(row)), y: Number(atY(row)), words: `${shown("model", model(row))}: ${wordsOf(all, row, said.slice(1))}`,
        isFaint: frontier.ids.size > 0 && !frontier.ids.has(id(row)) && !best.has(id(row)), isBest: best.has(id(row)),
        open: () => openProvenance(this.catalogue, this.words.task, String(id(row))),
      })),
    }));
    const at = Number(this.wordOf(this.deadline));
    const kept = `${rows.length} measured configurations; a ring marks the least energy of each model and GPU within the deadline${frontier.ids.size > 0 ? ", faint points are beaten in both energy and latency by another of the same model and GPU" : ""}${frontier.lines.some(({ look }) => look === null) ? "; the line runs through what nothing else beats" : ""}.`;
    return h(
      "div",
      {},
      figureOf(
        {
          title: `${labelOf(y)} against ${labelOf(x)}`,
          description: kept,
          x: { title: titleOf(x), isLog: true, mark: { at, words: `at most ${at}` } },
          y: { title: titleOf(y), isLog: true },
          series: [...frontier.lines, ...points],
        },
        { height: 460, name: "trade-off" },
      ),
      h("p", { class: "note" }, kept),
    );
  }

  /**
   * The rows of the query of frontiers, which a move of the deadline does not change.
   * @param {Query} query
   * @param {Words} words
   */
  frontierOf(query, words) {
    const key = JSON.stringify(words);
    const answer = this.frontiers.get(key) ?? this.catalogue.ask(query, words);
    this.frontiers.set(key, answer);
    return { columns: answer.columns, rows: this.shownRows(answer) };
  }

  /**
   * The configurations that no other of their model and GPU beats, and the lines through them; where
   * there are too many lines, those through what nothing beats at all.
   */
  frontier() {
    /** @type {{ids: Set<Value>, lines: import("./chart.js").Series[]}} */
    const none = { ids: new Set(), lines: [] };
    const query = this.catalogue.about("pareto", this.output);
    if (!query) return none;
    const shared = ["task", "percentile", "model", "gpu", "source"];
    const words = Object.fromEntries(Object.entries(this.asked()).filter(([name]) => shared.includes(name)));
    const each = this.frontierOf(query, words);
    const ids = new Set(each.rows.map(reader(each, "row_id")));
    const lines = this.linesOf(each, rivalsOf(each, ["model", "gpu", "source", ...SETTING]), reader(each, "gpu"));
    if (lines.length <= MOST_LINES) return { ids, lines };
    // Of several models or GPUs that are chosen, the database has no frontier in common.
    if (this.models.size > 1 || this.chosenGpus.size > 1) return { ids, lines: [] };
    const all = this.frontierOf(query, { ...words, scope: "all" });
    const overall = this.linesOf(all, rivalsOf(all, ["source", ...SETTING]), () => null);
    return { ids, lines: overall.length <= MOST_LINES ? overall : [] };
  }

  /**
   * @param {Answer} answer
   * @param {(row: Value[]) => string} rival
   * @param {(row: Value[]) => Value} gpu
   * @returns {import("./chart.js").Series[]}
   */
  linesOf(answer, rival, gpu) {
    const latency = answer.columns.includes("itl_ms") ? "itl_ms" : this.latency();
    const [x, y] = [reader(answer, latency), reader(answer, energyOf(answer.columns))];
    /** @type {Map<string, import("./chart.js").Series>} */
    const lines = new Map();
    for (const row of answer.rows) {
      const look = gpu(row) === null ? null : this.look(gpu(row));
      const line = lines.get(rival(row)) ?? { name: "", look, join: /** @type {const} */ ("steps"), points: [] };
      line.points.push({ x: Number(x(row)), y: Number(y(row)), words: "" });
      lines.set(rival(row), line);
    }
    for (const line of lines.values()) line.points.sort((left, right) => left.x - right.x);
    return [...lines.values()];
  }

  /** @param {Words} asked */
  table(asked) {
    const { answer } = this;
    const [model, gpu] = [reader(answer, "model"), reader(answer, "gpu")];
    const before = (/** @type {Value[]} */ row) => {
      const pair = `${model(row)}/${gpu(row)}`;
      const change = (/** @type {Event} */ event) => {
        if (/** @type {HTMLInputElement} */ (event.target).checked) this.pairs.add(pair);
        else this.pairs.delete(pair);
        const place = [...this.best.querySelectorAll("input")].findIndex((input) => input === event.target);
        this.update();
        this.best.querySelectorAll("input")[place]?.focus();
      };
      return h("label", { class: "choose" }, h("input", { type: "checkbox", value: pair, checked: this.pairs.has(pair), change, "aria-label": `Draw the curves of ${pair}` }), markOf(this.look(gpu(row))));
    };
    return h(
      "div",
      {},
      h("h2", {}, "The best of each model and GPU"),
      h("p", { class: "note" }, safe(this.query.description)),
      answerOf(this.catalogue, this.query, asked, answer, { commands: this.commands(asked), before }),
    );
  }

  /** @param {Words} asked */
  commands(asked) {
    const several = (/** @type {Set<string>} */ set) => (set.size > 1 ? [...set] : [undefined]);
    const pairs = several(this.models).flatMap((model) => several(this.chosenGpus).map((gpu) => ({ model, gpu })));
    const isAll = this.chosenGpus.size > 1 && this.chosenGpus.size === new Set(this.all.rows.map(reader(this.all, "gpu"))).size;
    const asks = isAll ? several(this.models).map((model) => ({ model, gpu: undefined })) : pairs;
    const lines = asks.map(({ model, gpu }) => this.catalogue.commandLine(this.query, { ...asked, ...(model ? { model } : {}), ...(gpu ? { gpu } : {}) }));
    return lines.length <= MOST_COMMANDS ? lines : [this.catalogue.commandLine(this.query, asked)];
  }

  drawCurves() {
    const query = this.catalogue.about("curve", this.output);
    if (!query) return this.curves.replaceChildren();
    const { answer } = this;
    const [model, gpu] = [reader(answer, "model"), reader(answer, "gpu")];
    const known = [...new Set(answer.rows.map((row) => `${model(row)}/${gpu(row)}`))];
    const chosen = [...this.pairs].filter((pair) => known.includes(pair));
    const drawn = (chosen.length > 0 ? chosen : known.slice(0, 1)).slice(0, MOST_CURVES);
    if (drawn.length === 0) return this.curves.replaceChildren();
    /** @type {Answer} */
    const curves = { columns: [], rows: [] };
    for (const pair of drawn) {
      const [slug, name] = [pair.slice(0, pair.lastIndexOf("/")), pair.slice(pair.lastIndexOf("/") + 1)];
      const one = this.catalogue.ask(query, { task: this.words.task, model: slug, gpu: name, ...(this.words.source ? { source: this.words.source } : {}) });
      curves.columns = one.columns;
      curves.rows.push(...one.rows);
    }
    curves.rows = curves.rows.filter((row) => reader(curves, loadOf(curves.columns))(row) !== null);
    const [ofGpu, id] = [reader(curves, "gpu"), reader(curves, "row_id")];
    // A GPU looks as it does above, where it has one series alone.
    const look = looksOf(curves);
    const isOneEach = new Set(curves.rows.map(look)).size === new Set(curves.rows.map(ofGpu)).size;
    const pictures = curvesOf(curves, [energyOf(curves.columns), this.latency(), "tokens_per_second", "outputs_per_second", "power_watts"], {
      look: isOneEach ? (row) => this.look(ofGpu(row)) : look,
      open: (row) => openProvenance(this.catalogue, this.words.task, String(id(row))),
    });
    this.curves.replaceChildren(
      h("h2", {}, `Against ${labelOf(loadOf(curves.columns)).toLowerCase()}: `, drawn.map(safe).join(", ")),
      h("p", { class: "note" }, chosen.length > 0 ? safe(query.description) : "Choose rows of the table to draw theirs."),
      h("div", { class: "grid" }, pictures.map((picture, index) => h("div", { class: "card" }, figureOf(picture, { height: 260, name: `curve-${index + 1}` })))),
    );
  }
}

/**
 * A function from a row to the key of those that compete with each other: those that are equal in these columns.
 * @param {Answer} answer
 * @param {string[]} columns
 * @returns {(row: Value[]) => string}
 */
function rivalsOf(answer, columns) {
  const readers = columns.map((column) => reader(answer, column));
  return (row) => JSON.stringify(readers.map((read) => String(read(row))));
}

/**
 * A label as it is written within a sentence.
 * @param {string} label
 */
function sentenceCase(label) {
  return /^[A-Z][a-z]/.test(label) ? `${label[0].toLowerCase()}${label.slice(1)}` : label;
}

/** @param {string | undefined} list */
function split(list) {
  return list ? list.split(",") : [];
}
