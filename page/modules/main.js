// Puts the page to work: unpacks SQLite and the database, and shows the view that the address names.

import { unpacked } from "./unpack.js";
import { h } from "./element.js";
import { shown, writeBy } from "./figures.js";
import { csv, opened } from "./database.js";
import { notesOf } from "./notes.js";
import { Catalogue } from "./queries.js";
import { readWords } from "./words.js";
import { readState } from "./state.js";
import { exploreView } from "./explore.js";
import { compareView } from "./compare.js";
import { planView } from "./plan.js";
import { modelView } from "./model.js";
import { askView } from "./ask.js";
import { aboutView } from "./about.js";

async function start() {
  const [machineCode, bytes, text] = await Promise.all(["sqlite-wasm", "database", "interface"].map(unpacked));
  const described = JSON.parse(new TextDecoder().decode(text));
  const database = await opened(machineCode, bytes);
  writeBy(described);
  readWords(database);
  const catalogue = new Catalogue(database, described.queries, described.names, described.differences);
  const held = { file: described.file, bytes, program: described.program };
  /** @type {Record<string, (words: Record<string, string>) => HTMLElement>} */
  const views = {
    explore: (words) => exploreView(catalogue, words, described.question),
    compare: (words) => compareView(catalogue, words),
    plan: (words) => planView(catalogue, words),
    model: (words) => modelView(catalogue, words),
    ask: (words) => askView(catalogue, words),
    about: () => aboutView(catalogue, held),
  };
  const main = document.getElementById("main");
  const show = (/** @type {boolean} */ isMove) => {
    const { view, words } = readState();
    const name = view in views ? view : "explore";
    for (const link of document.querySelectorAll("header nav a")) {
      if (link.getAttribute("href") === `#${name}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    main?.replaceChildren(views[name](words));
    const heading = main?.querySelector("h1");
    document.title = `${heading?.textContent ?? "Explore"} · energydb`;
    if (isMove && heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  };
  addEventListener("hashchange", () => show(true));
  show(false);
  document.documentElement.dataset.ready = "yes";
  performance.mark("ready");
  // For those who look under the bonnet, and for the tests.
  Object.defineProperty(window, "energydb", { value: { catalogue, database, csv, notesOf, shown } });
}

start().catch((error) => {
  document.getElementById("main")?.prepend(
    h("p", { class: "empty", role: "alert" }, `The page could not open its database (${error}). What is below was written with the page; a newer browser shows the rest.`),
  );
});
