// The numbers of a run for values of the parameters, as `plan.rs` in Rust has them: span, tolerances and samples may be written in parameters.

/** What each number must be; what is not named must be positive. @type {Record<string, (it: number) => boolean>} */
const FINE = {
  from: Number.isFinite,
  rtol: (it) => it > 0 && it < 1,
  samples: (it) => Number.isInteger(it) && it >= 2 && it <= 1e7,
  max_steps: (it) => Number.isInteger(it) && it >= 1,
};
const isPositive = (it) => it > 0 && Number.isFinite(it);

/**
 * The numbers for values of the parameters, or what is wrong with one of them.
 * @param {any} data @param {import("./programs.js").Program} program @param {Float64Array} parameters
 * @returns {{from: number, span: number, rtol: number, atol: number | null, max_step: number | null, max_steps: number, samples: number, wrong: string}}
 */
export function planOf(data, program, parameters) {
  program.in.set(parameters);
  program.call();
  /** @type {Record<string, number>} */
  const found = {};
  let wrong = "";
  data.numbers.forEach(([name, wanted], k) => {
    found[name] = program.out[k];
    if (!wrong && !(FINE[name] || isPositive)(found[name])) wrong = `${name} is ${found[name]}, and must be ${wanted}`;
  });
  const { span, rtol, atol, max_step, max_steps, samples } = data;
  return { from: data.start.t, span, rtol, atol, max_step, max_steps, ...found, samples: countOf(data, found, samples), wrong };
}

/** How many samples there are: as many as are asked for, but enough to be looked at, and not too many. @param {any} data @param {Record<string, number>} found @param {number} recorded */
function countOf(data, { span = data.span, samples, step }, recorded) {
  const asked = samples ?? (step === undefined ? 0 : span / step);
  if (asked === 0) return recorded;
  if (asked < data.least_samples) return data.least_samples;
  return Math.min(samples ?? Math.floor(asked * (1 + data.decide.KNOWN)) + 1, data.most_samples);
}

/** Times of samples; the last is the end of the span exactly. @param {{from: number, span: number, samples: number}} plan */
export function timesOf({ from, span, samples }) {
  return Float64Array.from({ length: samples }, (_, i) => (i + 1 === samples ? from + span : from + (span * i) / (samples - 1)));
}
