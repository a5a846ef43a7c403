// Round numbers along an axis.

/** Numbers between two that people would choose, about so many. @param {number} low @param {number} high @param {number} count */
export function linearTicks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((m) => m * power >= rough * 0.999) || 10);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return ticks;
}

/** Powers of ten between the exponents of two numbers, at most about so many. @param {number} low @param {number} high @param {number} count */
export function logTicks(low, high, count) {
  const every = Math.max(1, Math.ceil((high - low) / Math.max(1, count)));
  const ticks = [];
  for (let k = Math.ceil(low / every) * every; k <= high; k += every) ticks.push(k);
  return ticks;
}

/** A tick in words; digits as the step needs them. @param {number} value @param {number} step */
export function tickText(value, step) {
  if (Math.abs(value) < 1e-9 * step) return "0";
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e5 || size < 1e-3) {
    const digits = Math.max(0, Math.min(6, Math.floor(Math.log10(Math.abs(value)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9)));
    return value.toExponential(digits).replace("e+", "e").replace(/-/g, "−");
  }
  return value.toFixed(Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)))).replace("-", "−");
}
