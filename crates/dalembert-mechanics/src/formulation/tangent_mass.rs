//! The mass matrix of the tangent space, M_d = Dᵀ M C [B92 3.3]: C spans the motions that the rows leave free, D what the
//! reactions have no part along; the two are one, and M_d is symmetric, unless rows are held by forces (`servo.rs`).

use crate::linear::{Cholesky, Elimination, add_scaled, multiply};

/// M_d, factored.
#[derive(Clone, Debug)]
pub(super) struct TangentMass {
    pub(super) freedoms: usize,
    /// The vectors of C, one after the other: freedoms × nv.
    pub(super) C: Vec<f64>,
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
    pub(super) fn new(nv: usize) -> Self {
        Self {
            freedoms: 0,
            C: vec![0.0; nv * nv],
            D: Vec::new(),
            DM: vec![0.0; nv * nv],
            mass: vec![0.0; nv * nv],
            cholesky: Cholesky::new(0),
            elimination: None,
            room: vec![0.0; nv],
        }
    }

    /// Takes the vectors of C = D from `fill`; false if M_d is not definite.
    pub(super) fn take(
        &mut self,
        freedoms: usize,
        M: &[f64],
        mut fill: impl FnMut(usize, &mut [f64]),
    ) -> bool {
        let nv = self.room.len();
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

    /// Takes the vectors of C and of D from two functions; false if M_d is singular.
    pub(super) fn take_both(
        &mut self,
        freedoms: usize,
        M: &[f64],
        mut fill: impl FnMut(usize, &mut [f64]),
        mut fill_left: impl FnMut(usize, &mut [f64]),
    ) -> bool {
        let nv = self.room.len();
        self.D.resize(nv * nv, 0.0);
        for k in 0..freedoms {
            fill(k, &mut self.C[k * nv..][..nv]);
            let d = &mut self.D[k * nv..][..nv];
            fill_left(k, d);
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
    pub(super) fn solve(&mut self, f: &[f64], g: &[f64], u: &mut [f64]) {
        let along = &mut self.room[..self.freedoms];
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
        for (target, &k) in along.iter_mut().zip(elimination.row_order()) {
            *target = u[k];
        }
        elimination.solve(along);
        for (value, &k) in along.iter().zip(elimination.column_order()) {
            u[k] = *value;
        }
    }
}
