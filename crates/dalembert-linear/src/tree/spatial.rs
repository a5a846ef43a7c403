//! Motions and wrenches of rigid bodies, and inertias that they are coupled by.

/// Components in some axes.
pub type Vector = [f64; 3];

/// The motion of a body: how it turns, and the velocity of a point of it. Or a wrench: the moment about that point, and the force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spatial {
    /// Angular velocity or acceleration; moment.
    pub turning: Vector,
    /// Velocity or acceleration; force.
    pub moving: Vector,
}

impl Spatial {
    /// Rest, or no wrench.
    pub const ZERO: Self = Self {
        turning: [0.0; 3],
        moving: [0.0; 3],
    };

    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        for i in 0..3 {
            self.turning[i] += other.turning[i];
            self.moving[i] += other.moving[i];
        }
    }

    /// Some times as much.
    #[must_use]
    pub fn scaled(&self, by: f64) -> Self {
        Self {
            turning: self.turning.map(|it| by * it),
            moving: self.moving.map(|it| by * it),
        }
    }

    /// Lengths of both vectors.
    pub(super) fn lengths(&self) -> [f64; 2] {
        [self.turning, self.moving].map(|it| dot(it, it).sqrt())
    }

    /// The power of a wrench in a motion.
    #[must_use]
    pub fn dot(&self, other: &Self) -> f64 {
        dot(self.turning, other.turning) + dot(self.moving, other.moving)
    }

    /// The same motion at a point that is `offset` away, in axes that `turn` takes to these.
    pub(super) fn carried_by(&self, turn: &[Vector; 3], offset: Vector) -> Self {
        let there = plus(self.moving, cross(self.turning, offset));
        Self {
            turning: turned_back(turn, self.turning),
            moving: turned_back(turn, there),
        }
    }

    /// The same wrench about the point that this one's is `offset` away from, in axes that `turn` takes these to.
    pub(super) fn handed_on_by(&self, turn: &[Vector; 3], offset: Vector) -> Self {
        let force = turned(turn, self.moving);
        Self {
            turning: plus(turned(turn, self.turning), cross(offset, force)),
            moving: force,
        }
    }
}

/// A rigid body about some point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rigid {
    pub(crate) mass: f64,
    /// Mass times the way from the point to the mass centre.
    pub(crate) moment: Vector,
    /// About the point: xx, xy, xz, yy, yz, zz.
    pub(crate) inertia: [f64; 6],
}

impl Rigid {
    pub(crate) fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        for i in 0..3 {
            self.moment[i] += other.moment[i];
        }
        for i in 0..6 {
            self.inertia[i] += other.inertia[i];
        }
    }

    /// Vᵀ I V.
    pub(crate) fn twice_energy(&self, motion: &Spatial) -> f64 {
        let Spatial { turning, moving } = *motion;
        let spin = dot(turning, symmetric(&self.inertia, turning));
        let both = dot(turning, cross(self.moment, moving));
        spin + 2.0 * both + self.mass * dot(moving, moving)
    }

    /// About the point that this one's is `offset` away from, in axes that `turn` takes these to.
    pub(crate) fn seen_from(&self, turn: &[Vector; 3], offset: Vector) -> Self {
        let (m, g, d) = (self.mass, turned(turn, self.moment), offset);
        let mut inertia = turned_symmetric(turn, &self.inertia);
        let round = 2.0 * dot(g, d) + m * dot(d, d);
        let mut place = 0;
        for i in 0..3 {
            for j in i..3 {
                let own = if i == j { round } else { 0.0 };
                inertia[place] += own - g[i] * d[j] - d[i] * g[j] - m * d[i] * d[j];
                place += 1;
            }
        }
        let more = d.map(|it| m * it);
        Self {
            mass: m,
            moment: plus(g, more),
            inertia,
        }
    }
}

/// What couples wrenches to accelerations: moment = A α + B a, force = Bᵀ α + C a; A and C as xx, xy, xz, yy, yz, zz.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) a: [f64; 6],
    pub(crate) b: [Vector; 3],
    pub(crate) c: [f64; 6],
}

impl Block {
    /// Of a body about its mass centre.
    pub(crate) fn of(body: &Rigid) -> Self {
        let m = body.mass;
        Self {
            a: body.inertia,
            b: [[0.0; 3]; 3],
            c: [m, 0.0, 0.0, m, 0.0, m],
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for i in 0..6 {
            self.a[i] += other.a[i];
            self.c[i] += other.c[i];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.b[i][j] += other.b[i][j];
            }
        }
    }

    pub(crate) fn times(&self, motion: &Spatial) -> Spatial {
        let Spatial { turning, moving } = *motion;
        Spatial {
            turning: plus(symmetric(&self.a, turning), turned(&self.b, moving)),
            moving: plus(turned_back(&self.b, turning), symmetric(&self.c, moving)),
        }
    }

    /// Takes away factor · u uᵀ.
    pub(crate) fn take(&mut self, u: &Spatial, factor: f64) {
        let Spatial {
            turning: n,
            moving: f,
        } = *u;
        let (scaled_n, scaled_f) = (n.map(|it| factor * it), f.map(|it| factor * it));
        let mut place = 0;
        for i in 0..3 {
            for j in i..3 {
                self.a[place] -= scaled_n[i] * n[j];
                self.c[place] -= scaled_f[i] * f[j];
                place += 1;
            }
            for (entry, f) in self.b[i].iter_mut().zip(f) {
                *entry -= scaled_n[i] * f;
            }
        }
    }

    /// About the point that this one's is `offset` away from, in axes that `turn` takes these to.
    pub(crate) fn seen_from(&self, turn: &[Vector; 3], offset: Vector) -> Self {
        let mut a = turned_symmetric(turn, &self.a);
        let c = turned_symmetric(turn, &self.c);
        let half = product(turn, &self.b);
        // Before the shift: R B Rᵀ.
        let before: [Vector; 3] = half.map(|row| turned(turn, row));
        let full = [[c[0], c[1], c[2]], [c[1], c[3], c[4]], [c[2], c[4], c[5]]];
        // B + d× C, by columns of the symmetric C.
        let shift = full.map(|column| cross(offset, column));
        let mut b = before;
        for i in 0..3 {
            for j in 0..3 {
                b[i][j] += shift[j][i];
            }
        }
        // A − B d× + d× (B + d× C)ᵀ, of which the upper half is made.
        let left: [Vector; 3] = before.map(|row| cross(offset, row));
        let right = b.map(|row| cross(offset, row));
        let mut place = 0;
        for i in 0..3 {
            for j in i..3 {
                a[place] += left[i][j] + right[j][i];
                place += 1;
            }
        }
        Self { a, b, c }
    }
}

#[inline(always)]
fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// R x.
#[inline(always)]
fn turned(turn: &[Vector; 3], x: Vector) -> Vector {
    turn.map(|row| dot(row, x))
}

/// Rᵀ x.
#[inline(always)]
fn turned_back(turn: &[Vector; 3], x: Vector) -> Vector {
    let column = |j: usize| turn[0][j] * x[0] + turn[1][j] * x[1] + turn[2][j] * x[2];
    [column(0), column(1), column(2)]
}

#[inline(always)]
fn symmetric(m: &[f64; 6], x: Vector) -> Vector {
    [
        m[0] * x[0] + m[1] * x[1] + m[2] * x[2],
        m[1] * x[0] + m[3] * x[1] + m[4] * x[2],
        m[2] * x[0] + m[4] * x[1] + m[5] * x[2],
    ]
}

/// R B.
#[inline(always)]
fn product(turn: &[Vector; 3], b: &[Vector; 3]) -> [Vector; 3] {
    turn.map(|row| turned_back(b, row))
}

/// R M Rᵀ of a symmetric M.
#[inline(always)]
fn turned_symmetric(turn: &[Vector; 3], m: &[f64; 6]) -> [f64; 6] {
    let half = turn.map(|row| symmetric(m, row));
    let entry = |i: usize, j: usize| dot(half[i], turn[j]);
    [
        entry(0, 0),
        entry(0, 1),
        entry(0, 2),
        entry(1, 1),
        entry(1, 2),
        entry(2, 2),
    ]
}
