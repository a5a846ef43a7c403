// Values with units, as models write them: `30 deg`, `9.81 m/s^2`. The units are those of the model reader, which wrote them into the page.

/** @typedef {{factor: number, powers: number[]}} Unit  multiples of SI units, and powers of kg, m, s, A, K, mol, cd */

/** The units that values may be written in. */
export class Units {
  /** @param {{names: [string, number, number[], boolean][], prefixes: [string, number][]} | undefined} table */
  constructor(table) {
    this.names = new Map((table ? table.names : []).map(([name, ...rest]) => [name, rest]));
    this.prefixes = table ? table.prefixes : [];
  }

  /** A unit by its name; a name of its own wins over a prefix. @param {string} name @returns {Unit | null} */
  lookup(name) {
    const own = this.names.get(name);
    if (own) return { factor: own[0], powers: own[1] };
    for (const [prefix, exponent] of this.prefixes) {
      const bare = name.startsWith(prefix) && this.names.get(name.slice(prefix.length));
      if (bare && bare[2]) return { factor: bare[0] * 10 ** exponent, powers: bare[1] };
    }
    return null;
  }

  /** A product of units, such as `kg*m/s^2`; null if it is none. @param {string} text @returns {Unit | null} */
  product(text) {
    const made = { factor: 1, powers: Array(7).fill(0) };
    const parts = text.replace(/·/g, "*").replace(/²/g, "^2").replace(/³/g, "^3").replace(/°/g, "deg").split(/\s*([*/])\s*/);
    for (let i = 0; i < parts.length; i += 2) {
      const found = /^([A-Za-z]+|1)(?:\^([+-]?\d+))?$/.exec(parts[i].trim());
      const unit = found && (found[1] === "1" ? { factor: 1, powers: Array(7).fill(0) } : this.lookup(found[1]));
      if (!found || !unit) return null;
      const power = Number(found[2] ?? 1) * (parts[i - 1] === "/" ? -1 : 1);
      made.factor *= unit.factor ** power;
      made.powers = made.powers.map((it, k) => it + power * unit.powers[k]);
    }
    return made;
  }

  /**
   * A value as it is typed, in the unit that the page has for it; or what is wrong with it.
   * @param {string} text @param {string | null | undefined} unit @returns {{value: number} | {wrong: string}}
   */
  value(text, unit) {
    const found = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*$/i.exec(text.replace(/−/g, "-"));
    if (!found || !Number.isFinite(Number(found[1]))) return { wrong: `“${text}” is no number` };
    if (!found[2]) return { value: Number(found[1]) };
    const given = this.product(found[2]);
    if (!given) return { wrong: `“${found[2]}” is no unit` };
    const value = Number(found[1]) * given.factor;
    // What has no unit in the page is in SI units.
    if (unit == null) return { value };
    const own = this.product(unit);
    if (!own || own.powers.some((it, k) => it !== given.powers[k])) return { wrong: `“${text}” is not ${unit === "1" ? "a pure number" : `in ${unit}`}` };
    return { value: value / own.factor };
  }
}
