//! Laws that use reactions, compiled: contacts at a state, and forces as functions of the reactions.

use super::stage::{Entry, Stage};
use crate::linear::{Matrix, Pattern};
use crate::lower::{Slip, Sparse, System};
use dalembert_expr::calculus::jacobian;
use dalembert_expr::{Cone, ExprId, SymbolId};
use std::collections::BTreeMap;

/// What the stages are made of.
pub(super) struct Parts {
    /// Reactions, then ways: inputs after all others.
    pub(super) unknowns: Vec<SymbolId>,
    rows: Vec<usize>,
    coordinates: Vec<usize>,
    ways: usize,
    only_friction: bool,
    contacts: Vec<Vec<Entry>>,
    shapes: Vec<Shape>,
    contact_size: usize,
    forces: Vec<Vec<Entry>>,
    gradient: Pattern,
}

/// The two stages, and where their results stand.
pub(super) struct LawPrograms {
    /// Rows whose reactions are used, ascending.
    pub(super) rows: Vec<usize>,
    /// Coordinates on which laws act, ascending.
    pub(super) coordinates: Vec<usize>,
    /// Symbols for the ways of slips.
    pub(super) ways: usize,
    pub(super) only_friction: bool,
    pub(super) contacts: Stage,
    shapes: Vec<Shape>,
    /// h, w, and the derivatives of their sum by the reactions, a row each.
    pub(super) forces: Stage,
    gradient: Pattern,
    n: usize,
}

/// Where the numbers of a friction stand.
struct Shape {
    constraint: usize,
    start: usize,
    /// Which reactions press, by place among those used.
    pressing: Vec<usize>,
    /// Coordinates of the direction.
    direction: Vec<usize>,
    /// Rows of the misfits.
    misfit: Vec<usize>,
    slip: SlipShape,
}

enum SlipShape {
    /// The way, and coordinates of the slope.
    Line(usize, Vec<usize>),
    /// The first of three ways, and coordinates of the slopes.
    Plane(usize, Vec<usize>),
    Smooth,
}

/// Friction at a state.
#[derive(Clone, Copy, Debug)]
pub struct Contact<'a> {
    /// Index of its constraint.
    pub constraint: usize,
    /// μ.
    pub coefficient: f64,
    /// The reactions that press, by place among those that laws use.
    pub pressing: &'a [usize],
    /// Their forces on the sliding point for a multiplier one.
    pub lengths: &'a [f64],
    /// Coordinates of w.
    pub coordinates: &'a [usize],
    /// w for a normal force one, up to the way.
    pub direction: &'a [f64],
    /// Rows, and by how much each of these entries is not that of a force at the point.
    pub misfit: (&'a [usize], &'a [f64]),
    /// How it slips.
    pub slip: Slipping<'a>,
}

/// Slip at a state.
#[derive(Clone, Copy, Debug)]
pub enum Slipping<'a> {
    /// Along a line.
    Line {
        /// Which way.
        way: usize,
        /// With a sign.
        speed: f64,
        /// Sum of the sizes of its terms.
        size: f64,
        /// Its rate without q''.
        rest: f64,
        /// Coordinates and derivatives by their rates.
        slope: (&'a [usize], &'a [f64]),
    },
    /// In a plane.
    Plane {
        /// The first of three ways.
        way: usize,
        /// The velocity, three components.
        velocity: &'a [f64],
        /// What it is normal to.
        normal: &'a [f64],
        /// Sum of the sizes of its terms.
        size: f64,
        /// Its rate without q''.
        rest: &'a [f64],
        /// Coordinates, and three derivatives by each of their rates.
        slope: (&'a [usize], &'a [f64]),
    },
    /// By a smooth law.
    Smooth,
}

/// Forces by laws at some reactions.
#[derive(Clone, Copy, Debug)]
pub struct LawForces<'a> {
    /// Added to h.
    pub force: &'a [f64],
    /// Added to w.
    pub nonideal: &'a [f64],
    /// Derivative of both together by each reaction, a row each.
    pub gradient: Matrix<'a>,
}

impl Default for LawForces<'_> {
    fn default() -> Self {
        Self {
            force: &[],
            nonideal: &[],
            gradient: Matrix::full(0, 0, &[]),
        }
    }
}

/// Adds values one after the other.
#[derive(Default)]
struct Writer {
    entries: Vec<Entry>,
    next: usize,
}

impl Writer {
    fn put(&mut self, value: ExprId) {
        let targets = vec![self.next];
        self.entries.push(Entry { value, targets });
        self.next += 1;
    }

    /// The numbers of all frictions, and where they stand; `rows` are those whose reactions are used.
    fn frictions(&mut self, system: &System, rows: &[usize]) -> Vec<Shape> {
        let place = |row: &usize| rows.iter().position(|known| known == row);
        let mut way = 0;
        let mut shapes = Vec::new();
        for friction in &system.frictions {
            let start = self.next;
            self.put(friction.coefficient);
            friction.rows.iter().for_each(|&(_, it)| self.put(it));
            friction.direction.iter().for_each(|&(_, it)| self.put(it));
            friction.misfit.iter().for_each(|&(_, it)| self.put(it));
            let slip = match &friction.slip {
                Slip::Line {
                    speed,
                    size,
                    slope,
                    rest,
                    ..
                } => {
                    [*speed, *size, *rest]
                        .into_iter()
                        .for_each(|it| self.put(it));
                    slope.iter().for_each(|&(_, it)| self.put(it));
                    SlipShape::Line(way, slope.iter().map(|&(i, _)| i).collect())
                }
                Slip::Plane {
                    velocity,
                    normal,
                    size,
                    slope,
                    rest,
                    ..
                } => {
                    let vectors = [velocity, normal, rest].into_iter().flatten();
                    let slopes = slope.iter().flat_map(|(_, it)| it);
                    let all = vectors.chain([size]).chain(slopes);
                    all.for_each(|&it| self.put(it));
                    SlipShape::Plane(way, slope.iter().map(|&(i, _)| i).collect())
                }
                Slip::Smooth => SlipShape::Smooth,
            };
            way += friction.slip.ways().len();
            shapes.push(Shape {
                constraint: friction.constraint,
                start,
                pressing: friction
                    .rows
                    .iter()
                    .filter_map(|(row, _)| place(row))
                    .collect(),
                direction: friction.direction.iter().map(|&(i, _)| i).collect(),
                misfit: friction.misfit.iter().map(|&(row, _)| row).collect(),
                slip,
            });
        }
        shapes
    }
}

impl Parts {
    /// `None` where no law uses a reaction.
    pub(super) fn of(system: &mut System) -> Option<Self> {
        let given = system.forces.iter().map(|it| &it.force);
        let given: Vec<Sparse> = given
            .filter(|it| system.uses_reactions(it))
            .cloned()
            .collect();
        let nonideal = system.nonideal.iter();
        let lawful: Vec<Sparse> = nonideal
            .filter(|it| system.uses_reactions(it))
            .cloned()
            .collect();
        if given.is_empty() && lawful.is_empty() {
            return None;
        }
        let n = system.symbols.coordinates.len();
        let values: Vec<ExprId> = given
            .iter()
            .chain(&lawful)
            .flatten()
            .map(|&(_, value)| value)
            .collect();
        let used = Cone::new(&system.graph, &values).symbols(&system.graph);
        let multipliers = &system.symbols.multipliers;
        let rows: Vec<usize> = (0..multipliers.len())
            .filter(|&row| used.contains(&multipliers[row]))
            .collect();
        let reactions: Vec<SymbolId> = rows.iter().map(|&row| multipliers[row]).collect();
        let ways: Vec<SymbolId> = system
            .frictions
            .iter()
            .flat_map(|friction| friction.slip.ways())
            .copied()
            .collect();

        let mut total: BTreeMap<usize, ExprId> = BTreeMap::new();
        for &(i, value) in given.iter().chain(&lawful).flatten() {
            let before = total.get(&i).copied();
            let sum = before.map_or(value, |before| system.graph.add(before, value));
            total.insert(i, sum);
        }
        let (columns, sums): (Vec<usize>, Vec<ExprId>) = total.into_iter().unzip();
        let slopes = jacobian(&mut system.graph, &sums, &reactions);
        let mut lists: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
        for (row, column, _) in slopes.triplets() {
            lists[column].push(columns[row]);
        }
        let gradient = Pattern::compressed(n, &lists);
        let mut forces: Vec<Entry> = Vec::new();
        let mut add = |target: usize, value: ExprId| {
            let targets = vec![target];
            forces.push(Entry { value, targets });
        };
        given.iter().flatten().for_each(|&(i, value)| add(i, value));
        lawful
            .iter()
            .flatten()
            .for_each(|&(i, value)| add(n + i, value));
        for (row, column, value) in slopes.triplets() {
            let place = gradient.place(column, columns[row]);
            add(2 * n + place.expect("patterns hold what there is"), value);
        }

        let mut writer = Writer::default();
        let shapes = writer.frictions(system, &rows);
        let only_friction = given.is_empty() && is_only_friction(system, &reactions);
        Some(Self {
            unknowns: reactions.iter().chain(&ways).copied().collect(),
            rows: rows.clone(),
            coordinates: columns,
            ways: ways.len(),
            only_friction,
            contacts: vec![writer.entries],
            shapes,
            contact_size: writer.next,
            forces: vec![forces],
            gradient,
        })
    }
}

/// Friction that is a number times a normal force: no other law, no reaction in a coefficient.
fn is_only_friction(system: &System, reactions: &[SymbolId]) -> bool {
    let by_friction = |constraint: usize| {
        let mut all = system.frictions.iter();
        all.any(|friction| friction.constraint == constraint && friction.alone)
    };
    let pure = |friction: &crate::lower::Friction| {
        let values: Vec<ExprId> = friction.direction.iter().map(|&(_, it)| it).collect();
        let symbols = Cone::new(&system.graph, &values).symbols(&system.graph);
        symbols.iter().all(|symbol| !reactions.contains(symbol))
    };
    let lawful =
        |(index, work): (usize, &Sparse)| !system.uses_reactions(work) || by_friction(index);
    system.nonideal.iter().enumerate().all(lawful) && system.frictions.iter().all(pure)
}

impl LawPrograms {
    pub(super) fn new(
        parts: Parts,
        n: usize,
        stage: &impl Fn(Vec<Vec<Entry>>, usize) -> Stage,
    ) -> Self {
        let size = 2 * n + parts.gradient.size();
        Self {
            rows: parts.rows,
            coordinates: parts.coordinates,
            ways: parts.ways,
            only_friction: parts.only_friction,
            contacts: stage(parts.contacts, parts.contact_size),
            shapes: parts.shapes,
            forces: stage(parts.forces, size),
            gradient: parts.gradient,
            n,
        }
    }

    pub(super) fn slides(&self) -> usize {
        let slides = |shape: &&Shape| !matches!(shape.slip, SlipShape::Smooth);
        self.shapes.iter().filter(slides).count()
    }

    pub(super) fn contact_list<'a>(
        &'a self,
        result: &'a [f64],
    ) -> impl Iterator<Item = Contact<'a>> + 'a {
        self.shapes.iter().map(|shape| {
            let (coefficient, rest) = result[shape.start..].split_at(1);
            let (lengths, rest) = rest.split_at(shape.pressing.len());
            let (direction, rest) = rest.split_at(shape.direction.len());
            let (misfit, rest) = rest.split_at(shape.misfit.len());
            let slip = match &shape.slip {
                SlipShape::Line(way, slope) => Slipping::Line {
                    way: *way,
                    speed: rest[0],
                    size: rest[1],
                    rest: rest[2],
                    slope: (slope, &rest[3..3 + slope.len()]),
                },
                SlipShape::Plane(way, slope) => Slipping::Plane {
                    way: *way,
                    velocity: &rest[..3],
                    normal: &rest[3..6],
                    rest: &rest[6..9],
                    size: rest[9],
                    slope: (slope, &rest[10..10 + 3 * slope.len()]),
                },
                SlipShape::Smooth => Slipping::Smooth,
            };
            Contact {
                constraint: shape.constraint,
                coefficient: coefficient[0],
                pressing: &shape.pressing,
                lengths,
                coordinates: &shape.direction,
                direction,
                misfit: (&shape.misfit, misfit),
                slip,
            }
        })
    }

    pub(super) fn law_forces<'a>(&'a self, result: &'a [f64]) -> LawForces<'a> {
        let (force, rest) = result.split_at(self.n);
        let (nonideal, gradient) = rest.split_at(self.n);
        LawForces {
            force,
            nonideal,
            gradient: self.gradient.matrix(gradient),
        }
    }
}
