//! Closed surfaces of triangles, and the homogeneous solids that they enclose.
//!
//! Each triangle p, q, r and a point o span a tetrahedron of signed volume V = (p − o)·((q − o) × (r − o))/6. Sums over all triangles are those
//! over the solid, whatever o is, if the surface is closed (Mirtich 1996, by another sum):
//!
//! ```text
//! volume  Σ V        first moment  Σ V (p + q + r)/4        second  Σ V (s sᵀ + p pᵀ + q qᵀ + r rᵀ)/20,   s = p + q + r
//! ```

use dalembert_decide::{KNOWN, SAME_CORNER};
use std::collections::BTreeMap;

/// A surface of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its corners.
    pub points: Vec<[f64; 3]>,
    /// Triangles by their corners, counterclockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A homogeneous solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Its volume.
    pub volume: f64,
    /// Its mass centre.
    pub center: [f64; 3],
    /// Its inertia about the mass centre, per mass, by rows.
    pub inertia: [[f64; 3]; 3],
}

/// Why a surface encloses no solid.
#[derive(Clone, Debug, PartialEq)]
pub enum NoSolid {
    /// It has no triangles.
    Empty,
    /// So many edges belong to one triangle alone; the ends of one of them.
    Open(usize, [[f64; 3]; 2]),
    /// So many edges have triangles that face different ways; the ends of one of them.
    Twisted(usize, [[f64; 3]; 2]),
    /// All of it faces inwards.
    InsideOut,
    /// It encloses nothing.
    Flat,
}

impl Mesh {
    /// The box around it: least and largest coordinates.
    #[must_use]
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for point in self
            .triangles
            .iter()
            .flatten()
            .map(|&i| self.points[i as usize])
        {
            for k in 0..3 {
                bounds[0][k] = bounds[0][k].min(point[k]);
                bounds[1][k] = bounds[1][k].max(point[k]);
            }
        }
        bounds
    }

    /// The solid that it encloses, of its numbers times `unit`.
    ///
    /// # Errors
    /// It is not closed, or its triangles do not face outwards.
    pub fn solid(&self, unit: f64) -> Result<Solid, NoSolid> {
        if self.triangles.is_empty() {
            return Err(NoSolid::Empty);
        }
        let [low, high] = self.bounds();
        let size = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        self.closed(low, size)?;
        // Sums around the middle lose no digits to a far origin.
        let middle: [f64; 3] = std::array::from_fn(|k| (low[k] + high[k]) / 2.0);
        let (mut volume, mut first, mut second) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
        for triangle in &self.triangles {
            let corner = |i: usize| {
                let point = self.points[triangle[i] as usize];
                std::array::from_fn(|k| (point[k] - middle[k]) * unit)
            };
            let [p, q, r]: [[f64; 3]; 3] = [corner(0), corner(1), corner(2)];
            let v = (p[0] * (q[1] * r[2] - q[2] * r[1])
                + p[1] * (q[2] * r[0] - q[0] * r[2])
                + p[2] * (q[0] * r[1] - q[1] * r[0]))
                / 6.0;
            let s: [f64; 3] = std::array::from_fn(|k| p[k] + q[k] + r[k]);
            volume += v;
            for i in 0..3 {
                first[i] += v * s[i] / 4.0;
                for j in 0..3 {
                    let products = s[i] * s[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j];
                    second[i][j] += v * products / 20.0;
                }
            }
        }
        let whole = (size * unit).powi(3);
        if volume.abs() <= SAME_CORNER * whole {
            return Err(NoSolid::Flat);
        }
        if volume < 0.0 {
            return Err(NoSolid::InsideOut);
        }
        let c = first.map(|it| it / volume);
        // ∫ x xᵀ dm about the mass centre, per mass; the inertia is its trace less itself.
        let spread: [[f64; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| second[i][j] / volume - c[i] * c[j]));
        let trace = spread[0][0] + spread[1][1] + spread[2][2];
        let zero_or = |x: f64, beside: f64| if x.abs() <= KNOWN * beside { 0.0 } else { x };
        let entry = |i: usize, j: usize| match i == j {
            true => trace - spread[i][j],
            false => zero_or(-(spread[i][j] + spread[j][i]) / 2.0, trace),
        };
        Ok(Solid {
            volume,
            center: std::array::from_fn(|k| zero_or(c[k] + middle[k] * unit, size * unit)),
            inertia: std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))),
        })
    }

    /// Whether each edge is passed as often one way as the other.
    fn closed(&self, low: [f64; 3], size: f64) -> Result<(), NoSolid> {
        let corners = self.corners(low, size);
        // Passes up and down of each edge, and its ends.
        let mut edges: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|i| corners[i as usize]);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from != to {
                    let passes = edges.entry([from.min(to), from.max(to)]).or_default();
                    passes[usize::from(from > to)] += 1;
                }
            }
        }
        let (mut open, mut twisted) = (Vec::new(), Vec::new());
        for (ends, [up, down]) in &edges {
            match (up + down) % 2 {
                _ if up == down => {}
                1 => open.push(ends),
                _ => twisted.push(ends),
            }
        }
        let ends = |edge: &[u32; 2]| edge.map(|i| self.points[i as usize]);
        match (open.first(), twisted.first()) {
            (Some(first), _) => Err(NoSolid::Open(open.len(), ends(first))),
            (None, Some(first)) => Err(NoSolid::Twisted(twisted.len(), ends(first))),
            (None, None) => Ok(()),
        }
    }

    /// For each point the first one that is the same corner.
    fn corners(&self, low: [f64; 3], size: f64) -> Vec<u32> {
        let cell = (SAME_CORNER * size).max(f64::MIN_POSITIVE);
        let mut known: BTreeMap<[i64; 3], u32> = BTreeMap::new();
        let points = self.points.iter().zip(0..);
        let corner = |(point, i): (&[f64; 3], u32)| {
            // Beyond the box lie points that no triangle has.
            let key = std::array::from_fn(|k| ((point[k] - low[k]) / cell).round() as i64);
            *known.entry(key).or_insert(i)
        };
        points.map(corner).collect()
    }

    /// A coarser surface for the eye of at most so many triangles: corners in one cell of a grid become one (Rossignac and Borrel 1993).
    #[must_use]
    pub fn coarse(&self, most: usize) -> Self {
        let [low, high] = self.bounds();
        let size = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        let mut cells = 256.0;
        let mut found = self.on_grid(low, size * SAME_CORNER);
        while found.triangles.len() > most && cells > 1.0 {
            found = self.on_grid(low, size / cells);
            cells *= 0.8;
        }
        found
    }

    fn on_grid(&self, low: [f64; 3], cell: f64) -> Self {
        let cell = cell.max(f64::MIN_POSITIVE);
        let mut known: BTreeMap<[i64; 3], u32> = BTreeMap::new();
        // Sums of the points of each cell, and how many they are.
        let mut sums: Vec<([f64; 3], f64)> = Vec::new();
        let mut corners = vec![u32::MAX; self.points.len()];
        for &i in self.triangles.iter().flatten() {
            let point = self.points[i as usize];
            if corners[i as usize] != u32::MAX {
                continue;
            }
            let key = std::array::from_fn(|k| ((point[k] - low[k]) / cell).round() as i64);
            let next = sums.len() as u32;
            let corner = *known.entry(key).or_insert(next);
            if corner == next {
                sums.push(([0.0; 3], 0.0));
            }
            let (sum, count) = &mut sums[corner as usize];
            (0..3).for_each(|k| sum[k] += point[k]);
            *count += 1.0;
            corners[i as usize] = corner;
        }
        let seen = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|i| corners[i as usize]);
            (a != b && b != c && c != a).then_some([a, b, c])
        };
        Self {
            triangles: self.triangles.iter().filter_map(seen).collect(),
            points: sums.iter().map(|(sum, n)| sum.map(|it| it / n)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box with one corner at `low`.
    fn block(low: [f64; 3], size: [f64; 3]) -> Mesh {
        let corner = |i: usize| std::array::from_fn(|k| low[k] + size[k] * (i >> k & 1) as f64);
        let sides = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        Mesh {
            points: (0..8).map(corner).collect(),
            triangles: sides
                .into_iter()
                .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
                .collect(),
        }
    }

    #[test]
    fn a_box_of_triangles_is_a_box() {
        let mesh = block([1000.0, -20.0, 3.0], [10.0, 20.0, 30.0]);
        let solid = mesh.solid(1e-3).expect("closed");
        assert!((solid.volume - 6e-6).abs() < 1e-19);
        for (found, known) in solid.center.iter().zip([1.005, -0.01, 0.018]) {
            assert!((found - known).abs() < 1e-15);
        }
        let [x, y, z] = [1e-4, 4e-4, 9e-4];
        let known = [(y + z) / 12.0, (z + x) / 12.0, (x + y) / 12.0];
        for i in 0..3 {
            for j in 0..3 {
                let known = if i == j { known[i] } else { 0.0 };
                assert!((solid.inertia[i][j] - known).abs() < 1e-18);
            }
        }
    }

    #[test]
    fn what_encloses_nothing_is_told_apart() {
        let whole = block([0.0; 3], [1.0; 3]);
        let mut open = whole.clone();
        open.triangles.pop();
        assert!(matches!(open.solid(1.0), Err(NoSolid::Open(3, _))));
        let mut twisted = whole.clone();
        twisted.triangles[0].swap(0, 1);
        assert!(matches!(twisted.solid(1.0), Err(NoSolid::Twisted(3, _))));
        let mut reversed = whole;
        reversed.triangles.iter_mut().for_each(|it| it.swap(0, 1));
        assert_eq!(reversed.solid(1.0), Err(NoSolid::InsideOut));
        let flat = block([0.0; 3], [1.0, 1.0, 0.0]);
        assert_eq!(flat.solid(1.0), Err(NoSolid::Flat));
        assert_eq!(Mesh::default().solid(1.0), Err(NoSolid::Empty));
    }

    /// Corners that are written for each triangle anew, with the digits of single precision.
    #[test]
    fn corners_are_the_same_but_for_rounding() {
        let whole = block([0.1, 0.2, 0.3], [0.7, 0.9, 1.1]);
        let corners = whole.triangles.iter().flatten().zip(0_i32..);
        let shaken = corners.map(|(&i, n)| {
            let shift = 1e-9 * f64::from(n % 7 - 3);
            whole.points[i as usize].map(|it| it + shift)
        });
        let points: Vec<[f64; 3]> = shaken.collect();
        let count = points.len() as u32 / 3;
        let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let soup = Mesh { points, triangles };
        let (one, other) = (whole.solid(1.0), soup.solid(1.0).expect("closed"));
        assert!((one.expect("closed").volume - other.volume).abs() < 1e-8);
        assert_eq!(soup.coarse(100).points.len(), 8);
    }
}
