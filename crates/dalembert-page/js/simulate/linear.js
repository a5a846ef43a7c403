// One solution of linear equations, whatever their rank: elimination with complete pivoting, refined.

/** Square equations K x = r of one size, with room to solve them. */
export class Solver {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
    this.matrix = new Float64Array(size * size);
    this.factors = new Float64Array(size * size);
    this.rows = new Int32Array(size);
    this.columns = new Int32Array(size);
    this.left = new Float64Array(size);
    this.right = new Float64Array(size);
    this.work = new Float64Array(size);
    this.change = new Float64Array(size);
    this.residual = new Float64Array(size);
    this.rank = 0;
  }

  /**
   * Factors the matrix, in rows and columns of about length one; what is left up to a tolerance beside the largest is zero.
   * @param {number} tolerance
   */
  factor(tolerance) {
    const { size, matrix, factors, rows, columns, left, right } = this;
    // Sizes of unlike unknowns and equations are taken out, as powers of two: no number is rounded by it.
    left.fill(1);
    right.fill(1);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < size; i++) {
        let most = 0;
        for (let j = 0; j < size; j++) most = Math.max(most, Math.abs(matrix[i * size + j]) * left[i] * right[j]);
        if (most > 0) left[i] /= powerOfTwo(Math.sqrt(most));
      }
      for (let j = 0; j < size; j++) {
        let most = 0;
        for (let i = 0; i < size; i++) most = Math.max(most, Math.abs(matrix[i * size + j]) * left[i] * right[j]);
        if (most > 0) right[j] /= powerOfTwo(Math.sqrt(most));
      }
    }
    for (let i = 0; i < size; i++) {
      rows[i] = i;
      columns[i] = i;
      for (let j = 0; j < size; j++) factors[i * size + j] = matrix[i * size + j] * left[i] * right[j];
    }
    let first = 0;
    for (let k = 0; k < size; k++) {
      let best = 0;
      let row = k;
      let column = k;
      for (let i = k; i < size; i++) {
        const line = rows[i] * size;
        for (let j = k; j < size; j++) {
          const value = Math.abs(factors[line + columns[j]]);
          if (value > best) {
            best = value;
            row = i;
            column = j;
          }
        }
      }
      if (k === 0) first = best;
      if (!(best > tolerance * first)) {
        this.rank = k;
        return;
      }
      [rows[k], rows[row]] = [rows[row], rows[k]];
      [columns[k], columns[column]] = [columns[column], columns[k]];
      const pivot = rows[k] * size;
      const p = factors[pivot + columns[k]];
      for (let i = k + 1; i < size; i++) {
        const line = rows[i] * size;
        const part = factors[line + columns[k]] / p;
        factors[line + columns[k]] = part;
        if (part === 0) continue;
        for (let j = k + 1; j < size; j++) factors[line + columns[j]] -= part * factors[pivot + columns[j]];
      }
    }
    this.rank = size;
  }

  /** A solution by the factors alone. @param {Float64Array} r @param {Float64Array} x */
  once(r, x) {
    const { size, factors, rows, columns, left, right, work, rank } = this;
    for (let k = 0; k < rank; k++) {
      let sum = r[rows[k]] * left[rows[k]];
      for (let j = 0; j < k; j++) sum -= factors[rows[k] * size + columns[j]] * work[j];
      work[k] = sum;
    }
    x.fill(0);
    for (let k = rank - 1; k >= 0; k--) {
      let sum = work[k];
      for (let j = k + 1; j < rank; j++) sum -= factors[rows[k] * size + columns[j]] * x[columns[j]];
      x[columns[k]] = sum / factors[rows[k] * size + columns[k]];
    }
    for (let j = 0; j < size; j++) x[j] *= right[j];
  }

  /**
   * A solution, refined; what is not determined is zero. Gives the part of the equations that is left, beside the largest of their terms.
   * @param {Float64Array} r @param {Float64Array} x
   */
  solve(r, x) {
    const { size, matrix, change, left } = this;
    this.once(r, x);
    let missed = 0;
    const residual = this.residual;
    for (let round = 0; round < 3; round++) {
      let worst = 0;
      let most = 0;
      for (let i = 0; i < size; i++) {
        let sum = r[i];
        let terms = Math.abs(r[i]);
        for (let j = 0; j < size; j++) {
          const part = matrix[i * size + j] * x[j];
          sum -= part;
          terms += Math.abs(part);
        }
        residual[i] = sum;
        worst = Math.max(worst, Math.abs(sum) * left[i]);
        most = Math.max(most, terms * left[i]);
      }
      missed = most > 0 ? worst / most : worst;
      if (round === 2 || missed < 1e-16) break;
      this.once(residual, change);
      for (let j = 0; j < size; j++) x[j] += change[j];
    }
    return missed;
  }
}

/** @param {number} x */
function powerOfTwo(x) {
  // Most sizes are alike after the first round.
  return x > Math.SQRT1_2 && x < Math.SQRT2 ? 1 : 2 ** Math.round(Math.log2(x));
}

/** Rows eliminated with complete pivoting: how far they are from depending on each other. */
export class Rank {
  /** @param {number} rows @param {number} columns */
  constructor(rows, columns) {
    this.count = rows;
    this.n = columns;
    this.rows = new Float64Array(rows * columns);
    this.lengths = new Float64Array(rows);
    this.room = new Float64Array(rows * columns);
    this.order = new Int32Array(rows);
    this.columns = new Int32Array(columns);
    this.pivots = new Float64Array(Math.min(rows, columns));
  }

  /** Takes rows in units, each beside the greatest length it has had. @param {(j: number, i: number) => number} entry @param {Float64Array} units @param {boolean} lasting */
  take(entry, units, lasting) {
    const { count, n, rows, lengths } = this;
    for (let i = 0; i < count; i++) {
      let square = 0;
      for (let j = 0; j < n; j++) {
        const a = entry(i, j) * units[j];
        rows[i * n + j] = a;
        square += a * a;
      }
      if (lasting) lengths[i] = Math.max(lengths[i], Math.sqrt(square));
      for (let j = 0; j < n; j++) rows[i * n + j] = lengths[i] > 0 ? rows[i * n + j] / lengths[i] : 0;
    }
  }

  /** Eliminates the rows last taken; gives how many pivots are larger than a part of the largest. @param {number} part */
  eliminate(part) {
    const { count, n, rows, room, order, columns, pivots } = this;
    room.set(rows);
    for (let i = 0; i < count; i++) order[i] = i;
    for (let j = 0; j < n; j++) columns[j] = j;
    let rank = 0;
    for (let k = 0; k < pivots.length; k++) {
      let best = 0;
      let row = k;
      let column = k;
      for (let i = k; i < count; i++) {
        for (let j = k; j < n; j++) {
          const value = Math.abs(room[order[i] * n + columns[j]]);
          if (value > best) {
            best = value;
            row = i;
            column = j;
          }
        }
      }
      pivots[k] = best;
      if (best > part) rank = k + 1;
      if (best === 0) continue;
      [order[k], order[row]] = [order[row], order[k]];
      [columns[k], columns[column]] = [columns[column], columns[k]];
      const p = room[order[k] * n + columns[k]];
      for (let i = k + 1; i < count; i++) {
        const by = room[order[i] * n + columns[k]] / p;
        if (by === 0) continue;
        for (let j = k + 1; j < n; j++) room[order[i] * n + columns[j]] -= by * room[order[k] * n + columns[j]];
        room[order[i] * n + columns[k]] = by;
      }
    }
    return rank;
  }

  /** Which rows some relation has, if those eliminated last have this rank: each row beyond it is a combination of those before. @param {number} rank @param {number} clear part of a relation up to which a row has no part in it */
  related(rank, clear) {
    const { count, n, room, order, columns } = this;
    /** @type {boolean[]} */
    const found = new Array(count).fill(false);
    const parts = new Float64Array(rank);
    for (let i = rank; i < count; i++) {
      let most = 1;
      for (let k = rank - 1; k >= 0; k--) {
        let part = room[order[i] * n + columns[k]];
        for (let m = k + 1; m < rank; m++) part -= parts[m] * room[order[m] * n + columns[k]];
        parts[k] = part;
        most = Math.max(most, Math.abs(part));
      }
      if (1 > clear * most) found[order[i]] = true;
      for (let k = 0; k < rank; k++) if (Math.abs(parts[k]) > clear * most) found[order[k]] = true;
    }
    return found;
  }

  /** The product of so many pivots with its sign, if rows and columns are taken in the order of those eliminated last. @param {number} usual */
  volume(usual) {
    const { n, rows, room, order, columns } = this;
    room.set(rows);
    let product = 1;
    for (let k = 0; k < usual; k++) {
      const p = room[order[k] * n + columns[k]];
      product *= p;
      if (p === 0) return 0;
      for (let i = k + 1; i < usual; i++) {
        const by = room[order[i] * n + columns[k]] / p;
        for (let j = k; j < n; j++) room[order[i] * n + columns[j]] -= by * room[order[k] * n + columns[j]];
      }
    }
    return product;
  }
}
