//! Joints and bodies of one form are derived once and written out for all others: each row and each part of M against its own
//! expression, differentiated by itself.

use dalembert_expr::calculus::{gradient, time_derivative};
use dalembert_expr::{ExprId, Graph, SymbolId, evaluate, substitute};
use dalembert_system::lower::{Level, System, lower};
use dalembert_system::{random, read_model};
use std::fmt::Write;

/// Links on hinges across and upright in turn, joints that stand in rates between them, masses that differ.
fn links(n: usize) -> String {
    let mut text = "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[parameters]\n".to_owned();
    for i in 0..n {
        writeln!(text, "m{i} = {}", i + 1).unwrap();
    }
    for i in 0..n {
        write!(
            text,
            "[body.link{i}]\nmass = \"m{i}\"\nshape = {{ box = {{ size = [1, 0.1, 0.2] }} }}\n\
             point = {{ foot = \"[-0.5, 0, 0]\", tip = \"[0.5, 0, 0]\" }}\n\
             start = {{ center = \"[{i} + 0.5, 0, 0]\" }}\n"
        )
        .unwrap();
    }
    for i in 0..n {
        let before = match i {
            0 => "ground".to_owned(),
            _ => format!("link{}.tip", i - 1),
        };
        let axis = ["[0, 1, 0]", "[0, 0, 1]"][i % 2];
        write!(
            text,
            "[joint.hinge{i}]\ntype = \"revolute\"\nbetween = [\"{before}\", \"link{i}.foot\"]\naxis = \"{axis}\"\n"
        )
        .unwrap();
    }
    for i in 1..n {
        let j = i - 1;
        write!(
            text,
            "[constraint.gear{i}]\nholds = \"dot(omega(link{i}), link{i}.ey) = t*dot(vel(link{j}), link{j}.ex)\"\n"
        )
        .unwrap();
    }
    text
}

fn system(n: usize) -> System {
    let (model, _) = read_model(&links(n)).unwrap();
    lower(&model).unwrap()
}

fn close(what: &str, found: f64, wanted: f64) {
    let error = (found - wanted).abs();
    assert!(
        error <= 1e-10 * (1.0 + wanted.abs()),
        "{what}: {found} for {wanted}"
    );
}

/// Values of some expressions where every symbol has a number of its own.
fn values(graph: &Graph, expressions: &[ExprId]) -> Vec<f64> {
    evaluate(graph, expressions, |it| random(it.index() as u64, 7) - 0.7)
}

/// An expression for accelerations that are zero.
fn at_rest(g: &mut Graph, accelerations: &[SymbolId], value: ExprId) -> ExprId {
    let zero = g.integer(0);
    let rest: Vec<_> = accelerations
        .iter()
        .map(|&it| (g.symbol_node(it), zero))
        .collect();
    substitute(g, &[value], &rest)[0]
}

/// A full row: zeros where nothing is stored.
fn full(n: usize, sparse: &[(usize, ExprId)], zero: ExprId) -> Vec<ExprId> {
    let mut row = vec![zero; n];
    for &(i, value) in sparse {
        row[i] = value;
    }
    row
}

#[test]
fn every_row_is_what_its_own_expression_gives() {
    let System {
        mut graph,
        symbols,
        rows,
        speeds,
        ..
    } = system(9);
    let (g, n) = (&mut graph, symbols.coordinates.len());
    let zero = g.integer(0);
    let mut levels = [0; 2];
    let compare = |g: &mut Graph, what: &str, [found, wanted]: [Vec<ExprId>; 2]| {
        for (found, wanted) in values(g, &found).into_iter().zip(values(g, &wanted)) {
            close(what, found, wanted);
        }
    };
    for row in &rows {
        let rate = time_derivative(g, &[row.residual]).unwrap()[0];
        let (by, speed) = match row.level {
            Level::Position => (&symbols.coordinates, rate),
            _ => (&symbols.rates, row.residual),
        };
        levels[usize::from(row.level == Level::Velocity)] += 1;
        let slopes = gradient(g, row.residual, by);
        let change = time_derivative(g, &[speed]).unwrap()[0];
        let rest = at_rest(g, &symbols.accelerations, change);
        let bias = g.neg(rest);
        let found = full(n, &row.jacobian, zero);
        let found = found.into_iter().chain([row.bias]).chain(row.rate);
        let wanted = slopes.into_iter().chain([bias, speed]);
        compare(g, &row.name, [found.collect(), wanted.collect()]);
    }
    assert_eq!(levels, [9 + 9 * 5, 8]);
    assert!(rows.iter().filter(|row| row.rheonomic).count() == 8);
    let speeds = speeds.unwrap();
    for (i, &value) in speeds.values.iter().enumerate() {
        let slopes = gradient(g, value, &symbols.rates);
        let rates: Vec<_> = (symbols.rates.iter())
            .map(|&it| (g.symbol_node(it), zero))
            .collect();
        let offset = substitute(g, &[value], &rates)[0];
        let change = time_derivative(g, &[value]).unwrap()[0];
        let gamma = at_rest(g, &symbols.accelerations, change);
        let found = full(n, &speeds.matrix[i], zero);
        let found = found.into_iter().chain([speeds.offset[i], speeds.gamma[i]]);
        let wanted = slopes.into_iter().chain([offset, gamma]);
        compare(g, "speeds", [found.collect(), wanted.collect()]);
    }
}

/// Components that are 0 = 0 look the same at every level, and are of that of their vector.
#[test]
fn empty_rows_are_of_the_level_of_their_vector() {
    let mut text = "dalembert = 1\n[coordinates]\n".to_owned();
    for i in 0..6 {
        writeln!(text, "x{i} = 0\ny{i} = 0").unwrap();
    }
    for i in 0..6 {
        let holds = match i < 3 {
            true => format!("vel(P{i}) = [0, 0, 0]"),
            false => format!("pos(P{i}) = [0, 0, 0]"),
        };
        write!(
            text,
            "[particle.P{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\"\n[constraint.C{i}]\nholds = \"{holds}\"\n"
        )
        .unwrap();
    }
    let (model, _) = read_model(&text).unwrap();
    let rows = lower(&model).unwrap().rows;
    let levels: Vec<Level> = rows.iter().map(|row| row.level).collect();
    let wanted = [[Level::Velocity; 9], [Level::Position; 9]];
    assert_eq!(levels, wanted.as_flattened());
}

/// M is the second derivative of T by the rates, h without other forces what Lagrange's equations say.
#[test]
fn every_body_is_what_the_kinetic_energy_says() {
    let System {
        mut graph,
        symbols,
        inertia,
        kinetic,
        ..
    } = system(7);
    let (g, n) = (&mut graph, symbols.coordinates.len());
    let momenta = gradient(g, kinetic, &symbols.rates);
    let by_coordinates = gradient(g, kinetic, &symbols.coordinates);
    for i in 0..n {
        let wanted = gradient(g, momenta[i], &symbols.rates);
        let entries = inertia.iter().flat_map(|part| &part.mass);
        let row = entries.filter(|&&(row, column, _)| row == i || column == i);
        let mut found = vec![0.0; n];
        for &(row, column, value) in row {
            found[row + column - i] += values(g, &[value])[0];
        }
        for (found, wanted) in found.into_iter().zip(values(g, &wanted)) {
            close("M", found, wanted);
        }
        let change = time_derivative(g, &[momenta[i]]).unwrap()[0];
        let rest = at_rest(g, &symbols.accelerations, change);
        let wanted = g.sub(by_coordinates[i], rest);
        let forces = inertia.iter().flat_map(|part| &part.force);
        let forces: Vec<ExprId> = forces.filter(|it| it.0 == i).map(|it| it.1).collect();
        let found: f64 = values(g, &forces).iter().sum();
        close("h", found, values(g, &[wanted])[0]);
    }
}

/// Nothing that is only on the way is made again: the expressions of a system are most of its graph.
#[test]
fn copies_cost_what_they_are_made_of() {
    let nodes = |n: usize| system(n).graph.len();
    let (few, more) = (nodes(20), nodes(40));
    let each = (more - few) as f64 / 20.0;
    let system = system(40);
    let needed = dalembert_expr::Cone::new(&system.graph, &system.expressions()).len() as f64;
    assert!(
        each < 1.5 * needed / 40.0,
        "{each} nodes a link, {needed} needed by 40"
    );
}
