//! The mass matrix of the tangent space, M_d = Dᵀ M C [B92 3.3]: C spans the motions that the rows leave free, D what the
//! reactions have no part along; the two are one, and M_d is symmetric, unless rows are held by forces (`servo.rs`).

use super::tangent::{Basis, Decomposition, Scaled, reaction_into};
use crate::linear::{Cholesky, Elimination, add_scaled, add_transposed, multiply};
use std::marker::PhantomData;

/// A decomposition that solves the rows: for routes that put v' = γ + C u into the equations.
pub(super) trait Solution: Decomposition {
    /// d ← the k-th motion that the rows leave free.
    fn free_motion(&self, k: usize, room: &mut [f64], d: &mut [f64]);

    /// γ ← some acceleration with A γ = b.
    fn acceleration(&self, b: &[f64], room: &mut [f64], gamma: &mut [f64]);

    /// λ ← some multipliers with Gᵀ λ = r; r is used up.
    fn multipliers(&self, r: &mut [f64], room: &mut [f64], lambda: &mut [f64]);
}

/// v' = γ + C u with A γ = b and A C = 0, and Dᵀ M C u = Dᵀ (f − M γ).
#[derive(Clone, Debug)]
pub(super) struct Reduced<R> {
    tangent: TangentMass,
    reaction: Vec<f64>,
    u: Vec<f64>,
    room: Vec<f64>,
    rows: PhantomData<R>,
}

impl<R: Solution> Basis for Reduced<R> {
    type Rows = R;

    fn new(nv: usize, nc: usize) -> Self {
        Self {
            tangent: TangentMass::new(nv),
            reaction: vec![0.0; nv],
            u: vec![0.0; nv],
            room: vec![0.0; nv.max(nc)],
            rows: PhantomData,
        }
    }

    fn choose(&mut self, now: &Scaled, [rows, directions]: [&R; 2]) -> bool {
        let (freedoms, room) = (self.u.len() - rows.rank(), &mut self.room);
        match now.own_directions() {
            None => self
                .tangent
                .take(freedoms, &now.M, |k, d| rows.free_motion(k, room, d)),
            Some(_) => self.tangent.take_both(freedoms, &now.M, |k, c, d| {
                rows.free_motion(k, room, c);
                directions.free_motion(k, room, d);
            }),
        }
    }

    fn solve(
        &mut self,
        now: &Scaled,
        [rows, directions]: [&R; 2],
        (f, b): (&[f64], &[f64]),
        (v_dot, lambda): (&mut [f64], &mut [f64]),
    ) {
        rows.acceleration(b, &mut self.room, v_dot); // γ
        let u = &mut self.u[..self.tangent.freedoms];
        self.tangent.solve(f, v_dot, u);
        add_transposed(&self.tangent.C, u, v_dot); // γ + C u
        reaction_into(&now.M, v_dot, f, &mut self.reaction);
        directions.multipliers(&mut self.reaction, &mut self.room, lambda);
    }
}

/// M_d, factored.
#[derive(Clone, Debug)]
struct TangentMass {
    freedoms: usize,
    /// The vectors of C, one after the other: freedoms × nv.
    C: Vec<f64>,
    /// The vectors of D, likewise, where they are others.
    D: Vec<f64>,
    /// Dᵀ M, freedoms × nv.
    DM: Vec<f64>,
    mass: Vec<f64>,
    cholesky: Cholesky,
    /// In place of Cholesky's factors where M_d is not symmetric.
    elimination: Option<Elimination>,
    room: Vec<f64>,
}

impl TangentMass {
    fn new(nv: usize) -> Self {
        Self {
            freedoms: 0,
            C: vec![0.0; nv * nv],
            D: Vec::new(),
            DM: vec![0.0; nv * nv],
            mass: vec![0.0; nv * nv],
            cholesky: Cholesky::new(0),
            elimination: None,
            room: vec![0.0; 2 * nv],
        }
    }

    /// Takes the vectors of C = D from `fill`; false if M_d is not definite.
    fn take(
        &mut self,
        freedoms: usize,
        M: &[f64],
        mut fill: impl FnMut(usize, &mut [f64]),
    ) -> bool {
        let nv = self.room.len() / 2;
        self.elimination = None;
        for k in 0..freedoms {
            let c = &mut self.C[k * nv..][..nv];
            fill(k, c);
            multiply(M, c, &mut self.DM[k * nv..][..nv]);
        }
        for k in 0..freedoms {
            let row = &mut self.mass[k * freedoms..][k..freedoms];
            multiply(&self.C[k * nv..], &self.DM[k * nv..][..nv], row);
        }
        if self.freedoms != freedoms {
            self.freedoms = freedoms;
            self.cholesky = Cholesky::new(freedoms);
        }
        self.cholesky
            .factor(&self.mass[..freedoms * freedoms], 0.0)
            .is_ok()
    }

    /// Takes the vectors of C and of D from `fill`; false if M_d is singular.
    fn take_both(
        &mut self,
        freedoms: usize,
        M: &[f64],
        mut fill: impl FnMut(usize, &mut [f64], &mut [f64]),
    ) -> bool {
        let nv = self.room.len() / 2;
        self.D.resize(nv * nv, 0.0);
        for k in 0..freedoms {
            let d = &mut self.D[k * nv..][..nv];
            fill(k, &mut self.C[k * nv..][..nv], d);
            multiply(M, d, &mut self.DM[k * nv..][..nv]);
        }
        for k in 0..freedoms {
            let row = &mut self.mass[k * freedoms..][..freedoms];
            multiply(&self.C, &self.DM[k * nv..][..nv], row);
        }
        self.freedoms = freedoms;
        let mut elimination = match self.elimination.take() {
            Some(room) if room.column_order().len() == freedoms => room,
            _ => Elimination::new(freedoms, freedoms),
        };
        elimination.factor(&self.mass[..freedoms * freedoms], 0.0);
        let regular = elimination.rank() == freedoms;
        self.elimination = Some(elimination);
        regular
    }

    /// u with Dᵀ M C u = Dᵀ (f − M g).
    fn solve(&mut self, f: &[f64], g: &[f64], u: &mut [f64]) {
        let (along, rest) = self.room.split_at_mut(self.freedoms);
        let D = match self.elimination {
            Some(_) => &self.D,
            None => &self.C,
        };
        multiply(D, f, u); // Dᵀ f
        multiply(&self.DM, g, along); // Dᵀ M g
        add_scaled(u, -1.0, along);
        let Some(elimination) = &self.elimination else {
            self.cholesky.solve(u);
            return;
        };
        along.copy_from_slice(u);
        elimination.solution(along, rest, u);
    }
}
