// The data of the page: numbers over time, decoded, and their values between samples.

/**
 * @typedef {number | null | {f32: string | Float32Array} | {f64: string | Float64Array} | {same: number}} Written  as it stands in the page, or comes from a server
 * @typedef {{constant: number, values: (Float32Array|Float64Array|null)}} Series  as it is used
 * @typedef {{name: string, unit: (string|null), series: Series, ghost?: Series}} DataColumn  ghost: as it was in the run before
 */

/** Bytes of a text. @param {string} text */
export function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

/** Data as they stand in a page (`packed.rs`): text that is opened into JSON, and numbers that stand behind it. @param {string} text @returns {Promise<any>} */
export async function opened(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const all = await new Response(stream).arrayBuffer();
  const length = new DataView(all).getUint32(0, true);
  const bytes = new Uint8Array(all, 4 + length);
  /** The first bytes of all numbers come first, then the second. @param {[number, number]} place @param {number} size */
  const taken = ([at, count], size) => {
    const own = new Uint8Array(count * size);
    for (let k = 0; k < size; k++) for (let i = 0; i < count; i++) own[i * size + k] = bytes[at + k * count + i];
    return own.buffer;
  };
  return JSON.parse(new TextDecoder().decode(new Uint8Array(all, 4, length)), (_, value) => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value.f32)) return { f32: new Float32Array(taken(value.f32, 4)) };
    if (Array.isArray(value.f64)) return { f64: new Float64Array(taken(value.f64, 8)) };
    if (Array.isArray(value.bytes)) return { bytes: taken(value.bytes, 1) };
    return value;
  });
}

/** @param {Written} written @param {DataColumn[]} [before] columns that it may be the same as @returns {Series} */
export function seriesOf(written, before = []) {
  if (written === null) return { constant: NaN, values: null };
  if (typeof written === "number") return { constant: written, values: null };
  if ("same" in written) return before[written.same].series;
  if ("f32" in written) return { constant: NaN, values: typeof written.f32 === "string" ? new Float32Array(bytesOf(written.f32)) : written.f32 };
  return { constant: NaN, values: typeof written.f64 === "string" ? new Float64Array(bytesOf(written.f64)) : written.f64 };
}

/** Numbers over time as a series: one number where they are all the same. @param {number | Float32Array | Float64Array} values @returns {Series} */
export function seriesFrom(values) {
  if (typeof values === "number") return { constant: values, values: null };
  const first = values[0];
  if (values.every((it) => it === first || (Number.isNaN(it) && Number.isNaN(first)))) return { constant: first, values: null };
  return { constant: NaN, values };
}

/** The value at a sample. @param {Series} series @param {number} index */
export function at(series, index) {
  return series.values ? series.values[index] : series.constant;
}

/** Everything that the page knows, and how it is asked. */
export class PageModel {
  /** @param {any} data */
  constructor(data) {
    this.data = data;
    /** @type {DataColumn[]} */
    this.columns = [];
    for (const { name, unit, values } of data.columns) this.columns.push({ name, unit, series: seriesOf(values, this.columns) });
    this.byName = new Map(this.columns.map((column) => [column.name, column]));
    /** @type {Float64Array} times of the run before */
    this.ghostTimes = new Float64Array(0);
    /** @type {Float64Array} */
    this.times = this.ghostTimes;
    this.rows = 0;
    this.begin = 0;
    this.end = 0;
    /** The place that was asked for last: a picture asks for one time only, very often. */
    this.lately = { t: NaN, place: /** @type {[number, number]} */ ([0, 0]) };
    this.takeTime();
  }

  /** Takes notice of the times of the samples. */
  takeTime() {
    const time = this.columns[0].series;
    this.rows = time.values ? time.values.length : 1;
    this.times = time.values ? Float64Array.from(time.values) : Float64Array.of(time.constant);
    this.begin = this.times[0];
    this.end = this.times[this.rows - 1];
    this.lately = { t: NaN, place: /** @type {[number, number]} */ ([0, 0]) };
  }

  /** Takes the columns of another run; those that there are stay as ghosts, if wanted. @param {(name: string) => (Series | undefined)} series @param {boolean} keep */
  replace(series, keep) {
    if (keep) this.ghostTimes = this.times;
    for (const column of this.columns) {
      if (keep) column.ghost = column.series;
      column.series = series(column.name) || { constant: NaN, values: null };
    }
    this.takeTime();
  }

  /** The sample before a time, and how far the time is on the way to the next. @param {number} t @returns {[number, number]} */
  place(t) {
    if (this.lately.t !== t) this.lately = { t, place: this.search(t) };
    return this.lately.place;
  }

  /** @param {number} t @returns {[number, number]} */
  search(t) {
    const times = this.times;
    if (!(t > times[0])) return [0, 0];
    const last = this.rows - 1;
    if (t >= times[last]) return [last, 0];
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle;
    }
    const length = times[high] - times[low];
    return [low, length > 0 ? (t - times[low]) / length : 0];
  }

  /** The value of a series at a time, straight between samples. @param {Series} series @param {number} t */
  valueAt(series, t) {
    if (!series.values) return series.constant;
    const [i, part] = this.place(t);
    const here = series.values[i];
    return part === 0 ? here : here + part * (series.values[i + 1] - here);
  }

  /** What a name of the model is worth at a time: a column or a parameter. @param {string} name @param {number} t @returns {{value: number, unit: (string|null)}|null} */
  worth(name, t) {
    const column = this.byName.get(name);
    if (column) return { value: this.valueAt(column.series, t), unit: column.unit };
    const parameter = this.data.parameters.find((it) => it.name === name);
    return parameter ? { value: parameter.value, unit: parameter.unit } : null;
  }
}
