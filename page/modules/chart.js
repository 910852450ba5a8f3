// Pictures: points, lines and steps on two axes, from one description. Every point can be reached by
// keyboard and has its words; series differ by shape and by colour.

import { h, paused, svg } from "./element.js";
import { save } from "./keep.js";
import { scaleOf, tickText } from "./scale.js";

/** Of a point without words there is a place on a line and no mark. */
/** @typedef {{x: number, y: number, words: string, isFaint?: boolean, isBest?: boolean, open?: () => void}} Point */
/** A line without a look of its own is of all. */
/** @typedef {{name: string, look: number | null, points: Point[], join: "none" | "line" | "steps"}} Series */
/** @typedef {{title: string, isLog: boolean, mark?: {at: number, words: string} | null}} Axis */
/** @typedef {{title: string, description: string, x: Axis, y: Axis, series: Series[]}} Picture */

/** The colours of series on paper; on the page the style sheet has others for light and dark. */
const COLOURS = ["#0a6b52", "#a8460b", "#3f54b5", "#96246e", "#5c6b12", "#00698c", "#8a1f1f", "#5b4b8a"];
const FONT = "system-ui, sans-serif";
/** Width of a letter of the size used, about. */
const LETTER = 6.6;

/** @param {number | null} look @param {number} size */
function shapeOf(look, size) {
  const r = size;
  const shapes = [
    `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    `M${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
    `M0 ${-1.2 * r}L${1.2 * r} ${r}H${-1.2 * r}z`,
    `M0 ${-1.4 * r}L${1.4 * r} 0L0 ${1.4 * r}L${-1.4 * r} 0z`,
    `M0 ${1.2 * r}L${1.2 * r} ${-r}H${-1.2 * r}z`,
    `M${-r} ${-r / 3}h${r * 0.67}v${-r * 0.67}h${r * 0.67}v${r * 0.67}h${r * 0.67}v${r * 0.67}h${-r * 0.67}v${r * 0.67}h${-r * 0.67}v${-r * 0.67}h${-r * 0.67}z`,
  ];
  return shapes[(look ?? 0) % shapes.length];
}

/** @param {number | null} look */
function colourOf(look) {
  return look === null ? "#666" : COLOURS[look % COLOURS.length];
}

/** @param {number | null} look */
function classOf(look) {
  return look === null ? "overall" : `look-${look % COLOURS.length}`;
}

/**
 * The mark of a series, for words beside it.
 * @param {number} look
 */
export function markOf(look) {
  const mark = svg("path", { d: shapeOf(look, 4.5), class: classOf(look), fill: colourOf(look) });
  return svg("svg", { viewBox: "-7 -7 14 14", width: 14, height: 14, class: "mark", "aria-hidden": "true" }, mark);
}

/**
 * Places the words of the series in rows.
 * @param {Series[]} series
 * @param {number} left
 * @param {number} width
 */
function legendOf(series, left, width) {
  const items = [];
  let [x, y] = [left, 14];
  for (const { name, look } of series) {
    const long = 22 + name.length * LETTER;
    if (x > left && x + long > width) [x, y] = [left, y + 18];
    const mark = svg("path", {
      d: shapeOf(look, 4.5),
      transform: `translate(${x + 6} ${y - 4})`,
      class: classOf(look),
      fill: colourOf(look),
    });
    items.push(mark, svg("text", { x: x + 16, y, class: "ink" }, name));
    x += long + 8;
  }
  return { items, height: series.length > 0 ? y + 8 : 8 };
}

/**
 * The picture as SVG.
 * @param {Picture} picture
 * @param {number} width
 * @param {number} plotHeight with a legend of one row
 * @param {(point: Point | null) => void} [read] hears of the point that is looked at
 */
function drawn(picture, width, plotHeight, read = () => {}) {
  const points = picture.series.flatMap(({ points }) => points);
  const named = picture.series.filter(({ name, points }, index, all) => name !== "" && points.length > 0 && all.findIndex((other) => other.name === name) === index);
  const shownLegend = named.length > 1 || named.some(({ name }) => name !== picture.title);
  const legend = legendOf(shownLegend ? named : [], 4, width);
  // The rows of a legend take no room from what is drawn.
  const height = plotHeight + Math.max(legend.height - 22, 0);
  const ys = points.map(({ y }) => y);
  const yScaleFor = (/** @type {[number, number]} */ places) =>
    scaleOf(picture.y.mark ? [...ys, picture.y.mark.at] : ys, places, picture.y.isLog, Math.max(3, height / 46));
  const wide = Math.max(...yScaleFor([1, 0]).ticks.map((tick) => tickText(tick).length), 2);
  const [left, right, top, bottom] = [wide * LETTER + 12, 14, legend.height + 26, 42];
  const xs = points.map(({ x }) => x);
  if (picture.x.mark) xs.push(picture.x.mark.at);
  const x = scaleOf(xs, [left, width - right], picture.x.isLog, Math.max(3, (width - left) / 62));
  const y = yScaleFor([height - bottom, top]);

  const axes = [
    ...y.ticks.flatMap((tick) => [
      svg("line", { x1: left, x2: width - right, y1: y.place(tick), y2: y.place(tick), class: "grid", stroke: "#ddd" }),
      svg("text", { x: left - 8, y: y.place(tick) + 4, "text-anchor": "end", class: "faint-ink" }, tickText(tick)),
    ]),
    ...x.ticks.flatMap((tick) => [
      svg("line", { x1: x.place(tick), x2: x.place(tick), y1: height - bottom, y2: height - bottom + 5, class: "axis", stroke: "#888" }),
      svg("text", { x: x.place(tick), y: height - bottom + 19, "text-anchor": "middle", class: "faint-ink" }, tickText(tick)),
    ]),
    svg("line", { x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, class: "axis", stroke: "#888" }),
    svg("text", { x: 4, y: top - 13, class: "ink axis-title" }, picture.y.title),
    svg("text", { x: width - right, y: height - 6, "text-anchor": "end", class: "ink axis-title" }, picture.x.title),
  ];

  const marks = [];
  if (picture.x.mark) {
    const at = x.place(picture.x.mark.at);
    const isLate = at > width * 0.65;
    marks.push(
      svg("line", { x1: at, x2: at, y1: top, y2: height - bottom, class: "deadline", stroke: "#b3261e", "stroke-dasharray": "5 4" }),
      svg("text", { x: isLate ? at - 6 : at + 6, y: top + 11, "text-anchor": isLate ? "end" : "start", class: "ink" }, picture.x.mark.words),
    );
  }
  const lines = picture.series.filter(({ join, points }) => join !== "none" && points.length > 1).map(({ join, look, points }) => {
    const path = points.map((point, index) => {
      const [px, py] = [round(x.place(point.x)), round(y.place(point.y))];
      if (index === 0) return `M${px} ${py}`;
      return join === "steps" ? `H${px}V${py}` : `L${px} ${py}`;
    });
    return svg("path", { d: path.join(""), fill: "none", class: `line ${classOf(look)}`, stroke: colourOf(look), "stroke-width": 2 });
  });

  const size = width < 480 ? 3 : 4.5;
  /** @type {{point: Point, element: SVGElement}[]} */
  const reached = [];
  /** @type {SVGElement[]} */
  const faint = [];
  /** @type {SVGElement[]} */
  const clear = [];
  for (const { points, look, name } of picture.series) {
    for (const point of points.filter(({ words }) => words !== "")) {
      const place = `translate(${round(x.place(point.x))} ${round(y.place(point.y))})`;
      const classes = `point ${classOf(look)}${point.isFaint ? " faint" : ""}${point.isBest ? " best" : ""}`;
      const element = svg(
        "g",
        { transform: place, class: classes, role: "img", tabindex: -1, "aria-label": name && !point.words.includes(name) ? `${name}: ${point.words}` : point.words },
        point.isBest && svg("path", { d: shapeOf(0, size * 2), fill: "none", class: "ring", stroke: colourOf(look), "stroke-width": 1.5 }),
        svg("path", { d: shapeOf(look, point.isFaint ? size * 0.67 : size), fill: colourOf(look), ...(point.isFaint ? { "fill-opacity": 0.4 } : {}) }),
      );
      (point.isFaint ? faint : clear).push(element);
      reached.push({ point, element });
    }
  }
  reached.sort((left, right) => left.point.x - right.point.x || left.point.y - right.point.y);
  const canvas = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`, width, height, class: "picture", role: "group",
      "aria-label": `${picture.title}. ${picture.description} Arrow keys move from point to point.`,
      "font-family": FONT, "font-size": 12, fill: "#333", xmlns: "http://www.w3.org/2000/svg",
    },
    svg("title", {}, picture.title), svg("desc", {}, picture.description),
    svg("g", { "aria-hidden": "true" }, legend.items, axes, lines, marks), faint, clear,
  );
  canvas.querySelector("title")?.remove();
  listen(canvas, reached, read);
  return canvas;
}

/**
 * Lets points be looked at with a pointer and with keys.
 * @param {SVGElement} canvas
 * @param {{point: Point, element: SVGElement}[]} reached in the order of the keys
 * @param {(point: Point | null) => void} read
 */
function listen(canvas, reached, read) {
  const first = reached.find(({ point }) => point.isBest) ?? reached.find(({ point }) => !point.isFaint) ?? reached[0];
  first?.element.setAttribute("tabindex", "0");
  const of = (/** @type {Event} */ event) => {
    const element = event.target instanceof Element ? event.target.closest(".point") : null;
    return reached.findIndex((known) => known.element === element);
  };
  canvas.addEventListener("pointerover", (event) => read(reached[of(event)]?.point ?? null));
  canvas.addEventListener("focusin", (event) => {
    const index = of(event);
    if (index < 0) return;
    for (const { element } of reached) element.setAttribute("tabindex", "-1");
    reached[index].element.setAttribute("tabindex", "0");
    read(reached[index].point);
  });
  canvas.addEventListener("click", (event) => reached[of(event)]?.point.open?.());
  canvas.addEventListener("keydown", (event) => {
    const index = of(event);
    if (index < 0) return;
    const last = reached.length - 1;
    const next = /** @type {Record<string, number>} */ ({
      ArrowRight: Math.min(index + 1, last), ArrowLeft: Math.max(index - 1, 0), Home: 0, End: last,
      ArrowDown: Math.min(index + 1, last), ArrowUp: Math.max(index - 1, 0),
    })[event.key];
    if (next !== undefined) {
      reached[next].element.focus();
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      reached[index].point.open?.();
      event.preventDefault();
    }
  });
}

/** @param {number} place */
function round(place) {
  return Math.round(place * 10) / 10;
}

/**
 * Room for a picture, which is drawn as wide as the room is, and again when that changes.
 * @param {(width: number) => Node} draw
 */
export function roomFor(draw) {
  const room = h("div", { class: "room" });
  let drawnWidth = 0;
  const fit = () => {
    const width = Math.max(Math.floor(room.clientWidth), 280);
    if (width === drawnWidth || !room.isConnected) return;
    drawnWidth = width;
    room.replaceChildren(draw(width));
  };
  new ResizeObserver(paused(fit, 60)).observe(room);
  requestAnimationFrame(fit);
  return room;
}

/**
 * A figure with the picture as wide as there is room, the words of the point that is looked at, and
 * a way to save it.
 * @param {Picture} picture
 * @param {{height?: number, name: string}} options
 */
export function figureOf(picture, { height = 420, name }) {
  const words = h("p", { class: "readout" });
  const empty = "Point at a mark, or move with the arrow keys, to read it; press Enter for where it comes from.";
  const read = (/** @type {Point | null} */ point) => {
    words.textContent = point ? point.words : empty;
    words.classList.toggle("is-empty", !point);
  };
  read(null);
  const room = roomFor((width) => drawn(picture, width, Math.min(height, Math.max(width * 0.75, 240)), read));
  const saved = () => {
    const canvas = drawn(picture, 900, 520);
    canvas.prepend(svg("title", {}, picture.title), svg("rect", { width: "100%", height: "100%", fill: "#fff" }));
    for (const element of canvas.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex");
    save(`${name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(canvas));
  };
  return h(
    "figure",
    {},
    h("figcaption", {}, h("strong", {}, picture.title), h("button", { type: "button", class: "quiet", click: saved, "aria-label": `Save the picture ${picture.title} as SVG` }, "SVG")),
    room,
    words,
  );
}
