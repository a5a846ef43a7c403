//! What `derive` says: equations in symbols, as a page and as texts that can be read again.

use super::Report;
use crate::derive::{Derivation, Equation, Style, Velocities, in_order};
use dalembert_expr::ExprId;
use dalembert_expr::print::{Format, Printed};
use dalembert_mechanics::diagnostic::Diagnostic;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

/// Equations of motion: a page for people, [`Derived`] for programs.
pub struct DeriveReport {
    /// The equations, in their graph.
    pub derivation: Derivation,
    /// The notation of the page.
    pub style: Style,
    /// Columns of the terminal that a page of text is for.
    pub columns: Option<usize>,
    /// What the reader should know.
    pub warnings: Vec<Diagnostic>,
    derived: OnceLock<Derived>,
}

impl DeriveReport {
    pub(crate) fn new(derivation: Derivation, warnings: Vec<Diagnostic>) -> Self {
        Self {
            derivation,
            style: Style::Text,
            columns: None,
            warnings,
            derived: OnceLock::new(),
        }
    }

    /// All formulas as text; written when first asked for.
    pub fn derived(&self) -> &Derived {
        self.derived.get_or_init(|| Derived::new(&self.derivation))
    }
}

impl Report for DeriveReport {
    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl fmt::Display for DeriveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let page = match self.columns.filter(|_| self.style == Style::Text) {
            Some(columns) => self.derivation.page_for_terminal(columns),
            None => self.derivation.page(self.style),
        };
        f.write_str(&page)
    }
}

impl Serialize for DeriveReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.derived().serialize(serializer)
    }
}

/// Equations of motion in the model's own syntax, which can be read again, and in LaTeX.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Derived {
    /// The formulation.
    pub formulation: &'static str,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the speeds that the equations are in.
    pub speeds: Vec<String>,
    /// Independent and dependent speeds, in that formulation.
    pub independent: Option<Solved>,
    /// What the coordinates obey by what they are, as the four of a unit quaternion; only models with such say so in the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identities: Vec<FormulaEquation>,
    /// q' in terms of quasi-velocities.
    pub kinematics: Vec<FormulaEquation>,
    /// Names for parts that occur often, each in terms of those before.
    pub shorthands: IndexMap<String, String>,
    /// The same as equations in LaTeX, for the names in `latex` elsewhere.
    pub shorthands_latex: Vec<String>,
    /// How particles and bodies move; where steps or matrices are asked for.
    pub motions: Vec<DerivedMotion>,
    /// T and V, where the model gives them; where steps or matrices are asked for.
    pub energies: Option<EnergyFormulas>,
    /// The canonical problem; where matrices are asked for.
    pub matrices: DerivedMatrices,
    /// What is divided by and may vanish.
    pub nonzero: NonzeroFormulas,
    /// The equations of motion.
    pub equations: Vec<FormulaEquation>,
    /// λ of each row; null where it is not unique, or where no formula was found.
    pub multipliers: IndexMap<String, Option<Formula>>,
    /// Forces by speed: M v' is their sum.
    pub forces: DerivedForces,
    /// Reactions of the constraints by coordinate, in terms of the multipliers.
    pub reactions: IndexMap<String, IndexMap<String, String>>,
    /// Formulations that were proved to give the same motion.
    pub proved: Vec<&'static str>,
    /// Those that were not, but agree with numbers.
    pub agrees: IndexMap<String, Digits>,
    /// Those that were neither, and why.
    pub not_proved: IndexMap<String, String>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// left = right.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FormulaEquation {
    /// Left side.
    pub left: String,
    /// Right side.
    pub right: String,
    /// Both, in LaTeX.
    pub latex: String,
}

/// An expression.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Formula {
    /// In the model's syntax.
    pub expr: String,
    /// In LaTeX.
    pub latex: String,
}

/// Independent speeds and what depends on them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Solved {
    /// The independent ones.
    pub speeds: Vec<String>,
    /// Coordinates, speeds and accelerations in terms of them.
    pub dependent: IndexMap<String, String>,
}

/// How a particle or body moves, in the speeds of the equations.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DerivedMotion {
    /// What the model calls it.
    pub name: String,
    /// Velocity of the particle or of the mass centre, in fixed axes.
    pub velocity: Vec<String>,
    /// Angular velocity of a body, in its own axes.
    pub omega: Option<Vec<String>>,
    /// Partial velocities, by speed.
    pub partials: IndexMap<String, PartialVelocity>,
}

/// Derivatives by a speed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PartialVelocity {
    /// Of the velocity.
    pub velocity: Vec<String>,
    /// Of the angular velocity.
    pub omega: Option<Vec<String>>,
}

/// Energies, in the speeds of the equations.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EnergyFormulas {
    /// T.
    pub kinetic: String,
    /// V.
    pub potential: String,
}

/// The canonical problem: q' = N v + n, M v' = h + Aᵀ λ + w, A v' = b, A D = 0; matrices row by row.
#[expect(non_snake_case, reason = "letters of the papers")]
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DerivedMatrices {
    /// N.
    pub N: Vec<Vec<String>>,
    /// n.
    pub n: Vec<String>,
    /// M.
    pub M: Vec<Vec<String>>,
    /// h.
    pub h: Vec<String>,
    /// A.
    pub A: Vec<Vec<String>>,
    /// b.
    pub b: Vec<String>,
    /// w.
    pub w: Vec<String>,
    /// E, the directions in which rows are held, if forces hold some of them.
    pub E: Option<Vec<Vec<String>>>,
    /// D, if one was found.
    pub D: Option<Vec<Vec<String>>>,
}

/// What is divided by and may vanish.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NonzeroFormulas {
    /// In the equations.
    pub equations: Vec<String>,
    /// In the formulas for reactions, besides.
    pub reactions: Vec<String>,
}

/// Forces by speed; null where no formula was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DerivedForces {
    /// h: given forces, and inertia terms without accelerations.
    pub given: IndexMap<String, Option<String>>,
    /// What ideal constraints exert.
    pub ideal: IndexMap<String, Option<String>>,
    /// What is not ideal about them.
    pub nonideal: IndexMap<String, Option<String>>,
}

/// How well equations agree with numbers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Digits {
    /// Digits that both have in common.
    pub digits: usize,
    /// At how many states.
    pub states: usize,
}

impl Derived {
    fn new(derivation: &Derivation) -> Self {
        let written = Written::new(derivation, Format::Model);
        let latex = Written::new(derivation, Format::Latex);
        let text = |id: ExprId| written.text(id);
        let equations = |list: &[Equation]| -> Vec<FormulaEquation> {
            let equation = |it: &Equation| FormulaEquation {
                left: text(it.left),
                right: text(it.right),
                latex: format!("{} = {}", latex.text(it.left), latex.text(it.right)),
            };
            list.iter().map(equation).collect()
        };
        let pair = |it: &Equation| (text(it.left), text(it.right));
        let independent = derivation.independent.as_ref().map(|it| {
            let dependent = it.dependent.iter().chain(&it.accelerations);
            Solved {
                speeds: written.list(&it.speeds),
                dependent: dependent.map(pair).collect(),
            }
        });
        let rows = derivation.rows.iter().zip(&derivation.multipliers);
        let multipliers = rows.map(|(row, formula)| {
            let formula = formula.map(|it| Formula {
                expr: text(it),
                latex: latex.text(it),
            });
            (row.clone(), formula)
        });
        let reactions = derivation.reactions.iter().map(|(name, parts)| {
            let parts = parts.iter().map(|(name, part)| (name.clone(), text(*part)));
            (name.clone(), parts.collect())
        });
        let it = &derivation.matrices;
        let by_speed = |ids: &mut dyn Iterator<Item = Option<ExprId>>| {
            let speeds = derivation.speeds.iter().cloned().zip(ids);
            speeds.map(|(name, id)| (name, id.map(text))).collect()
        };
        let forces = &derivation.forces;
        let agrees = derivation.agree.iter().map(|(form, it)| {
            let (digits, states) = (it.digits, it.states);
            (form.name().to_owned(), Digits { digits, states })
        });
        let not_proved = derivation.not_proved.iter();
        let not_proved = not_proved.map(|(form, why)| (form.name().to_owned(), why.clone()));
        let motions = derivation.motions.iter().map(|it| written.motion(it));
        Self {
            formulation: derivation.form.name(),
            coordinates: derivation.coordinates.clone(),
            speeds: derivation.speeds.clone(),
            independent,
            identities: equations(&derivation.identities),
            kinematics: equations(&derivation.kinematics),
            shorthands: written.definitions(derivation).into_iter().collect(),
            shorthands_latex: latex
                .definitions(derivation)
                .into_iter()
                .map(|(name, text)| format!("{name} = {text}"))
                .collect(),
            motions: motions.collect(),
            energies: derivation.energies.map(|it| EnergyFormulas {
                kinetic: text(it.kinetic),
                potential: text(it.potential),
            }),
            matrices: DerivedMatrices {
                N: written.matrix(&it.N),
                n: written.list(&it.n),
                M: written.matrix(&it.M),
                h: written.list(&it.h),
                A: written.matrix(&it.A),
                b: written.list(&it.b),
                w: written.list(&it.w),
                E: it.E.as_ref().map(|it| written.matrix(it)),
                D: it.D.as_ref().map(|it| written.matrix(it)),
            },
            nonzero: NonzeroFormulas {
                equations: written.list(&derivation.nonzero.equations),
                reactions: written.list(&derivation.nonzero.reactions),
            },
            equations: equations(&derivation.equations),
            multipliers: multipliers.collect(),
            forces: DerivedForces {
                given: by_speed(&mut forces.given.iter().copied().map(Some)),
                ideal: by_speed(&mut forces.ideal.iter().copied()),
                nonideal: by_speed(&mut forces.nonideal.iter().copied()),
            },
            reactions: reactions.collect(),
            proved: derivation.proved.iter().map(|form| form.name()).collect(),
            agrees: agrees.collect(),
            not_proved: not_proved.collect(),
            notes: derivation.notes.clone(),
        }
    }
}

/// All expressions of a derivation in one notation, to be asked for one by one.
struct Written {
    texts: HashMap<ExprId, String>,
    printed: Printed,
}

impl Written {
    fn new(derivation: &Derivation, format: Format) -> Self {
        let expressions = derivation.expressions();
        let printed = derivation.print(&expressions, format);
        let texts = printed.expressions.iter().cloned();
        Self {
            texts: expressions.into_iter().zip(texts).collect(),
            printed,
        }
    }

    /// Names and what they stand for, those that the notation gives to parts of long formulas included.
    fn definitions(&self, derivation: &Derivation) -> Vec<(String, String)> {
        let given = [&derivation.shorthands[..], &derivation.reaction_shorthands].concat();
        let pair = |it: &Equation| (self.text(it.left), self.text(it.right));
        let texts = given.iter().map(pair).collect();
        in_order(derivation.graph(), &given, texts, &self.printed)
    }

    fn text(&self, id: ExprId) -> String {
        self.texts.get(&id).cloned().unwrap_or_default()
    }

    fn list(&self, ids: &[ExprId]) -> Vec<String> {
        ids.iter().map(|&id| self.text(id)).collect()
    }

    fn matrix(&self, rows: &[Vec<ExprId>]) -> Vec<Vec<String>> {
        rows.iter().map(|row| self.list(row)).collect()
    }

    fn motion(&self, motion: &Velocities) -> DerivedMotion {
        let omega = |omega: &Option<[ExprId; 3]>| omega.as_ref().map(|it| self.list(it));
        let partials = motion.partials.iter().map(|it| {
            let partial = PartialVelocity {
                velocity: self.list(&it.velocity),
                omega: omega(&it.omega),
            };
            (self.text(it.speed), partial)
        });
        DerivedMotion {
            name: motion.name.clone(),
            velocity: self.list(&motion.velocity),
            omega: omega(&motion.omega),
            partials: partials.collect(),
        }
    }
}
