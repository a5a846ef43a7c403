//! Laws that use reactions, compiled: contacts at a state, and forces as functions of the reactions.

use super::stage::{Entry, Stage};
use crate::ids::ConstraintId;
use crate::linear::{Matrix, Pattern, norm};
use crate::lower::RowId;
use crate::lower::{Rough, Slip, Sparse, System};
use dalembert_expr::calculus::jacobian;
use dalembert_expr::{Cone, ExprId, SymbolId};
use std::collections::BTreeMap;

/// The laws of a system, in expressions.
pub(super) struct Parts {
    /// Reactions, then ways: inputs after all others.
    pub(super) unknowns: Vec<SymbolId>,
    /// Rows whose reactions are used, ascending.
    pub(super) rows: Vec<usize>,
    /// Coordinates on which laws act, ascending.
    pub(super) coordinates: Vec<usize>,
    /// Symbols for the ways of slips.
    pub(super) ways: usize,
    pub(super) only_friction: bool,
    /// Numbers of the frictions, and where they stand.
    contacts: Vec<Entry>,
    shapes: Vec<Shape>,
    /// h, w, and the derivatives of their sum by the reactions, a row each.
    forces: Vec<Entry>,
    gradient: Pattern,
}

/// The same as programs.
pub(super) struct LawPrograms {
    pub(super) parts: Parts,
    pub(super) contacts: Stage,
    pub(super) forces: Stage,
    n: usize,
}

/// Where the numbers of a friction stand.
struct Shape {
    of: Rough,
    start: usize,
    /// Which reactions press, by place among those used.
    pressing: Vec<usize>,
    /// Coordinates of the direction.
    direction: Vec<usize>,
    /// Rows of the misfits.
    misfit: Vec<RowId>,
    /// The first way of its slip, and how many: one along a line, three in a plane, none where the law is smooth.
    way: usize,
    width: usize,
    /// Coordinates of the slopes of its slip.
    slope: Vec<usize>,
}

/// Friction at a state.
#[derive(Clone, Copy, Debug)]
pub struct Contact<'a> {
    /// Whose it is.
    pub of: Rough,
    /// Whether that counts in the mode that is set.
    pub active: bool,
    /// μ.
    pub coefficient: f64,
    /// The same where nothing slips.
    pub holding: f64,
    /// N at the reactions that are set.
    pub normal: f64,
    /// The reactions that press, by place among those that laws use.
    pub pressing: &'a [usize],
    /// Their forces on the sliding point for a multiplier one.
    pub lengths: &'a [f64],
    /// Coordinates of w.
    pub coordinates: &'a [usize],
    /// w for a normal force one, up to the way.
    pub direction: &'a [f64],
    /// Rows, and by how much each of these entries is not that of a force at the point.
    pub misfit: (&'a [RowId], &'a [f64]),
    /// How it slips; `None` by a smooth law, which does not ask.
    pub slip: Option<Slipping<'a>>,
}

/// A slip that can vanish, at a state: along a line, by one number with a sign, or in a plane, by three components.
#[derive(Clone, Copy, Debug)]
pub struct Slipping<'a> {
    /// The first of as many numbers that say which way.
    pub way: usize,
    /// The velocity.
    pub velocity: &'a [f64],
    /// Its rate without q''.
    pub rest: &'a [f64],
    /// Sum of the sizes of its terms.
    pub size: f64,
    /// What a plane is normal to; nothing along a line.
    pub normal: &'a [f64],
    /// Coordinates, and derivatives of the velocity by each of their rates.
    pub slope: (&'a [usize], &'a [f64]),
}

impl Slipping<'_> {
    /// Directions of the slip, and of the forces that can hold it: one along a line, two at right angles in a plane.
    pub(crate) fn directions(&self) -> ([[f64; 3]; 2], usize) {
        let normal = self.normal.try_into().ok();
        directions(normal)
    }
}

/// One direction along a line, of numbers with a sign; two at right angles in a plane with this normal.
pub(crate) fn directions(normal: Option<[f64; 3]>) -> ([[f64; 3]; 2], usize) {
    let Some([x, y, z]) = normal else {
        return ([[1.0, 0.0, 0.0], [0.0; 3]], 1);
    };
    // The axis that the normal is farthest from.
    let sizes = [x.abs(), y.abs(), z.abs()];
    let mut axis = [0.0; 3];
    let least = (0..3).min_by(|&a, &b| sizes[a].total_cmp(&sizes[b]));
    axis[least.unwrap_or(0)] = 1.0;
    let first = unit(cross([x, y, z], axis));
    ([first, unit(cross([x, y, z], first))], 2)
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = norm(&vector);
    vector.map(|part| part / length)
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
        let place = |row: RowId| rows.iter().position(|&known| known == row.index());
        let mut way = 0;
        let mut shapes = Vec::new();
        for friction in &system.frictions {
            let start = self.next;
            let given = [friction.coefficient, friction.holding, friction.normal];
            given.into_iter().for_each(|it| self.put(it));
            friction.rows.iter().for_each(|&(_, it)| self.put(it));
            friction.direction.iter().for_each(|&(_, it)| self.put(it));
            friction.misfit.iter().for_each(|&(_, it)| self.put(it));
            let slope: Vec<usize> = match &friction.slip {
                Slip::Smooth => Vec::new(),
                Slip::Line {
                    speed,
                    size,
                    slope,
                    rest,
                    ..
                } => {
                    let slopes = slope.iter().map(|(_, it)| it);
                    let all = [speed, rest, size].into_iter().chain(slopes);
                    all.for_each(|&it| self.put(it));
                    slope.iter().map(|&(i, _)| i).collect()
                }
                Slip::Plane {
                    velocity,
                    normal,
                    size,
                    slope,
                    rest,
                    ..
                } => {
                    let slopes = slope.iter().flat_map(|(_, it)| it);
                    let all = velocity.iter().chain(rest).chain([size]);
                    let all = all.chain(normal).chain(slopes);
                    all.for_each(|&it| self.put(it));
                    slope.iter().map(|&(i, _)| i).collect()
                }
            };
            let width = friction.slip.ways().len();
            let pressing = friction.rows.iter();
            shapes.push(Shape {
                of: friction.of,
                start,
                pressing: pressing.filter_map(|&(row, _)| place(row)).collect(),
                direction: friction.direction.iter().map(|&(i, _)| i).collect(),
                misfit: friction.misfit.iter().map(|&(row, _)| row).collect(),
                way,
                width,
                slope,
            });
            way += width;
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
        let pressing = system.frictions.iter();
        let pressing = pressing.flat_map(|it| [it.coefficient, it.holding, it.normal]);
        let all: Vec<ExprId> = values.into_iter().chain(pressing).collect();
        let used = Cone::new(&system.graph, &all).symbols(&system.graph);
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
        let only_friction = is_only_friction(system, &given, &reactions);
        Some(Self {
            unknowns: reactions.iter().chain(&ways).copied().collect(),
            rows,
            coordinates: columns,
            ways: ways.len(),
            only_friction,
            contacts: writer.entries,
            shapes,
            forces,
            gradient,
        })
    }
}

/// Friction that is a number times a normal force: no other law, no reaction in a coefficient.
fn is_only_friction(system: &System, given: &[Sparse], reactions: &[SymbolId]) -> bool {
    let by_friction = |constraint: ConstraintId| {
        let mut all = system.frictions.iter();
        all.any(|friction| friction.of == Rough::Constraint(constraint) && friction.alone)
    };
    let pure = |force: &Sparse| {
        let values: Vec<ExprId> = force.iter().map(|&(_, it)| it).collect();
        let symbols = Cone::new(&system.graph, &values).symbols(&system.graph);
        symbols.iter().all(|symbol| !reactions.contains(symbol))
    };
    let lawful = |(index, work): (usize, &Sparse)| {
        !system.uses_reactions(work) || by_friction(ConstraintId::new(index))
    };
    system.nonideal.iter().enumerate().all(lawful)
        && system.frictions.iter().all(|it| pure(&it.direction))
        && given.iter().all(pure)
}

impl LawPrograms {
    pub(super) fn new(
        mut parts: Parts,
        n: usize,
        stage: &impl Fn(Vec<Vec<Entry>>, usize) -> Stage,
    ) -> Self {
        let [contacts, forces] = [&mut parts.contacts, &mut parts.forces].map(std::mem::take);
        // The numbers of the frictions stand one after the other.
        let contact_size = contacts.len();
        Self {
            contacts: stage(vec![contacts], contact_size),
            forces: stage(vec![forces], 2 * n + parts.gradient.size()),
            parts,
            n,
        }
    }

    pub(super) fn slides(&self) -> usize {
        let shapes = self.parts.shapes.iter();
        shapes.filter(|shape| shape.width > 0).count()
    }

    pub(super) fn contact_list<'a>(
        &'a self,
        result: &'a [f64],
        active: &'a [bool],
    ) -> impl Iterator<Item = Contact<'a>> + 'a {
        self.parts.shapes.iter().map(|shape| {
            let (given, rest) = result[shape.start..].split_at(3);
            let (lengths, rest) = rest.split_at(shape.pressing.len());
            let (direction, rest) = rest.split_at(shape.direction.len());
            let (misfit, numbers) = rest.split_at(shape.misfit.len());
            let width = shape.width;
            let slip = (width > 0).then(|| {
                let (velocity, numbers) = numbers.split_at(width);
                let (rest, numbers) = numbers.split_at(width);
                let (normal, slopes) = numbers[1..].split_at(if width == 3 { 3 } else { 0 });
                Slipping {
                    way: shape.way,
                    velocity,
                    rest,
                    size: numbers[0],
                    normal,
                    slope: (&shape.slope, &slopes[..width * shape.slope.len()]),
                }
            });
            Contact {
                of: shape.of,
                active: match shape.of {
                    Rough::Constraint(constraint) => active[constraint.index()],
                    Rough::Spring(_) => true,
                },
                coefficient: given[0],
                holding: given[1],
                normal: given[2],
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
            gradient: self.parts.gradient.matrix(gradient),
        }
    }
}
