// Which multipliers are determined at a state: those of rows that depend on each other are not, whatever the run that was recorded had.
import { Rank } from "./linear.js";

/** The dependence of the rows on each other, by what their multipliers do. */
export class Uniqueness {
  /** @param {import("./motion.js").Motion} motion */
  constructor(motion) {
    const { n, rows, data } = motion;
    this.motion = motion;
    this.rank = rows ? new Rank(rows, n) : null;
    /** Whether each multiplier is determined. @type {boolean[]} */
    this.known = new Array(rows).fill(true);
    /** Rows closer than this depend on each other: what clearly does at the start of a leg does so beside the rows, too. */
    this.part = motion.decide.RANK;
    /** Whether no row depends on others. */
    this.independent = true;
    /** Whether that stays so on the way: a run stops where rows of velocities lose their rank. */
    this.lasts = data.velocity_rows.length === rows;
  }

  /** Whether a row belongs to a constraint that holds. @param {number} row */
  holds(row) {
    return this.motion.active.get(this.motion.data.constraints[row]) !== false;
  }

  /** Decides at the state that is set, where a leg begins; gives the rank. */
  begin() {
    const { COARSE, RANK } = this.motion.decide;
    this.part = RANK;
    const rank = this.look();
    this.part = COARSE;
    if (this.look() !== rank) {
      this.part = RANK;
      this.look();
    }
    return rank;
  }

  /** Decides at a state on the way. */
  goOn() {
    if (!this.independent || !this.lasts) this.look();
  }

  /** Eliminates the rows at the state that is set; gives their rank. */
  look() {
    const { rank, motion } = this;
    if (!rank) return 0;
    const { n, reach, units, decide } = motion;
    rank.take((i, j) => reach[i * n + j], units, true);
    const found = rank.eliminate(this.part);
    const related = found < motion.rows ? rank.related(found, decide.CLEAR) : null;
    this.independent = true;
    for (let row = 0; row < motion.rows; row++) {
      this.known[row] = !related || !related[row] || !this.holds(row);
      if (!this.known[row]) this.independent = false;
    }
    return found;
  }
}
