// Scales: from figures to places on a picture, and the round figures that mark them.

/** @typedef {{place: (value: number) => number, ticks: number[], isLog: boolean}} Scale */

/**
 * A scale over the values. A logarithmic one needs values above 0.
 * @param {number[]} values
 * @param {[number, number]} places
 * @param {boolean} isLog
 * @param {number} most ticks
 * @returns {Scale}
 */
export function scaleOf(values, places, isLog, most) {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (!Number.isFinite(low)) [low, high] = [1, 10];
  return isLog && low > 0 ? logarithmic(low, high, places, most) : linear(Math.min(0, low), high, places, most);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {[number, number]} places
 * @param {number} most
 * @returns {Scale}
 */
function linear(low, high, [from, to], most) {
  const span = high - low || Math.abs(high) || 1;
  const raw = span / Math.max(most - 1, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= raw) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = [];
  for (let index = first; index <= last; index += 1) ticks.push(Number((index * step).toPrecision(12)));
  const [start, end] = [first * step, last * step];
  return { place: (value) => from + ((value - start) / (end - start)) * (to - from), ticks, isLog: false };
}

/**
 * @param {number} low
 * @param {number} high
 * @param {[number, number]} places
 * @param {number} most
 * @returns {Scale}
 */
function logarithmic(low, high, [from, to], most) {
  const start = Math.log10(low) - 0.04 * (Math.log10(high / low) || 1);
  const end = Math.log10(high) + 0.04 * (Math.log10(high / low) || 1);
  const ticksOf = (/** @type {number[]} */ steps) => {
    const ticks = [];
    for (let power = Math.floor(start); power <= Math.ceil(end); power += 1) {
      for (const step of steps) ticks.push(Number((step * 10 ** power).toPrecision(12)));
    }
    return ticks.filter((tick) => Math.log10(tick) >= start && Math.log10(tick) <= end);
  };
  const choices = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map(ticksOf);
  const ticks = choices.find((ticks) => ticks.length <= most) ?? choices[3].filter((_, index) => index % 2 === 0);
  return {
    place: (value) => from + ((Math.log10(value) - start) / (end - start)) * (to - from),
    ticks,
    isLog: true,
  };
}

/**
 * A round figure of a scale in words.
 * @param {number} tick
 */
export function tickText(tick) {
  const size = Math.abs(tick);
  if (size >= 1e6) return `${Number((tick / 1e6).toPrecision(6))} M`;
  if (size >= 1e4) return `${Number((tick / 1e3).toPrecision(6))} k`;
  return String(Number(tick.toPrecision(6)));
}
