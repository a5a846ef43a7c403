//! Deep, long, large and broken models.

use super::{built, found, pendulum, plane};
use crate::dimensions::angles::Angles;
use crate::dimensions::unify::{Form, MOST_WORK, Outcome, Solver, Unknown, one, whole};
use crate::dimensions::{check, inferred, units_of};
use crate::model::Model;
use crate::model::builder::ModelBuilder;
use crate::units::Dimension;

#[test]
fn deep_and_long_expressions_are_walked_without_recursion() {
    let n = 50_000;
    let nested = format!("{}x{}", "(y + sqrt(".repeat(n), "^2))".repeat(n));
    let long = format!("x{}", " + y".repeat(n));
    let product = format!("m*x{}", "*y/x".repeat(n));
    let mut model = plane();
    let mut many = "1 s".to_owned();
    for i in 0..5_000 {
        let name = format!("p{i}");
        model = model.parameter(&name, "1");
        many += &format!("*{name}");
    }
    let model = model
        .definition("many", &many)
        .definition("nested", &nested)
        .definition("long", &long)
        .definition("product", &product)
        .definition("wrong", &format!("{long} + {long} + t"));
    assert_eq!(
        found(model),
        ["E0450 definitions.wrong: y + t\n\
          y is m, but t is s: they cannot be added\n\
          y is m by particle.P.position"]
    );
}

/// A chain of pendulums in x and y, each hanging from the one before.
fn chain(links: usize) -> ModelBuilder {
    let mut model = Model::builder("Chain")
        .gravity("[0, -9.81 m/s^2, 0]")
        .parameter("m", "1 kg")
        .parameter("l", "1");
    for i in 0..links {
        model = model
            .coordinate(&format!("x{i}"), "0")
            .coordinate(&format!("y{i}"), "0");
    }
    // From the last to the first, so that nothing is known until the end.
    for i in (1..links).rev() {
        let j = i - 1;
        let holds = format!("(x{i} - x{j})^2 + (y{i} - y{j})^2 = l^2");
        model = model.constraint(&format!("c{i}"), &holds);
    }
    model.particle("P", "m", "[x0, y0, 0]")
}

fn work(model: &Model) -> usize {
    let mut inference = inferred(model, &Angles::of(model));
    assert!(inference.diagnostics.is_empty());
    assert!(inference.solver.spend(0));
    inference.solver.work()
}

#[test]
fn twenty_thousand_coordinates_take_linear_work() {
    let (small, large) = (built(chain(1_250)), built(chain(10_000)));
    let (few, many) = (work(&small), work(&large));
    assert!(many < 9 * few, "{few} {many}");
    assert!(many < MOST_WORK / 5, "{many}");
    let units = units_of(&large);
    assert!(units.rates.iter().all(|it| it.as_deref() == Some("m/s")));
}

#[test]
fn chains_of_equations_take_nearly_linear_work_in_any_order() {
    let mut random = fastrand::Rng::with_seed(7);
    let equal = |order: &[usize]| {
        let mut solver = Solver::new(order.len() + 1);
        for &i in order {
            let quotient = Form::of(Unknown(i)).mul_pow(Form::of(Unknown(i + 1)), whole(-1));
            let outcome = solver.require_none(quotient.unwrap());
            assert!(matches!(outcome, Outcome::Settles(_)));
        }
        let ends = Form::of(Unknown(0)).mul_pow(Form::of(Unknown(order.len())), whole(-1));
        assert_eq!(solver.require_none(ends.unwrap()), Outcome::Holds);
        solver.work()
    };
    let up: Vec<usize> = (0..20_000).collect();
    let down: Vec<usize> = up.iter().rev().copied().collect();
    let mut shuffled = up.clone();
    random.shuffle(&mut shuffled);
    for order in [up, down, shuffled] {
        let work = equal(&order);
        assert!(work < 100 * order.len(), "{work}");
    }
}

#[test]
fn contrived_systems_are_given_up() {
    // Products of parameters taken at random: elimination fills the rows.
    let mut random = fastrand::Rng::with_seed(3);
    let n = 4_000;
    let mut model = plane();
    for i in 0..n {
        model = model.parameter(&format!("p{i}"), "1");
    }
    for i in 0..n {
        let mut p = || format!("p{}", random.usize(..n));
        let holds = format!("{}*{}*{} = {}*{}", p(), p(), p(), p(), p());
        model = model.constraint(&format!("c{i}"), &holds);
    }
    let model = built(model.definition("wrong", "x + t"));
    let mut inference = inferred(&model, &Angles::of(&model));
    // What was found before stands, and nothing is made up afterwards.
    assert!(!inference.solver.spend(0));
    assert_eq!(inference.diagnostics.len(), 1);
    assert!(
        inference.diagnostics[0]
            .message
            .starts_with("x is m, but t is s")
    );
}

#[test]
fn exponents_out_of_range_are_not_judged() {
    let huge = plane()
        .definition("a", "((x^30000)^30000)^30000 + t")
        .definition("b", "x^0.123456789 + t")
        .definition("c", "x^(1/0) + t")
        .definition("d", "x^(2*3 - 4/2 - 3) + t");
    let errors = found(huge);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("E0450 definitions.d: x^(2*3 - 4/2 - 3) + t\n"));
}

#[test]
fn equations_are_solved_over_the_rationals() {
    let mut solver = Solver::new(3);
    let [a, b, c] = [0, 1, 2].map(Unknown);
    let product = |x: Form, y: Form, power| x.mul_pow(y, power).unwrap();
    // a²b³ = m, b = c², a = c: c = m^(1/8)
    let square = Form::of(a).pow(whole(2)).unwrap();
    let first = product(square, Form::of(b), whole(3));
    let first = product(first, Form::known(Dimension::LENGTH), whole(-1));
    assert!(matches!(solver.require_none(first), Outcome::Settles(_)));
    let second = product(Form::of(b), Form::of(c), whole(-2));
    assert!(matches!(solver.require_none(second), Outcome::Settles(_)));
    let third = product(Form::of(a), Form::of(c), whole(-1));
    assert!(matches!(
        solver.require_none(third.clone()),
        Outcome::Settles(_)
    ));
    assert_eq!(solver.require_none(third), Outcome::Holds);
    let dimension = solver.reduce(Form::of(b)).unwrap().dimension().unwrap();
    assert_eq!(dimension.to_string(), "m^(1/4)");
    let fourth = product(Form::of(c), Form::known(Dimension::TIME), one());
    assert_eq!(solver.require_none(fourth), Outcome::Clash);
}

#[test]
fn broken_files_do_no_harm() {
    let file = include_str!("../../model/tests/full.toml");
    let mut random = fastrand::Rng::with_seed(20);
    let pieces = [
        "x", "'", "^", "2", "(", ")", "m", " s", "*", "/", "+", "=", ",", "[", "sin(", "theta",
        "kg", ".", "at = ", "\"",
    ];
    let mut models = 0;
    let mut errors = 0;
    for _ in 0..4_000 {
        let mut text = file.to_owned();
        for _ in 0..random.usize(1..4) {
            let mut at = random.usize(..text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let piece = pieces[random.usize(..pieces.len())];
            match random.bool() {
                true => text.insert_str(at, piece),
                false => {
                    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
                    text.replace_range(at..end, piece);
                }
            }
        }
        if let Ok((model, _)) = crate::model::read(&text) {
            models += 1;
            errors += check(&model).len();
            let units = units_of(&model);
            assert_eq!(units.coordinates.len(), model.coordinates.len());
        }
    }
    assert!(models > 200 && errors > 100, "{models} {errors}");
}

#[test]
fn checking_twice_says_the_same() {
    let model = built(pendulum().definition("d", "theta + l + t"));
    assert_eq!(check(&model), check(&model));
    assert_eq!(check(&model).len(), 1);
}
