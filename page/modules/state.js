// The whole state of the page, in the fragment of its address: which view, and what it was given.

/** @typedef {Record<string, string>} Words */

/**
 * The state that an address has.
 * @returns {{view: string, words: Words}}
 */
export function readState() {
  const [view = "", query = ""] = location.hash.replace(/^#/, "").split("?", 2);
  return { view, words: Object.fromEntries(new URLSearchParams(query)) };
}

/**
 * The fragment of a state. What is empty is left out.
 * @param {string} view
 * @param {Record<string, string | undefined>} words
 */
export function fragmentOf(view, words) {
  const given = /** @type {[string, string][]} */ (
    Object.entries(words).filter(([, word]) => word !== undefined && word !== "")
  );
  const query = new URLSearchParams(given).toString();
  return `#${view}${query ? `?${query}` : ""}`;
}

/**
 * Remembers a state in the address without another step back.
 * @param {string} view
 * @param {Record<string, string | undefined>} words
 */
export function keepState(view, words) {
  history.replaceState(null, "", fragmentOf(view, words));
}
