//! Quasi-velocities v = B q' + b₀ ([B92] 2.1), and coordinates that obey identities.
//!
//! Coordinates may be more than speeds, as those of a unit quaternion, if they obey identities φ(q) = 0. Then q' = N v + n, with
//! N from the square system that their rates make of B:
//!
//! ```text
//! ⎡  B  ⎤        ⎡ 1 ⎤
//! ⎣ φ_q ⎦  N  =  ⎣ 0 ⎦
//! ```
//!
//! So the rates of the identities are speeds that the model does not name, and that are zero. Whoever works with speeds has a square B;
//! whoever shows them shows those that are [named](Speeds::named).

use super::dependence::Order;
use super::{Lowering, Sparse};
use crate::ids::{ConstraintId, Id};
use crate::model::Constraint;
use dalembert_expr::{ExprId, Form};

/// The speeds of a model, as many as coordinates: those that it names, then the rates of its identities.
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
    /// How many of them the model names; the others are zero.
    pub named: usize,
}

impl Lowering<'_> {
    pub(super) fn lower_speeds(&mut self) -> Option<Speeds> {
        let model = self.model;
        let identities = self.lower_identities();
        let (speeds, coordinates) = (model.speeds.len(), model.coordinates.len());
        if speeds == 0 && model.constraints.iter().all(|it| !it.identity) {
            return None;
        }
        let identities = identities?;
        if speeds + identities.len() != coordinates {
            self.refuse_count(identities.len());
            return None;
        }
        let values: Vec<ExprId> = self.scope.speeds().iter().copied().collect::<Option<_>>()?;
        let mut lines = Vec::with_capacity(coordinates);
        for (&value, (_, expression)) in values.iter().zip(&model.speeds) {
            let Some(line) = self.speed_line(value) else {
                let message = "a speed is linear in the rates, for every value of them";
                let help = "write it as a sum of rates times functions of the coordinates, without sign, abs, min, max or another function of a rate";
                self.scope.refuse_whole(expression, "E0421", message, help);
                return None;
            };
            lines.push(line);
        }
        let named = values.len();
        let rates = identities.iter().map(|&it| self.scope.rate(it));
        let values: Vec<ExprId> = values.into_iter().chain(rates).collect();
        for &rate in &values[named..] {
            lines.push(self.speed_line(rate)?);
        }
        let mut speeds = Speeds {
            values,
            matrix: Vec::with_capacity(coordinates),
            offset: Vec::with_capacity(coordinates),
            gamma: Vec::with_capacity(coordinates),
            named,
        };
        for (slopes, [rest, gamma]) in lines {
            speeds.matrix.push(slopes);
            speeds.offset.push(rest);
            speeds.gamma.push(gamma);
        }
        Some(speeds)
    }

    /// A speed as a row of B, b₀ and γ; `None` if it is not linear in the rates.
    fn speed_line(&mut self, value: ExprId) -> Option<(Sparse, [ExprId; 2])> {
        let form = Form::of(&self.scope.graph, &[value]);
        let graph = &mut self.scope.graph;
        if let Some((found, columns)) = self.copies.speeds.again(graph, &form) {
            let (slopes, rest) = found.split_at(columns.len());
            let slopes = self.places.sparse(&form, columns, slopes);
            return Some((slopes, [rest[0], rest[1]]));
        }
        let (slopes, rest) = match self.depends_on(value).order {
            0 | 1 => self.linear_in(value, Order::Rates)?,
            _ => return None,
        };
        let gamma = self.rate_at_rest(&[value])[0];
        let places = slopes.iter().map(|&(place, _)| place);
        if let Some(columns) = self.places.among(&form, Order::Rates, places) {
            let own = slopes.iter().map(|&(_, slope)| slope);
            let outputs: Vec<ExprId> = own.chain([rest, gamma]).collect();
            let graph = &self.scope.graph;
            self.copies.speeds.keep(graph, &form, &outputs, columns);
        }
        Some((slopes, [rest, gamma]))
    }

    /// What vanishes by the identities of the model; `None` if something of it was refused.
    fn lower_identities(&mut self) -> Option<Vec<ExprId>> {
        let model = self.model;
        let mut all = Some(Vec::new());
        let constraints = Id::enumerate(&model.constraints);
        for (id, constraint) in constraints.filter(|(_, it)| it.identity) {
            let equations = constraint.equations();
            let residuals: Option<Vec<Vec<ExprId>>> =
                equations.map(|holds| self.residuals(holds)).collect();
            let residuals = residuals.filter(|it| self.is_identity(constraint, it));
            match (&mut all, &residuals) {
                (Some(all), Some(residuals)) => all.extend(residuals.iter().flatten()),
                _ => all = None,
            }
            self.identities.insert(id, residuals);
        }
        all
    }

    /// Whether coordinates can obey it by what they are.
    fn is_identity(&mut self, constraint: &Constraint, residuals: &[Vec<ExprId>]) -> bool {
        let found = residuals.iter().flatten();
        let found: Vec<_> = found.map(|&it| self.depends_on(it)).collect();
        let why = match () {
            () if constraint.is_contact() => "it is a comparison",
            () if found.iter().any(|it| it.order > 0) => "it speaks of rates",
            () if found.iter().any(|it| it.time) => "it depends on time",
            () if !found.iter().all(|it| it.motion) => "a part of it has no coordinate",
            () => return true,
        };
        let message = format!("`{}` is no identity: {why}", constraint.name.text);
        let help = "an identity is an equation of coordinates alone, such as q0^2 + q1^2 + q2^2 + q3^2 = 1; leave `identity` out for a constraint that holds by its reaction";
        let holds = &constraint.holds;
        self.scope.refuse_whole(holds, "E0418", message, help);
        false
    }

    fn refuse_count(&mut self, identities: usize) {
        let model = self.model;
        let (speeds, coordinates) = (model.speeds.len(), model.coordinates.len());
        let first = model.speeds.first().map(|(name, _)| name);
        let identity = model.constraints.iter().find(|it| it.identity);
        let place = first.or(identity.map(|it| &it.name));
        let (message, help) = match identities {
            0 => (
                format!("there are not as many speeds ({speeds}) as coordinates ({coordinates})"),
                "define as many speeds as coordinates, or mark what the coordinates obey by what they are: identity = true".to_owned(),
            ),
            _ => (
                format!(
                    "there are {speeds} speeds for {coordinates} coordinates, which obey {identities} identit{}",
                    if identities == 1 { "y" } else { "ies" }
                ),
                match coordinates.checked_sub(identities) {
                    Some(wanted) => format!("[speeds] needs {wanted}: one for each coordinate, less one for each identity"),
                    None => "leave `identity` out where a reaction holds the constraint".to_owned(),
                },
            ),
        };
        if let Some(name) = place {
            let place = name.place.clone();
            self.scope.report("E0420", place, message, &help);
        }
    }

    /// The equations of a constraint, by components; those of identities have been read.
    pub(super) fn equations_of(&mut self, id: ConstraintId) -> Option<Vec<Vec<ExprId>>> {
        if let Some(known) = self.identities.get(&id) {
            return known.clone();
        }
        let constraint = &self.model.constraints[id];
        let residuals = constraint.equations().map(|holds| {
            let residuals = self.residuals(holds);
            residuals.filter(|it| self.may_be_held(constraint, it))
        });
        residuals.collect()
    }
}
