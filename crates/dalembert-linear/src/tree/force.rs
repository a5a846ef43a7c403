//! What a tree of bodies adds to h by its rates and its weight.
//!
//! ```text
//! V_i = X_i V_p + S_i q'          c_i = V_i × S_i q'
//! a_i = X_i a_p + c_i             a of the ground = −g
//! F_i = I_i a_i + V_i ×* I_i V_i          h ← h − Sᵀ F, handed on from link to link
//! ```

use super::{Spatial, Tree, Vector};

/// Room for the inertia terms of h.
#[derive(Debug, Default)]
pub struct InertiaForce {
    motions: Vec<Spatial>,
    drifts: Vec<Spatial>,
    wrenches: Vec<Spatial>,
    force: Vec<f64>,
}

impl InertiaForce {
    /// Adds inertia terms and weight to h, where links have these numbers.
    pub fn add(
        &mut self,
        (tree, values): (&Tree, &[f64]),
        (rates, gravity): (&[f64], &[f64]),
        force: &mut [f64],
    ) {
        let count = tree.links().len();
        for room in [&mut self.motions, &mut self.drifts, &mut self.wrenches] {
            room.resize(count, Spatial::ZERO);
        }
        self.force.resize(force.len(), 0.0);
        let drifts = &mut self.drifts;
        tree.spread(
            (values, rates),
            &Spatial::ZERO,
            &mut self.motions,
            |link, relative, motion| drifts[link] = across(motion, relative),
        );
        let ground = Spatial {
            turning: [0.0; 3],
            moving: [0, 1, 2].map(|i| -gravity[i]),
        };
        // No rates here, so that drifts are all there is.
        self.force.fill(0.0);
        tree.spread(
            (values, &self.force),
            &ground,
            &mut self.wrenches,
            |link, _, motion| motion.add(&self.drifts[link]),
        );
        for (link, wrench) in self.wrenches.iter_mut().enumerate() {
            let motion = &self.motions[link];
            let momentum = tree.momentum(values, link, motion);
            *wrench = tree.momentum(values, link, wrench);
            wrench.add(&changed(motion, &momentum));
        }
        tree.gather(values, &mut self.wrenches, &mut self.force);
        for (h, inertia) in force.iter_mut().zip(&self.force) {
            *h -= inertia;
        }
    }
}

/// V × S: how a motion that is carried along changes.
fn across(motion: &Spatial, relative: &Spatial) -> Spatial {
    let moving = cross(motion.turning, relative.moving);
    let carried = cross(motion.moving, relative.turning);
    Spatial {
        turning: cross(motion.turning, relative.turning),
        moving: [0, 1, 2].map(|i| moving[i] + carried[i]),
    }
}

/// V ×* P: how a momentum that is carried along changes.
fn changed(motion: &Spatial, momentum: &Spatial) -> Spatial {
    let spin = cross(motion.turning, momentum.turning);
    let shift = cross(motion.moving, momentum.moving);
    Spatial {
        turning: [0, 1, 2].map(|i| spin[i] + shift[i]),
        moving: cross(motion.turning, momentum.moving),
    }
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
