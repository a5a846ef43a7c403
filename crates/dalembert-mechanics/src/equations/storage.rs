//! Where the numbers of a model's matrices stand: full, or compressed to what its structure allows.
//!
//! Decided once for a model, by what one solution would cost:
//!
//! ```text
//! dense    nv³/6 + nc nv²/2 + nc² nv/2 + nc³/6 multiplications, several at a time
//! sparse   those of the symbolic factorisation, and a visit of each entry of M, A and the factor
//! ```
//!
//! Whether M is left in the links of a tree is decided before, when a model is lowered.

use super::hung;
use crate::linear::Pattern;
use crate::linear::factorisation::Symbolic;
use crate::linear::factorisation::{Factorisation, Tolerance};
use crate::lower::{Hung, System};
use std::sync::Arc;

/// How matrices are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Every entry.
    Full,
    /// Entries that can differ from zero.
    Compressed,
    /// M by the links of a tree of bodies; there are no rows.
    Links,
}

/// Coordinates and rows up to which matrices are full without further question.
const SMALL: usize = 40;
/// Part of all entries from which matrices are full without further question.
const CROWDED: f64 = 0.3;
/// What a sparse multiplication and a visit of an entry cost, in dense multiplications.
const SPARSE_MULTIPLICATION: f64 = 4.0;
const VISIT: f64 = 40.0;

/// Patterns of all matrices of a model.
pub(super) struct Storage {
    /// M.
    pub(super) mass: Arc<Pattern>,
    /// A.
    pub(super) rows: Arc<Pattern>,
    /// The rows of A at position level.
    pub(super) position: Arc<Pattern>,
    /// The rows of A at velocity level.
    pub(super) velocity: Arc<Pattern>,
    /// Generalized forces of the given forces, one row each.
    pub(super) forces: Pattern,
    /// Virtual-work vectors of the constraints, one row each.
    pub(super) nonideal: Pattern,
    /// Reactions of the constraints, one row each.
    pub(super) reactions: Arc<Pattern>,
    /// B.
    pub(super) speeds: Option<Arc<Pattern>>,
    /// Rows held by forces; all matrices are full where there are any.
    pub(super) servo_rows: Vec<usize>,
    /// Constraints with a virtual-work vector that come and go.
    pub(super) waiting: Vec<usize>,
    /// Structures of M with each of the patterns of rows that differ; of full matrices where that helps.
    symbolic: Vec<Arc<Symbolic>>,
}

/// Places of the parts in the result of the dynamics stage: M, h, w, A, b, and E of the forces that hold constraints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) force: usize,
    pub(super) nonideal: usize,
    pub(super) jacobian: usize,
    pub(super) bias: usize,
    pub(super) servo: usize,
    /// w of each constraint that comes and goes, n each.
    pub(super) waiting: usize,
    /// The acceleration of gravity, where M is by links.
    pub(super) field: usize,
    size: usize,
}

impl Layout {
    pub(super) fn size(self) -> usize {
        self.size
    }
}

impl Storage {
    pub(super) fn new(
        system: &System,
        position_rows: &[usize],
        velocity_rows: &[usize],
        wanted: Option<Stored>,
    ) -> Self {
        let n = system.symbols.coordinates.len();
        if let Some(hung) = &system.hung {
            return Self::by_links(system, hung, [position_rows, velocity_rows]);
        }
        let row_lists: Vec<Vec<usize>> = system
            .rows
            .iter()
            .map(|row| row.jacobian.iter().map(|&(j, _)| j).collect())
            .collect();
        let pairs = system.inertia.iter().flat_map(|part| &part.mass);
        let mass = Arc::new(Pattern::symmetric(n, pairs.map(|&(i, j, _)| (i, j))));
        let rows = Arc::new(Pattern::compressed(n, &row_lists));
        let symbolic = match wanted {
            _ if !system.servo.is_empty() => None,
            Some(Stored::Full | Stored::Links) => None,
            Some(Stored::Compressed) => Symbolic::new(&mass, &rows),
            None => worthwhile(&mass, &rows),
        };
        let constraints = system.nonideal.len();
        let Some(symbolic) = symbolic else {
            let full = Self::full(system, position_rows.len(), velocity_rows.len());
            // What blocks leave of an equation along an identity moves nothing; of a constraint it would be felt.
            if !system.rows.iter().any(|row| row.identity) {
                return full;
            }
            let levels = [position_rows, velocity_rows];
            return full.with_structure((&mass, &rows), levels);
        };
        let mut structures = vec![Arc::new(symbolic)];
        let mut part = |chosen: &[usize]| {
            if chosen.len() == rows.rows() {
                return Arc::clone(&rows);
            }
            let all: Vec<usize> = (0..rows.columns()).collect();
            let part = Arc::new(rows.select(chosen, &all).0);
            let known = structures.iter().any(|known| known.is_of(&mass, &part));
            if !known {
                let found = Symbolic::new(&mass, &part);
                structures.push(Arc::new(found.expect("a part of what fits memory fits")));
            }
            part
        };
        let (position, velocity) = (part(position_rows), part(velocity_rows));
        let columns = |list: &[(usize, _)]| list.iter().map(|&(j, _)| j).collect::<Vec<_>>();
        let forces: Vec<Vec<usize>> = system.forces.iter().map(|f| columns(&f.force)).collect();
        let nonideal: Vec<Vec<usize>> = system.nonideal.iter().map(|w| columns(w)).collect();
        let mut reactions = nonideal.clone();
        for (row, list) in system.rows.iter().zip(&row_lists) {
            reactions[row.constraint.index()].extend(list);
        }
        debug_assert_eq!(reactions.len(), constraints);
        let speeds = system.speeds.as_ref().map(|speeds| {
            let rows: Vec<Vec<usize>> = speeds.matrix.iter().map(|row| columns(row)).collect();
            Arc::new(Pattern::compressed(n, &rows))
        });
        Self {
            position,
            velocity,
            forces: Pattern::compressed(n, &forces),
            nonideal: Pattern::compressed(n, &nonideal),
            reactions: Arc::new(Pattern::compressed(n, &reactions)),
            speeds,
            servo_rows: Vec::new(),
            waiting: waiting(system),
            symbolic: structures,
            mass,
            rows,
        }
    }

    /// M by links, and full rows.
    fn by_links(system: &System, hung: &Hung, [position, velocity]: [&[usize]; 2]) -> Self {
        let n = system.symbols.coordinates.len();
        let columns = |list: &[(usize, _)]| list.iter().map(|&(j, _)| j).collect::<Vec<_>>();
        let forces: Vec<Vec<usize>> = system.forces.iter().map(|f| columns(&f.force)).collect();
        Self {
            mass: Arc::new(hung::pattern(hung, n)),
            forces: Pattern::compressed(n, &forces),
            ..Self::full(system, position.len(), velocity.len())
        }
    }

    fn full(system: &System, position_rows: usize, velocity_rows: usize) -> Self {
        let n = system.symbols.coordinates.len();
        let full = |rows: usize| Arc::new(Pattern::full(rows, n));
        Self {
            mass: Arc::new(Pattern::full_symmetric(n)),
            rows: full(system.rows.len()),
            position: full(position_rows),
            velocity: full(velocity_rows),
            forces: Pattern::full(system.forces.len(), n),
            nonideal: Pattern::full(system.nonideal.len(), n),
            reactions: full(system.nonideal.len()),
            speeds: system.speeds.as_ref().map(|_| full(n)),
            servo_rows: system.servo.iter().map(|servo| servo.row.index()).collect(),
            waiting: waiting(system),
            symbolic: Vec::new(),
        }
    }

    /// Free bodies, whose M is singular in the rates of their quaternions, are taken apart by blocks also where their matrices are full:
    /// the dense way is slow for them.
    fn with_structure(
        mut self,
        (mass, rows): (&Arc<Pattern>, &Arc<Pattern>),
        levels: [&[usize]; 2],
    ) -> Self {
        if !self.servo_rows.is_empty() {
            return self;
        }
        let structure = |rows: &Arc<Pattern>| {
            let found = Symbolic::new(mass, rows)?;
            found.has_identities().then(|| Arc::new(found))
        };
        self.symbolic.extend(structure(rows));
        let all: Vec<usize> = (0..rows.columns()).collect();
        for chosen in levels {
            let known = self.symbolic.iter().any(|it| it.nc() == chosen.len());
            if !known {
                let part = Arc::new(rows.select(chosen, &all).0);
                self.symbolic.extend(structure(&part));
            }
        }
        self
    }

    pub(super) fn dynamics(&self) -> Layout {
        let n = self.mass.rows();
        let force = self.mass.size();
        let servo = force + 2 * n + self.rows.size() + self.rows.rows();
        let waiting = servo + self.servo_rows.len() * n;
        let field = waiting + self.waiting.len() * n;
        Layout {
            force,
            nonideal: force + n,
            jacobian: force + 2 * n,
            bias: force + 2 * n + self.rows.size(),
            servo,
            waiting,
            field,
            size: field + if self.mass.tree().is_some() { 3 } else { 0 },
        }
    }

    /// Room for M and some of the rows.
    pub(super) fn factorisation(&self, rows: &Arc<Pattern>, tolerance: Tolerance) -> Factorisation {
        if self.mass.tree().is_some() {
            let found = Factorisation::of(&self.mass, rows, tolerance);
            return found.expect("there is room for any rows of a tree");
        }
        if self.mass.is_full() {
            // Rows of the levels lie within each other: as many are the same.
            let mut known = self.symbolic.iter();
            return match known.find(|symbolic| symbolic.nc() == rows.rows()) {
                Some(symbolic) => Factorisation::known(symbolic, tolerance),
                None => Factorisation::new(self.mass.rows(), rows.rows(), tolerance),
            };
        }
        let mut known = self.symbolic.iter();
        match known.find(|symbolic| symbolic.is_of(&self.mass, rows)) {
            Some(symbolic) => Factorisation::sparse(symbolic, tolerance),
            None => Factorisation::new(self.mass.rows(), rows.rows(), tolerance),
        }
    }
}

/// Constraints with a virtual-work vector, without reactions in it, that come and go.
fn waiting(system: &System) -> Vec<usize> {
    let works = |&constraint: &usize| {
        let work = &system.nonideal[constraint];
        !work.is_empty() && system.activity[constraint].changes() && !system.uses_reactions(work)
    };
    (0..system.nonideal.len()).filter(works).collect()
}

/// The structure of a sparse system, if solving it so is cheaper.
fn worthwhile(mass: &Arc<Pattern>, rows: &Arc<Pattern>) -> Option<Symbolic> {
    let (nv, nc) = (mass.rows(), rows.rows());
    if nv + nc <= SMALL {
        return None;
    }
    let (n, c) = (nv as f64, nc as f64);
    let entries = (2 * mass.size() + rows.size()) as f64;
    if entries > CROWDED * (n * n + c * n) {
        return None;
    }
    let symbolic = Symbolic::new(mass, rows)?;
    let dense = n.powi(3) / 6.0 + c * n * n / 2.0 + c * c * n / 2.0 + c.powi(3) / 6.0;
    let visits = (symbolic.entries() + symbolic.factor_entries()) as f64;
    let sparse = SPARSE_MULTIPLICATION * symbolic.multiplications() + VISIT * visits;
    (sparse < dense).then_some(symbolic)
}
