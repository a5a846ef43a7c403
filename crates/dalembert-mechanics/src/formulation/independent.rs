//! Independent speeds: the dependent ones are solved for and put in.
//!
//! The rows are solved for as many speeds as they determine, A = [A_d A_i]; the others are the independent speeds u:
//!
//! ```text
//! v' = D u' + γ                                [B92 4.5, 5.5] [A83 2.6.29]
//! D = ⎡ −A_d⁻¹ A_i ⎤     γ = ⎡ A_d⁻¹ b ⎤        so that A D = 0 [B92 3.1] and A γ = b
//!     ⎣  I         ⎦         ⎣ 0       ⎦
//! Dᵀ M D u' = Dᵀ (f − M γ)                     [B92 4.10, 5.6] [A83 2.6.29]: Kane's and Maggi's equations
//! A_dᵀ λ = (M v' − f)_d                        the dependent ones of the equations [B92 2.8a]
//! ```
//!
//! [B92] §6 takes position rows out first and then velocity rows: D is then the product of two such matrices, which is the
//! one matrix that belongs to the independent speeds left, and is found here in one elimination of all rows.
//!
//! * For rows of positions, and of velocities in which these are linear. For nonlinear ones no v = D u + ν exists
//!   [B92 5.8–5.9], and acceleration rows leave all velocities independent: [`Failure::NotReducible`](super::Failure).
//! * Which speeds are independent is chosen anew at each state, by complete pivoting: never by hand, never ill-conditioned
//!   before the rows are.
//! * Runs by this route integrate independent coordinates and speeds alone (`simulate/reduced.rs` of the facade); those are
//!   kept from step to step (`../independents.rs`).
//! * M symmetric, positive definite on the null space of A; any rank.
//! * Deviation: γ has no part along u, where [B92] has D' u + ν', the same up to a vector along D. His (4.10) prints
//!   D (h − a_u) for D (h − M a_u), and (5.5) stacks what is a sum.
//! * Further deviations, such as rows that do work: `tangent.rs`; rows held by forces: `servo.rs`.
//! * Cost: nc² nv, 2 k nv² for k freedoms, and k³/6.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).
//! [A83]: Angeles, "Lagrangian dynamics" (1983).

use super::tangent::{Basis, Scaled, reaction_into};
use super::tangent_mass::TangentMass;
use crate::linear::{Elimination, add_transposed};

/// D by elimination of dependent speeds.
#[derive(Clone, Debug)]
pub(super) struct Independent {
    elimination: Elimination,
    /// The same of G, where it is not A.
    directions: Option<Elimination>,
    tangent: TangentMass,
    /// Speeds or rows in the order of the pivots.
    short: Vec<f64>,
    reaction: Vec<f64>,
    u: Vec<f64>,
}

impl Basis for Independent {
    fn new(nv: usize, nc: usize) -> Self {
        Self {
            elimination: Elimination::new(nc, nv),
            directions: None,
            tangent: TangentMass::new(nv),
            short: vec![0.0; nv],
            reaction: vec![0.0; nv],
            u: vec![0.0; nv],
        }
    }

    fn choose(&mut self, now: &Scaled, tolerance: f64) -> bool {
        self.elimination.factor(&now.A, tolerance);
        let Self {
            elimination,
            directions,
            tangent,
            short,
            u,
            ..
        } = self;
        let (rank, freedoms) = (elimination.rank(), u.len() - elimination.rank());
        let Some(G) = now.own_directions() else {
            *directions = None;
            return tangent.take(freedoms, &now.M, |k, d| {
                null_vector(elimination, k, short, d);
            });
        };
        let rows = elimination.row_order().len();
        let directions = directions.get_or_insert_with(|| Elimination::new(rows, u.len()));
        directions.factor(G, tolerance);
        let mut left_short = short.clone();
        directions.rank() == rank
            && tangent.take_both(
                freedoms,
                &now.M,
                |k, c| null_vector(elimination, k, short, c),
                |k, d| null_vector(directions, k, &mut left_short, d),
            )
    }

    fn rank(&self) -> usize {
        self.elimination.rank()
    }

    fn relation(&mut self, k: usize, x: &mut [f64]) {
        left_null_vector(&self.elimination, k, &mut self.short, x);
    }

    fn direction_relation(&mut self, k: usize, x: &mut [f64]) {
        let directions = self.directions.as_ref().unwrap_or(&self.elimination);
        left_null_vector(directions, k, &mut self.short, x);
    }

    fn solve(
        &mut self,
        now: &Scaled,
        (f, b): (&[f64], &[f64]),
        v_dot: &mut [f64],
        lambda: &mut [f64],
    ) {
        let (rank, freedoms) = (self.rank(), self.tangent.freedoms);
        let rows = &self.elimination.row_order()[..rank];
        let dependent = &self.elimination.column_order()[..rank];
        let short = &mut self.short[..rank];
        // γ
        pick(rows, b, short);
        self.elimination.solve(short); // A_d⁻¹ b
        v_dot.fill(0.0);
        put(dependent, short, v_dot);
        // Dᵀ M D u' = Dᵀ (f − M γ)
        let u = &mut self.u[..freedoms];
        self.tangent.solve(f, v_dot, u);
        add_transposed(&self.tangent.C, u, v_dot); // v' = γ + D u'
        // A_dᵀ λ = (M v' − f)_d
        let directions = self.directions.as_ref().unwrap_or(&self.elimination);
        let rows = &directions.row_order()[..rank];
        let dependent = &directions.column_order()[..rank];
        reaction_into(&now.M, v_dot, f, &mut self.reaction);
        pick(dependent, &self.reaction, short);
        directions.solve_transposed(short);
        lambda.fill(0.0);
        put(rows, short, lambda);
    }

    fn independent_speeds(&self, speeds: &mut Vec<usize>) {
        speeds.extend(&self.elimination.column_order()[self.rank()..]);
        speeds.sort_unstable();
    }
}

/// x ← [−A_d⁻¹ A_i; I] for the k-th independent speed.
fn null_vector(elimination: &Elimination, k: usize, short: &mut [f64], x: &mut [f64]) {
    let (rank, speeds) = (elimination.rank(), elimination.column_order());
    elimination.null_vector(k, short);
    x.fill(0.0);
    put(&speeds[..rank], short, x);
    x[speeds[rank + k]] = 1.0;
}

/// The k-th relation between rows.
pub(super) fn left_null_vector(
    elimination: &Elimination,
    k: usize,
    short: &mut [f64],
    x: &mut [f64],
) {
    let (rank, rows) = (elimination.rank(), elimination.row_order());
    elimination.left_null_vector(k, short);
    put(&rows[..rank], short, x);
    x[rows[rank + k]] = 1.0;
}

/// full[place] ← short, for each place.
fn put(places: &[usize], short: &[f64], full: &mut [f64]) {
    for (&place, value) in places.iter().zip(short) {
        full[place] = *value;
    }
}

/// short ← full[place], for each place.
fn pick(places: &[usize], full: &[f64], short: &mut [f64]) {
    for (&place, value) in places.iter().zip(short) {
        *value = full[place];
    }
}
