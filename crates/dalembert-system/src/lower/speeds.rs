//! Quasi-velocities v = B q' + b₀ ([B92] 2.1).

use super::dependence::Order;
use super::{Lowering, Sparse};
use dalembert_expr::ExprId;

/// The speeds of a model, as many as coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speeds {
    /// v as expressions of the rates.
    pub values: Vec<ExprId>,
    /// Rows of B.
    pub matrix: Vec<Sparse>,
    /// b₀.
    pub offset: Vec<ExprId>,
    /// γ = B' q' + b₀', so that v' = B q'' + γ.
    pub gamma: Vec<ExprId>,
}

impl Lowering<'_> {
    pub(super) fn lower_speeds(&mut self) -> Option<Speeds> {
        let model = self.model;
        let (first, _) = model.speeds.first()?;
        if model.speeds.len() != model.coordinates.len() {
            let (speeds, coordinates) = (model.speeds.len(), model.coordinates.len());
            let message =
                format!("there are not as many speeds ({speeds}) as coordinates ({coordinates})");
            let (place, help) = (first.place.clone(), "define as many speeds as coordinates");
            self.scope.report("E0420", place, message, help);
            return None;
        }
        let values: Vec<ExprId> = self.scope.speeds().iter().copied().collect::<Option<_>>()?;
        let (mut matrix, mut offset) = (Vec::new(), Vec::new());
        for (&value, (_, expression)) in values.iter().zip(&model.speeds) {
            let found = match self.depends_on(value).order {
                0 | 1 => self.linear_in(value, Order::Rates),
                _ => None,
            };
            let Some((slopes, rest)) = found else {
                let message = "a speed is linear in the rates, for every value of them";
                let help = "write it as a sum of rates times functions of the coordinates, without sign, abs, min, max or another function of a rate";
                self.scope.refuse_whole(expression, "E0421", message, help);
                return None;
            };
            matrix.push(slopes);
            offset.push(rest);
        }
        let gamma = self.rate_at_rest(&values);
        Some(Speeds {
            values,
            matrix,
            offset,
            gamma,
        })
    }
}
