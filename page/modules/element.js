// Elements of the page. Text only ever becomes text, so that no name in the data can be markup.

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function filledWith(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name, /** @type {EventListener} */ (value));
    } else if (name === "value" || name === "checked" || name === "selected") {
      Reflect.set(element, name, value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An element of HTML. A function among the attributes listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  filledWith(element, attributes, children);
  return element;
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  filledWith(element, attributes, children);
  return element;
}

/**
 * Says something to those who do not see the page, and shows it for a moment.
 * @param {string} text
 */
export function say(text) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

/**
 * Calls once the calls have paused for a moment.
 * @param {() => void} act
 * @param {number} milliseconds
 */
export function paused(act, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(act, milliseconds);
  };
}
