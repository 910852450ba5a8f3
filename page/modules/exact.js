// Numbers as text, exactly: a rounded figure is the exact binary value to a number of decimals, ties
// to even. `toFixed`, `toExponential` and `Intl` send ties elsewhere.

/**
 * The whole number and the power of two that make the size of a finite number.
 * @param {number} value
 * @returns {[bigint, number]}
 */
function binary(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return exponent === 0 ? [fraction, -1074] : [fraction | (1n << 52n), exponent - 1075];
}

/**
 * The size of a number times a power of ten, as a fraction.
 * @param {number} value
 * @param {number} power
 * @returns {[bigint, bigint]}
 */
function fraction(value, power) {
  const [mantissa, exponent] = binary(value);
  let above = mantissa;
  let below = 1n;
  if (exponent > 0) above <<= BigInt(exponent);
  else below <<= BigInt(-exponent);
  if (power > 0) above *= 10n ** BigInt(power);
  else below *= 10n ** BigInt(-power);
  return [above, below];
}

/**
 * The size of a number times a power of ten, to the nearest whole number, ties to even.
 * @param {number} value
 * @param {number} power
 */
function scaled(value, power) {
  const [above, below] = fraction(value, power);
  const whole = above / below;
  const twice = 2n * (above % below);
  return twice > below || (twice === below && whole % 2n === 1n) ? whole + 1n : whole;
}

/**
 * A finite number with so many decimals. Zero has no sign.
 * @param {number} value
 * @param {number} decimals
 */
export function fixed(value, decimals) {
  const whole = scaled(value, decimals);
  const digits = whole.toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return value < 0 && whole !== 0n ? `-${text}` : text;
}

/**
 * A finite number as its digits, one of them before the point and so many after it, and its exponent.
 * @param {number} value
 * @param {number} decimals
 * @returns {[string, number]}
 */
export function scientific(value, decimals) {
  if (value === 0) return [fixed(0, decimals), 0];
  let exponent = Number(value.toExponential().split("e")[1]);
  let digits = scaled(value, decimals - exponent).toString();
  if (digits.length > decimals + 1) {
    exponent += 1;
    digits = scaled(value, decimals - exponent).toString();
  }
  const text = decimals === 0 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return [value < 0 ? `-${text}` : text, exponent];
}

/**
 * The shortest text that reads back as the same number, and never as a whole one: `235.0`. Of two
 * that are as near, it is the larger, as the command line has it; a browser has the even one.
 * @param {number} value
 */
export function shortest(value) {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa, power] = Math.abs(value).toExponential().split("e");
  const exponent = Number(power);
  let digits = mantissa.replace(".", "");
  const [above, below] = fraction(value, digits.length - 1 - exponent);
  if (2n * above === (2n * BigInt(digits) + 1n) * below) digits = (BigInt(digits) + 1n).toString();
  const sign = value < 0 ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    return `${sign}${digits[0]}${digits.length > 1 ? "." : ""}${digits.slice(1)}e${exponent}`;
  }
  const whole = exponent < 0 ? "0" : digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const decimals = exponent < 0 ? "0".repeat(-exponent - 1) + digits : digits.slice(exponent + 1);
  return `${sign}${whole}.${decimals || "0"}`;
}

/**
 * A number without the zeros at the end of its decimals.
 * @param {string} text
 */
export function withoutTrailingZeros(text) {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}
