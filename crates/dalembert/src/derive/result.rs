//! What a derivation found.

use super::form::Form;
use super::page::{Block, Equation};
use super::samples::Agreement;
use super::write::{self, Style};
use dalembert_expr::print::{Format, Options, Printed, print};
use dalembert_expr::{ExprId, Graph, Rational, SymbolId};
use dalembert_mechanics::lower::System;
use dalembert_mechanics::model::Model;

/// Equations of motion in one formulation. All expressions are in one graph: [`Derivation::print`] writes them.
pub struct Derivation {
    pub(super) graph: Graph,
    pub(super) blocks: Vec<Block>,
    /// The formulation.
    pub form: Form,
    /// The model's title.
    pub title: Option<String>,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the speeds that the equations are in.
    pub speeds: Vec<String>,
    /// Names of the rows of the constraints.
    pub rows: Vec<String>,
    /// How particles and bodies move; only where steps or matrices are asked for.
    pub motions: Vec<Velocities>,
    /// T and V, where the model gives them; only where steps or matrices are asked for.
    pub energies: Option<Energies>,
    /// What the coordinates obey by what they are.
    pub identities: Vec<Equation>,
    /// q' in terms of quasi-velocities, where the equations are in these.
    pub kinematics: Vec<Equation>,
    /// Independent and dependent speeds, in that formulation.
    pub independent: Option<Independent>,
    /// Names for parts that occur often: name = what it stands for, each in terms of those before.
    pub shorthands: Vec<Equation>,
    /// The equations of motion.
    pub equations: Vec<Equation>,
    /// What is divided by.
    pub nonzero: Nonzero,
    /// Names that the formulas for the multipliers use: name = what it stands for, in terms of the shorthands.
    pub reaction_shorthands: Vec<Equation>,
    /// λ of each row; nothing where it is not unique, or where no formula was found.
    pub multipliers: Vec<Option<ExprId>>,
    /// Forces by speed: M v' is their sum.
    pub forces: Forces,
    /// Reactions of the constraints by coordinate, in terms of the multipliers: name, then coordinate and component.
    pub reactions: Vec<(String, Vec<(String, ExprId)>)>,
    /// The canonical problem.
    pub matrices: Matrices,
    /// Formulations that were proved to give the same motion.
    pub proved: Vec<Form>,
    /// Those that were not, but agree with the numbers at states that meet the rows.
    pub agree: Vec<(Form, Agreement)>,
    /// Those that were neither, and why.
    pub not_proved: Vec<(Form, String)>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// Independent speeds and what depends on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Independent {
    /// The independent ones.
    pub speeds: Vec<ExprId>,
    /// Coordinates that rows give, and speeds in terms of the independent ones.
    pub dependent: Vec<Equation>,
    /// Accelerations of the dependent ones, where the page needs them.
    pub accelerations: Vec<Equation>,
}

/// What the page divides by and what may vanish.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nonzero {
    /// In the equations, the kinematics, and what was solved for.
    pub equations: Vec<ExprId>,
    /// In formulas for reactions, without those of the equations.
    pub reactions: Vec<ExprId>,
}

/// How a particle or body moves, in the speeds of the equations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Velocities {
    /// What the user called it.
    pub name: String,
    /// Velocity of the particle or of the body's centre, in fixed axes.
    pub velocity: [ExprId; 3],
    /// Angular velocity of a body, in its own axes.
    pub omega: Option<[ExprId; 3]>,
    /// Partial velocities by each speed that moves it.
    pub partials: Vec<Partial>,
}

/// Derivatives of a velocity and an angular velocity by a speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    /// The speed.
    pub speed: ExprId,
    /// ∂v/∂u.
    pub velocity: [ExprId; 3],
    /// ∂ω/∂u.
    pub omega: Option<[ExprId; 3]>,
}

/// Kinetic and potential energy, in the speeds of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Energies {
    /// T.
    pub kinetic: ExprId,
    /// V.
    pub potential: ExprId,
}

/// Forces by speed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forces {
    /// h: given forces and inertia terms without accelerations.
    pub given: Vec<ExprId>,
    /// What ideal constraints exert; nothing where no formula was found.
    pub ideal: Vec<Option<ExprId>>,
    /// What is not ideal about them.
    pub nonideal: Vec<Option<ExprId>>,
}

impl Forces {
    /// Whether there is more to say than that the constraints are ideal.
    pub(super) fn is_split(&self, graph: &Graph) -> bool {
        let is_zero = |force: &ExprId| graph.as_number(*force).is_some_and(Rational::is_zero);
        self.nonideal.iter().flatten().any(|force| !is_zero(force))
    }
}

/// The canonical problem: q' = N v + n, M v' = h + Aᵀ λ + w, A v' = b, A D = 0; matrices row by row.
#[expect(non_snake_case, reason = "letters of the papers")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrices {
    /// v, the speeds of the equations.
    pub v: Vec<ExprId>,
    /// N.
    pub N: Vec<Vec<ExprId>>,
    /// n.
    pub n: Vec<ExprId>,
    /// M.
    pub M: Vec<Vec<ExprId>>,
    /// h.
    pub h: Vec<ExprId>,
    /// A.
    pub A: Vec<Vec<ExprId>>,
    /// b.
    pub b: Vec<ExprId>,
    /// w.
    pub w: Vec<ExprId>,
    /// E, the directions in which the rows are held, if forces hold some of them.
    pub E: Option<Vec<Vec<ExprId>>>,
    /// D, if one was found.
    pub D: Option<Vec<Vec<ExprId>>>,
}

impl Derivation {
    /// Nothing yet but the names of a model, in its rates.
    pub(super) fn new(graph: Graph, form: Form, model: &Model, system: &System) -> Self {
        let names = |primes: &str| -> Vec<String> {
            let names = model.coordinates.iter().map(|(name, _)| &name.text);
            names.map(|name| format!("{name}{primes}")).collect()
        };
        let rows = system.rows.iter().skip(system.identities());
        Self {
            graph,
            blocks: Vec::new(),
            form,
            title: model.title.clone(),
            coordinates: names(""),
            speeds: names("'"),
            rows: rows.map(|row| row.name.clone()).collect(),
            motions: Vec::new(),
            energies: None,
            identities: Vec::new(),
            kinematics: Vec::new(),
            independent: None,
            shorthands: Vec::new(),
            equations: Vec::new(),
            nonzero: Nonzero::default(),
            reaction_shorthands: Vec::new(),
            multipliers: vec![None; system.rows.len() - system.identities()],
            forces: Forces::default(),
            reactions: Vec::new(),
            matrices: Matrices::default(),
            proved: Vec::new(),
            agree: Vec::new(),
            not_proved: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The page that shows the derivation.
    #[must_use]
    pub fn page(&self, style: Style) -> String {
        write::write(&self.graph, &self.blocks, style, None)
    }

    /// The page as text for a terminal with so many columns.
    #[must_use]
    pub fn page_for_terminal(&self, columns: usize) -> String {
        write::write(&self.graph, &self.blocks, Style::Text, Some(columns))
    }

    /// The page as HTML with MathML, without a style sheet of its own, and how its symbols are written.
    #[must_use]
    pub fn page_with_symbols(&self) -> (String, Vec<(SymbolId, String)>) {
        write::html_with_symbols(&self.graph, &self.blocks)
    }

    /// The blocks of that page.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The graph of all expressions.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Some of its expressions in a notation.
    #[must_use]
    pub fn print(&self, expressions: &[ExprId], format: Format) -> Printed {
        print(&self.graph, expressions, &Options::new(format))
    }

    /// All expressions that a reader may ask for.
    pub(crate) fn expressions(&self) -> Vec<ExprId> {
        let sides = |list: &[Equation]| Equation::sides(list);
        let mut all = sides(&self.equations);
        all.extend(sides(&self.kinematics));
        all.extend(sides(&self.shorthands));
        if let Some(part) = &self.independent {
            all.extend(&part.speeds);
            all.extend(sides(&part.dependent));
            all.extend(sides(&part.accelerations));
        }
        all.extend(&self.nonzero.equations);
        all.extend(&self.nonzero.reactions);
        all.extend(sides(&self.reaction_shorthands));
        all.extend(self.multipliers.iter().flatten());
        let forces = &self.forces;
        all.extend(&forces.given);
        all.extend(forces.ideal.iter().chain(&forces.nonideal).flatten());
        let reactions = self.reactions.iter();
        all.extend(reactions.flat_map(|(_, parts)| parts.iter().map(|(_, part)| part)));
        let it = &self.matrices;
        let held = it.E.iter().chain(&it.D).flatten();
        all.extend(it.N.iter().chain(&it.M).chain(&it.A).chain(held).flatten());
        all.extend(it.n.iter().chain(&it.h).chain(&it.b).chain(&it.w));
        for motion in &self.motions {
            all.extend(motion.velocity.iter().chain(motion.omega.iter().flatten()));
            for partial in &motion.partials {
                all.push(partial.speed);
                let parts = partial.velocity.iter();
                all.extend(parts.chain(partial.omega.iter().flatten()));
            }
        }
        let energies = self.energies.iter();
        all.extend(energies.flat_map(|it| [it.kinetic, it.potential]));
        all
    }

    /// Number of characters of the equations of motion in LaTeX, shorthands and dependent speeds included.
    #[must_use]
    pub fn latex_length(&self) -> usize {
        let dependent = self.independent.iter().flat_map(|it| &it.dependent);
        let equations = self
            .shorthands
            .iter()
            .chain(dependent)
            .chain(&self.equations);
        length(&self.graph, equations)
    }
}

/// Number of characters of equations in LaTeX.
pub(super) fn length<'a>(graph: &Graph, equations: impl Iterator<Item = &'a Equation>) -> usize {
    length_of(graph, &Equation::sides(equations))
}

/// Number of characters of expressions in LaTeX.
pub(super) fn length_of(graph: &Graph, expressions: &[ExprId]) -> usize {
    let printed = print(graph, expressions, &Options::new(Format::Latex));
    let definitions = printed.definitions.iter().map(|(name, text)| [name, text]);
    let all = definitions.flatten().chain(&printed.expressions);
    all.map(|text| text.chars().count() + 1).sum()
}
