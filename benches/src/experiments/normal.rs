//! Readable equations: the normal form of a chain's equations of motion, and its form for the eye.

use crate::{BenchError, Cell, Column, Experiment, Room, Row, milliseconds};
use dalembert_expr::calculus::{partial, time_derivative};
use dalembert_expr::normal::{Field, Fraction, Style};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};

const COLUMNS: &[Column] = &[
    Column::count("links", "N"),
    Column::count("terms", "terms"),
    Column::measure("normal_ms", "normal form ms"),
    Column::measure("form_ms", "form ms"),
    Column::count("latex", "LaTeX characters"),
];

/// Chains in absolute angles.
pub const NORMAL: Experiment = Experiment {
    key: "normal",
    title: "readable equations of the planar N-link pendulum, absolute angles",
    goal: "under 1 s at N = 10",
    limit: "",
    columns: COLUMNS,
    sizes: &[1, 2, 5, 10],
    quick_sizes: &[1, 2],
    measure: |room, links| measure(room, links, false),
};

/// Chains in relative angles.
pub const NORMAL_RELATIVE: Experiment = Experiment {
    key: "normal-relative",
    title: "readable equations of the planar N-link pendulum, relative angles",
    goal: "under 0.3 s at N = 5, at most 12 000 characters",
    limit: "",
    columns: COLUMNS,
    sizes: &[2, 3, 4, 5],
    quick_sizes: &[2],
    measure: |room, links| measure(room, links, true),
};

fn measure(room: &Room, links: usize, relative: bool) -> Result<Row, BenchError> {
    let (graph, equations, style) = equations(links, relative);
    let take = || {
        let mut field = Field::new();
        let values: Vec<Fraction> = field
            .take_all(&graph, &equations)
            .into_iter()
            .flatten()
            .collect();
        (field, values)
    };
    let taking = room.clock.least(take);
    let (field, values) = take();
    let form = || {
        let mut graph = graph.clone();
        let forms = field.present(&mut graph, &values, &style);
        (graph, forms)
    };
    let forming = room.clock.least(form);
    let (graph, forms) = form();
    let latex = |&id: &ExprId| print_one(&graph, id, Format::Latex).len();
    let all = values.len() == equations.len();
    Ok(Cell::row([
        Some(links as f64),
        Some(values.iter().map(Fraction::len).sum::<usize>() as f64),
        Some(milliseconds(taking)),
        Some(milliseconds(forming)),
        all.then(|| forms.iter().map(latex).sum::<usize>() as f64),
    ]))
}

/// Lagrange's equations of a chain of links with masses at their ends.
fn equations(links: usize, relative: bool) -> (Graph, Vec<ExprId>, Style) {
    let mut g = Graph::new();
    let mut symbols = |name: &str, kind, order| -> Vec<ExprId> {
        (1..=links)
            .map(|i| g.derivative_symbol(&format!("{name}{i}"), kind, order))
            .collect()
    };
    let masses = symbols("m", SymbolKind::Parameter, 0);
    let lengths = symbols("l", SymbolKind::Parameter, 0);
    let angles = symbols("q", SymbolKind::Coordinate, 0);
    let rates = symbols("q", SymbolKind::Coordinate, 1);
    let accelerations = symbols("q", SymbolKind::Coordinate, 2);
    let gravity = g.symbol("g", SymbolKind::Parameter);
    let zero = g.integer(0);
    let (mut angle, mut x, mut y) = (zero, zero, zero);
    let (mut kinetic, mut potential) = (zero, zero);
    for i in 0..links {
        angle = if relative {
            g.add(angle, angles[i])
        } else {
            angles[i]
        };
        let (sine, cosine) = (g.sin(angle), g.cos(angle));
        let (dx, dy) = (g.mul(lengths[i], sine), g.mul(lengths[i], cosine));
        (x, y) = (g.add(x, dx), g.sub(y, dy));
        let velocity = time_derivative(&mut g, &[x, y]).expect("coordinates have rates");
        let (vx, vy) = (g.powi(velocity[0], 2), g.powi(velocity[1], 2));
        let square = g.add(vx, vy);
        let energy = g.mul(masses[i], square);
        kinetic = g.add(kinetic, energy);
        let weight = g.mul(masses[i], gravity);
        let height = g.mul(weight, y);
        potential = g.add(potential, height);
    }
    let two = g.integer(2);
    kinetic = g.div(kinetic, two);
    let lagrangian = g.sub(kinetic, potential);
    let ids = |g: &Graph, list: &[ExprId]| -> Vec<SymbolId> {
        list.iter().filter_map(|&id| g.as_symbol(id)).collect()
    };
    let (q, v, a) = (ids(&g, &angles), ids(&g, &rates), ids(&g, &accelerations));
    let mut equations = Vec::new();
    for (&q, &v) in q.iter().zip(&v) {
        let momentum = partial(&mut g, kinetic, v);
        let change = time_derivative(&mut g, &[momentum]).expect("coordinates have rates")[0];
        let slope = partial(&mut g, lagrangian, q);
        equations.push(g.sub(change, slope));
    }
    let style = Style {
        collect: vec![a, v],
    };
    (g, equations, style)
}
