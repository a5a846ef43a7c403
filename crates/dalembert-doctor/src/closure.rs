//! Which positions can be reached: the directions that rows leave free, with their brackets, the brackets of those, and so on.
//!
//! Motions along X, then Y, then back, lead along [X, Y]; what is reached in the end is spanned by all brackets (Chow 1939). A form
//! of the rows belongs to their integrable part if it vanishes on all of them (Frobenius 1877). Brackets are looked at where numbers
//! are known to thirty digits: those that are independent there are independent, so what is *not* integrable is certain, and that
//! nothing more is reached is as certain as the points are in general position.

use crate::directions::{Direction, Free, at_point, bracket, free};
use crate::forms::{Form, Pfaffian, Point};
use crate::span::{Span, Standing, Value, largest_term};
use dalembert_expr::Graph;

/// Nodes that brackets may add to a graph: more take longer than a reader waits.
const NODES: usize = 120_000;
/// Brackets of brackets at most.
const LEVELS: usize = 24;

/// One of the vectors that span what is reached: a free direction, or the bracket of one with an earlier vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    Free(usize),
    Bracket(usize, usize),
}

/// What is reached.
pub(crate) struct Closure {
    /// What rows leave free.
    pub(crate) free: Free,
    /// Vectors that span it, and how they were made.
    pub(crate) vectors: Vec<Direction>,
    pub(crate) made: Vec<Made>,
    /// Dimensions with brackets of one, two, … directions.
    pub(crate) growth: Vec<usize>,
    /// Whether nothing more is reached, as far as the points tell; else there was no room to go on.
    pub(crate) complete: bool,
}

/// Follows brackets until nothing new is reached, or as much as can be: `most`. Of the points the first decides, unless another shows
/// more: then that one does.
pub(crate) fn closure(
    graph: &mut Graph,
    system: &Pfaffian,
    points: &[Point],
    most: usize,
) -> Option<Closure> {
    let mut best: Option<Closure> = None;
    for first in 0..points.len() {
        let mut order: Vec<&Point> = points.iter().collect();
        order.swap(0, first);
        let Some((found, in_general)) = closure_from(graph, system, &order, most) else {
            continue;
        };
        if in_general {
            return Some(found);
        }
        if best
            .as_ref()
            .is_none_or(|it| it.vectors.len() < found.vectors.len())
        {
            best = Some(found);
        }
    }
    best
}

/// The same with one point that decides, and whether the others show nothing more.
fn closure_from(
    graph: &mut Graph,
    system: &Pfaffian,
    points: &[&Point],
    most: usize,
) -> Option<(Closure, bool)> {
    let size = system.variables.len();
    let forms: Vec<&Form> = system.exact.iter().chain(&system.forms).collect();
    // Where rows depend on each other that do not elsewhere, they leave more free than they do.
    let rank = |point: &Point| {
        let mut span = Span::default();
        for form in &forms {
            let entries = form.iter().map(|(&k, &entry)| (k, entry));
            span.insert(at_point(graph, entries, size, point));
        }
        span.dimension()
    };
    let ranks: Vec<usize> = points.iter().map(|point| rank(point)).collect();
    if ranks.iter().any(|&it| it > ranks[0]) {
        return None;
    }
    let free = free(graph, &forms, size, system.time, points[0])?;
    if free.pivots.len() != ranks[0] {
        return None;
    }
    let room = graph.len() + NODES;
    let mut spans = vec![Span::default(); points.len()];
    let mut vectors = free.directions.clone();
    let mut made: Vec<Made> = (0..vectors.len()).map(Made::Free).collect();
    for direction in &vectors {
        if insert(graph, direction, size, points, &mut spans)?.0 != Standing::Outside {
            return None;
        }
    }
    let count = vectors.len();
    let mut growth = vec![count];
    let mut newest = 0..count;
    let (mut complete, mut in_general) = (true, true);
    'levels: while !newest.is_empty() && vectors.len() < most {
        if growth.len() > LEVELS {
            complete = false;
            break;
        }
        let begin = vectors.len();
        for with in newest.clone() {
            for k in 0..count {
                // [X, X] = 0 and [Y, X] = −[X, Y].
                if with < count && k >= with {
                    continue;
                }
                if graph.len() > room {
                    complete = false;
                    break 'levels;
                }
                let (x, y) = (vectors[k].clone(), vectors[with].clone());
                let found = bracket(graph, &system.variables, &x, &y);
                if found.is_empty() {
                    continue;
                }
                let (standing, elsewhere) = insert(graph, &found, size, points, &mut spans)?;
                in_general &= !elsewhere;
                match standing {
                    Standing::Outside => {
                        vectors.push(found);
                        made.push(Made::Bracket(k, with));
                    }
                    Standing::Inside => {}
                    Standing::Unknown => complete = false,
                }
                if vectors.len() >= most {
                    break 'levels;
                }
            }
        }
        newest = begin..vectors.len();
        if !newest.is_empty() {
            growth.push(vectors.len());
        }
    }
    if growth.last() != Some(&vectors.len()) {
        growth.push(vectors.len());
    }
    let found = Closure {
        free,
        vectors,
        made,
        growth,
        complete,
    };
    Some((found, in_general))
}

/// Adds a direction to the spans at all points: where it stands at the first, and whether it is new at another and not there. `None`
/// if it has no value at the first.
fn insert(
    graph: &Graph,
    direction: &Direction,
    size: usize,
    points: &[&Point],
    spans: &mut [Span],
) -> Option<(Standing, bool)> {
    let (mut standing, mut elsewhere) = (Standing::Inside, false);
    for (place, (point, span)) in points.iter().zip(spans).enumerate() {
        let entries = direction.iter().map(|(&k, &part)| (k, part));
        let vector = at_point(graph, entries, size, point);
        let has_value = vector.iter().all(|x| x.number.is_finite());
        match (place, has_value) {
            (0, false) => return None,
            (0, true) => standing = span.insert(vector),
            (_, true) if standing == Standing::Inside => {
                elsewhere |= span.standing(vector) == Standing::Outside;
            }
            (_, true) => {
                span.insert(vector);
            }
            (_, false) => {}
        }
    }
    Some((standing, elsewhere))
}

/// Whether a form vanishes on all that is reached: `Some(false)` is certain.
pub(crate) fn vanishes(
    graph: &Graph,
    form: &Form,
    closure: &Closure,
    points: &[Point],
    size: usize,
) -> Option<bool> {
    let mut known = true;
    for point in points {
        let entries = form.iter().map(|(&k, &part)| (k, part));
        let row = at_point(graph, entries, size, point);
        for direction in &closure.vectors[closure.free.directions.len()..] {
            let entries = direction.iter().map(|(&k, &part)| (k, part));
            let vector = at_point(graph, entries, size, point);
            let mut sum = Value::ZERO;
            for (a, b) in row.iter().zip(&vector) {
                sum = sum.minus(a.times(*b));
            }
            if sum.is_clear() {
                return Some(false);
            }
            // Entries may be rounding of terms that cancel on the surface.
            let scale = largest_term(&row) * largest_term(&vector);
            known &= sum.error <= dalembert_decide::KNOWN * scale || scale <= 0.0;
        }
    }
    known.then_some(true)
}
