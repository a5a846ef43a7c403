//! Which rows of velocities are rows of positions in disguise, for the report.

use super::constants::{change, is_change};
use super::{Force, Speed};
use crate::report::text::significant;
use dalembert_decide::KNOWN;
use dalembert_doctor::{
    self as doctor, Acting, Doctor, Finding, ForceKind, Symmetry, Verdict, examine, fixed,
    has_gaps, may_be_held,
};
use dalembert_expr::calculus::gradient;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::{ExprId, Graph, SymbolKind, simplify};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::{Given, Level, Row, RowId};
use dalembert_mechanics::start::{Start, State};

/// Longer functions are for the document.
pub(super) const LINE: usize = 80;
/// Of more rows it is not asked which of them are products.
const MANY: usize = 200;

/// Whether a row is integrable, in words and as a verdict.
#[derive(Clone, Debug, Default)]
pub(super) enum Holonomy {
    /// A row of positions.
    Positions,
    /// It keeps a function constant on its own: as text, with its value at the start if it has one there. And whether runs hold that.
    InDisguise(String, Option<String>, bool),
    /// So it does, and the function was not found.
    OfSomething,
    /// It lies in the integrable part of all rows. And whether runs hold that.
    Together(bool),
    /// It does not.
    No,
    /// It does, as far as numbers tell at so many states.
    NotProved(usize),
    /// Nothing is known.
    Undecided,
    /// The question has no meaning: it is not linear in the rates, or does not hold.
    #[default]
    Unasked,
}

impl Holonomy {
    /// As a verdict, where there is no doubt.
    pub(super) fn is_holonomic(&self) -> Option<bool> {
        match self {
            Self::Positions | Self::InDisguise(..) | Self::OfSomething | Self::Together(_) => {
                Some(true)
            }
            Self::No => Some(false),
            Self::NotProved(_) | Self::Undecided | Self::Unasked => None,
        }
    }

    pub(super) fn integral(&self) -> Option<&str> {
        match self {
            Self::InDisguise(integral, ..) => Some(integral),
            _ => None,
        }
    }

    pub(super) fn words(&self) -> Option<String> {
        let in_runs = |held: bool| match held {
            true => " (held at position level in runs)",
            false => "",
        };
        match self {
            Self::Positions => Some("holonomic".to_owned()),
            Self::Together(held) => Some(format!(
                "holonomic in disguise, together with other rows{}",
                in_runs(*held)
            )),
            Self::OfSomething => Some(
                "holonomic in disguise: it keeps a function constant that was not found".to_owned(),
            ),
            Self::InDisguise(integral, value, held) => {
                let keeps = match (integral.len() <= LINE, value) {
                    (true, Some(value)) => format!("{integral} = {value}"),
                    (true, None) => format!("it keeps {integral} constant"),
                    (false, _) => {
                        "it keeps a function of the coordinates constant, which --json shows"
                            .to_owned()
                    }
                };
                let held = in_runs(*held);
                Some(format!("holonomic in disguise: {keeps}{held}"))
            }
            Self::No => Some("nonholonomic".to_owned()),
            Self::NotProved(states) => Some(format!(
                "holonomic or not is not proved (numerically yes, at {states} states)"
            )),
            Self::Undecided => Some("holonomic or not is not decided".to_owned()),
            Self::Unasked => None,
        }
    }
}

/// The rows of a mechanism as the doctor sees them.
pub(super) struct Rows<'m> {
    mechanism: &'m Mechanism,
    start: &'m State,
    doctor: Doctor,
}

impl<'m> Rows<'m> {
    pub(super) fn examined(mechanism: &'m Mechanism, start: &'m Start) -> Self {
        Self {
            mechanism,
            start: &start.state,
            doctor: examine(mechanism, &start.state),
        }
    }

    /// Positions that are reached, and whether that is proved; else how many there are at most, of so many that rows of positions leave. Rows
    /// that are not linear, or speak of accelerations, may leave fewer.
    pub(super) fn reached(&self, active: &[&Row], left: usize) -> (Option<usize>, bool, usize) {
        let all = active
            .iter()
            .all(|row| row.linear && row.level != Level::Acceleration);
        let diagnosis = &self.doctor.diagnosis;
        let (reached, proved) = (diagnosis.reached, diagnosis.proved);
        let most = left.saturating_sub(diagnosis.integrals.len());
        let most = reached.filter(|_| proved).unwrap_or(most);
        (reached.filter(|_| all), proved && all, most)
    }

    pub(super) fn integrals(&self) -> Vec<String> {
        let list = self.doctor.diagnosis.integrals.iter();
        list.map(|&it| self.shown(it)).collect()
    }

    pub(super) fn growth(&self) -> Vec<usize> {
        match self.doctor.rows.is_empty() {
            true => Vec::new(),
            false => self.doctor.diagnosis.growth.clone(),
        }
    }

    fn shown(&self, expression: ExprId) -> String {
        print_one(&self.doctor.graph, expression, Format::Model)
    }

    pub(super) fn speeds(&self) -> Vec<Speed> {
        let names = self.mechanism.speed_names().into_iter();
        let of = |(name, found): (String, &doctor::Speed)| {
            let (kind, integral) = match *found {
                doctor::Speed::Velocity(integral) => (Some("velocity"), Some(self.shown(integral))),
                doctor::Speed::Quasi => (Some("quasi"), None),
                doctor::Speed::Undecided => (None, None),
            };
            Speed {
                name,
                kind,
                integral,
            }
        };
        names.zip(&self.doctor.speeds).map(of).collect()
    }

    pub(super) fn forces(&self) -> Vec<Force> {
        let forces = self.mechanism.system.forces.iter();
        let of = |(force, found): (&Given, &Acting)| {
            let known = found.kind.map(|kind| match kind {
                ForceKind::Conservative => "conservative",
                ForceKind::Lamellar => "lamellar",
                ForceKind::Dissipative => "dissipative",
                ForceKind::Gyroscopic => "gyroscopic",
                ForceKind::Other => "other",
            });
            Force {
                name: force.name.clone(),
                kind: known.or(force.conservative.then_some("conservative")),
                potential: found.potential.map(|it| self.shown(it)),
            }
        };
        forces.zip(&self.doctor.forces).map(of).collect()
    }

    /// Names of the coordinates that the energies do not depend on.
    pub(super) fn ignorable(&self) -> Vec<String> {
        let names: Vec<&str> = self.mechanism.coordinate_names().collect();
        let list = self.doctor.conserved.ignorable.iter();
        list.map(|&k| names[k].to_owned()).collect()
    }

    /// What is constant along every motion: the energy, and momenta as sums of p_x = ∂T/∂x'.
    pub(super) fn conserved(&self) -> Vec<String> {
        let conserved = &self.doctor.conserved;
        let mut list = Vec::new();
        let with_forces = |name: &str| match conserved.potential {
            Some(potential) => {
                let mut graph = self.doctor.graph.clone();
                let own = graph.symbol(name, SymbolKind::Parameter);
                let sum = graph.add(own, potential);
                let sum = simplify(&mut graph, &[sum])[0];
                print_one(&graph, sum, Format::Model)
            }
            None => name.to_owned(),
        };
        list.extend(conserved.energy.then(|| with_forces("energy")));
        list.extend(conserved.jacobi.then(|| with_forces("Jacobi integral")));
        list.extend(conserved.momenta.iter().map(|it| self.momentum(it)));
        list
    }

    fn momentum(&self, symmetry: &Symmetry) -> String {
        let mut graph = self.doctor.graph.clone();
        let name = |name: &str| graph.symbol(&format!("p_{name}"), SymbolKind::Parameter);
        let momenta: Vec<ExprId> = self.mechanism.coordinate_names().map(name).collect();
        let sum = self.along(&mut graph, symmetry, &momenta);
        print_one(&graph, sum, Format::Model)
    }

    /// ξ·p
    fn along(&self, graph: &mut Graph, symmetry: &Symmetry, p: &[ExprId]) -> ExprId {
        let coordinates = &self.mechanism.system.symbols.coordinates;
        let mut sum = graph.integer(0);
        for &(k, constant) in &symmetry.shifts {
            let part = graph.mul(constant, p[k]);
            sum = graph.add(sum, part);
        }
        for &((i, j), constant) in &symmetry.turns {
            let [a, b] = [i, j].map(|k| graph.symbol_node(coordinates[k]));
            let (left, right) = (graph.mul(a, p[j]), graph.mul(b, p[i]));
            let turn = graph.sub(left, right);
            let part = graph.mul(constant, turn);
            sum = graph.add(sum, part);
        }
        sum
    }

    /// Holds what is said to be constant, in the order of `conserved` and of `integrals`, against a run: by which part of it the farthest
    /// changes, if there is a run. Else the name of what is not constant.
    pub(super) fn held_against_a_run(&self) -> Result<Option<f64>, (String, f64)> {
        let mut graph = self.doctor.graph.clone();
        let (system, conserved) = (&self.mechanism.system, &self.doctor.conserved);
        let rates = &system.symbols.rates;
        let momenta = gradient(&mut graph, system.kinetic, rates);
        let mut constants = Vec::new();
        let of_forces = conserved.potential.unwrap_or(graph.integer(0));
        let potential = graph.add(system.potential, of_forces);
        if conserved.energy {
            constants.push(graph.add(system.kinetic, potential));
        }
        if conserved.jacobi {
            let mut sum = graph.sub(potential, system.kinetic);
            for (&rate, &momentum) in rates.iter().zip(&momenta) {
                let rate = graph.symbol_node(rate);
                let part = graph.mul(rate, momentum);
                sum = graph.add(sum, part);
            }
            constants.push(sum);
        }
        for symmetry in &conserved.momenta {
            constants.push(self.along(&mut graph, symmetry, &momenta));
        }
        // What jumps is constant between.
        let mut names = self.conserved();
        for (&integral, name) in self.doctor.diagnosis.integrals.iter().zip(self.integrals()) {
            if may_be_held(&mut graph, integral, self.mechanism, self.start).is_some() {
                constants.push(integral);
                names.push(name);
            }
        }
        let found = change(self.mechanism, self.start, &graph, &constants);
        // Across a pole of a row a run is none of the motion.
        let rows = system.rows.iter().filter_map(|row| row.rate);
        let rows: Vec<ExprId> = rows.collect();
        match found {
            Some((_, part))
                if is_change(part) && has_gaps(&mut graph, &rows, &fixed(self.mechanism)) =>
            {
                Ok(None)
            }
            Some((k, part)) if is_change(part) => {
                Err((names.into_iter().nth(k).unwrap_or_default(), part))
            }
            found => Ok(found.map(|(_, part)| part)),
        }
    }

    pub(super) fn holonomy(&self, id: RowId, row: &Row) -> Holonomy {
        if row.level == Level::Position {
            return Holonomy::Positions;
        }
        let doctor = &self.doctor;
        let Some(place) = doctor.rows.iter().position(|&it| it == id) else {
            return Holonomy::Unasked;
        };
        let Finding {
            verdict,
            integral,
            alone,
        } = doctor.diagnosis.findings[place];
        let held = doctor.held.contains(&id);
        match verdict {
            Verdict::Holonomic => {
                let Some(integral) = integral else {
                    return match alone {
                        true => Holonomy::OfSomething,
                        false => Holonomy::Together(held),
                    };
                };
                Holonomy::InDisguise(self.shown(integral), self.value(integral), held)
            }
            Verdict::Nonholonomic => Holonomy::No,
            Verdict::NotProved => Holonomy::NotProved(doctor.states),
            Verdict::Undecided => Holonomy::Undecided,
        }
    }

    /// A row that someone wrote as a product, if it is one.
    pub(super) fn factored(&mut self, row: &Row) -> Option<String> {
        let system = &self.mechanism.system;
        let is_linear = row.level != Level::Position && row.linear;
        let joint = &self.mechanism.model.constraints[row.constraint].joint;
        if is_linear || joint.is_some() || system.rows.len() > MANY {
            return None;
        }
        let product = system.factored(&mut self.doctor.graph, row)?;
        Some(self.shown(product))
    }

    /// The constant that an integral has, from the start, if it has a value there.
    fn value(&self, integral: ExprId) -> Option<String> {
        let at = |symbol| {
            let value = self.mechanism.value_of(symbol, self.start);
            Bounded::exact(Number::from(value))
        };
        let found = evaluate_bounded(&self.doctor.graph, &[integral], at)[0];
        let is_zero = found.value.size() <= KNOWN * found.size;
        found.value.is_finite().then(|| match is_zero {
            true => "0".to_owned(),
            false => significant(found.value.to_f64(), 7),
        })
    }
}
