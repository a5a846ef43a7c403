//! Systems for tests, and the plain linear algebra that judges the solutions.

use dalembert_mechanics::formulation::Problem;

/// One state's numbers, owned.
#[expect(non_snake_case, reason = "letters of the papers")]
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) M: Vec<f64>,
    pub(crate) h: Vec<f64>,
    pub(crate) A: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) w: Vec<f64>,
}

fn uniform(rng: &mut fastrand::Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}

fn vector(rng: &mut fastrand::Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| uniform(rng)).collect()
}

impl System {
    /// Independent random rows; M with eigenvalues spread evenly (in the logarithm) over 1 … condition, turned at
    /// random. w is not zero.
    pub(crate) fn random(rng: &mut fastrand::Rng, nv: usize, nc: usize, condition: f64) -> Self {
        let mut mass = vec![0.0; nv * nv];
        for j in 0..nv {
            let part = j as f64 / (nv.max(2) - 1) as f64;
            mass[j * nv + j] = condition.powf(part);
        }
        for _ in 0..nv.min(4) {
            reflect_both_sides(&mut mass, &vector(rng, nv));
        }
        Self {
            M: mass,
            h: vector(rng, nv),
            A: vector(rng, nc * nv),
            b: vector(rng, nc),
            w: vector(rng, nv),
        }
    }

    pub(crate) fn problem(&self) -> Problem<'_> {
        Problem::new(&self.M, &self.h, &self.A, &self.b, &self.w)
    }

    pub(crate) fn nv(&self) -> usize {
        self.h.len()
    }

    pub(crate) fn nc(&self) -> usize {
        self.b.len()
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.A[i * self.nv()..][..self.nv()]
    }

    /// Appends factor × row i.
    pub(crate) fn repeat_row(&mut self, i: usize, factor: f64) {
        let row: Vec<f64> = self.row(i).iter().map(|entry| factor * entry).collect();
        self.A.extend(row);
        self.b.push(factor * self.b[i]);
    }

    /// Appends `count` random combinations of all rows.
    pub(crate) fn combine_rows(&mut self, rng: &mut fastrand::Rng, count: usize) {
        let (nv, nc) = (self.nv(), self.nc());
        for _ in 0..count {
            let factors = vector(rng, nc);
            let entry = |j: usize| {
                (0..nc)
                    .map(|i| factors[i] * self.A[i * nv + j])
                    .sum::<f64>()
            };
            let row: Vec<f64> = (0..nv).map(entry).collect();
            self.b.push((0..nc).map(|i| factors[i] * self.b[i]).sum());
            self.A.extend(row);
        }
    }

    pub(crate) fn scale_row(&mut self, i: usize, factor: f64) {
        let nv = self.nv();
        self.A[i * nv..][..nv].iter_mut().for_each(|a| *a *= factor);
        self.b[i] *= factor;
    }

    /// Makes the last `count` speeds massless.
    pub(crate) fn remove_mass(&mut self, count: usize) {
        let nv = self.nv();
        for i in 0..nv {
            for j in 0..nv {
                if i.max(j) >= nv - count {
                    self.M[i * nv + j] = 0.0;
                }
            }
        }
    }

    /// A x.
    pub(crate) fn rows_times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.nc()).map(|i| dot(self.row(i), x)).collect()
    }

    /// Aᵀ λ.
    pub(crate) fn reaction(&self, lambda: &[f64]) -> Vec<f64> {
        let nv = self.nv();
        let entry = |j: usize| (0..self.nc()).map(|i| self.A[i * nv + j] * lambda[i]).sum();
        (0..nv).map(entry).collect()
    }

    /// M x.
    pub(crate) fn mass_times(&self, x: &[f64]) -> Vec<f64> {
        self.M
            .chunks_exact(self.nv())
            .map(|row| dot(row, x))
            .collect()
    }

    /// A basis of the null space of A, by elimination with complete pivoting.
    pub(crate) fn null_space(&self) -> Vec<Vec<f64>> {
        let nv = self.nv();
        let mut rows: Vec<Vec<f64>> = (0..self.nc())
            .map(|i| {
                let size = self.row(i).iter().fold(0.0_f64, |s, a| s.max(a.abs()));
                self.row(i)
                    .iter()
                    .map(|a| a / size.max(f64::MIN_POSITIVE))
                    .collect()
            })
            .collect();
        let mut pivots: Vec<usize> = Vec::new();
        for k in 0..rows.len() {
            let (mut best, mut at) = (1e-9, None);
            for (i, row) in rows.iter().enumerate().skip(k) {
                for (j, entry) in row.iter().enumerate() {
                    if entry.abs() > best {
                        (best, at) = (entry.abs(), Some((i, j)));
                    }
                }
            }
            let Some((i, j)) = at else { break };
            rows.swap(i, k);
            let pivot = rows[k][j];
            rows[k].iter_mut().for_each(|entry| *entry /= pivot);
            let leader = rows[k].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != k) {
                let factor = row[j];
                row.iter_mut()
                    .zip(&leader)
                    .for_each(|(x, l)| *x -= factor * l);
            }
            pivots.push(j);
        }
        let free = (0..nv).filter(|j| !pivots.contains(j));
        free.map(|j| {
            let mut direction = vec![0.0; nv];
            direction[j] = 1.0;
            for (row, &pivot) in rows.iter().zip(&pivots) {
                direction[pivot] = -row[j];
            }
            direction
        })
        .collect()
    }

    /// [M Aᵀ; A 0] [v'; −λ] = [h + w; b] by elimination with partial pivoting: v' and λ of independent rows.
    pub(crate) fn block_solution(&self) -> (Vec<f64>, Vec<f64>) {
        let (nv, n) = (self.nv(), self.nv() + self.nc());
        let mut table: Vec<Vec<f64>> = Vec::new();
        for j in 0..nv {
            let column = self.A.iter().skip(j).step_by(nv);
            let mut line = self.M[j * nv..][..nv].to_vec();
            line.extend(column);
            line.push(self.h[j] + self.w[j]);
            table.push(line);
        }
        for (i, b) in self.b.iter().enumerate() {
            let mut line = self.row(i).to_vec();
            line.resize(n, 0.0);
            line.push(*b);
            table.push(line);
        }
        let mut x = eliminate(table);
        let lambda = x[nv..].iter().map(|minus| -minus).collect();
        x.truncate(nv);
        (x, lambda)
    }
}

/// The solution of n equations, each n coefficients and a right side, by elimination with partial pivoting.
pub(crate) fn eliminate(mut table: Vec<Vec<f64>>) -> Vec<f64> {
    let n = table.len();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| table[i][k].abs().total_cmp(&table[j][k].abs()));
        table.swap(k, best.unwrap());
        let leader = table[k].clone();
        for row in &mut table[k + 1..] {
            let factor = row[k] / leader[k];
            row.iter_mut()
                .zip(&leader)
                .for_each(|(x, l)| *x -= factor * l);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| table[k][j] * x[j]).sum();
        x[k] = (table[k][n] - known) / table[k][k];
    }
    x
}

pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// S ← H S H with the reflection H = I − 2 u uᵀ / uᵀu.
fn reflect_both_sides(matrix: &mut [f64], u: &[f64]) {
    let n = u.len();
    let square = dot(u, u);
    let image: Vec<f64> = matrix.chunks_exact(n).map(|row| dot(row, u)).collect();
    let inner = dot(u, &image);
    for i in 0..n {
        for j in 0..n {
            let cross = 2.0 * (u[i] * image[j] + image[i] * u[j]) / square;
            matrix[i * n + j] += 4.0 * inner * u[i] * u[j] / (square * square) - cross;
        }
    }
}
