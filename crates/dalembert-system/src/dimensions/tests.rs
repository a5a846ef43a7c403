//! How much work the inference is, and the equations of dimensions; the rest is tested from outside, in
//! `tests/suite/dimensions`.

use super::angles::Angles;
use super::unify::{Form, MOST_WORK, Outcome, Unifier, Unknown, one, whole};
use super::{inferred, units_of};
use crate::model::Model;
use crate::model::builder::ModelBuilder;
use crate::units::Dimension;

fn built(builder: ModelBuilder) -> Model {
    builder
        .build()
        .unwrap_or_else(|errors| panic!("{errors:#?}"))
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
    assert!(inference.unifier.spend(0));
    inference.unifier.work()
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
        let mut unifier = Unifier::new(order.len() + 1);
        for &i in order {
            let quotient = Form::of(Unknown(i)).mul_pow(Form::of(Unknown(i + 1)), whole(-1));
            let outcome = unifier.require_none(quotient.unwrap());
            assert!(matches!(outcome, Outcome::Settles(_)));
        }
        let ends = Form::of(Unknown(0)).mul_pow(Form::of(Unknown(order.len())), whole(-1));
        assert_eq!(unifier.require_none(ends.unwrap()), Outcome::Holds);
        unifier.work()
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
    let mut model = Model::builder("Plane")
        .parameter("m", "2 kg")
        .coordinate("x", "0")
        .coordinate("y", "0")
        .particle("P", "m", "[x, y, 0]");
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
    assert!(!inference.unifier.spend(0));
    assert_eq!(inference.diagnostics.len(), 1);
    assert!(
        inference.diagnostics[0]
            .message
            .starts_with("x is m, but t is s")
    );
}

#[test]
fn equations_are_solved_over_the_rationals() {
    let mut unifier = Unifier::new(3);
    let [a, b, c] = [0, 1, 2].map(Unknown);
    let product = |x: Form, y: Form, power| x.mul_pow(y, power).unwrap();
    // a²b³ = m, b = c², a = c: c = m^(1/8)
    let square = Form::of(a).pow(whole(2)).unwrap();
    let first = product(square, Form::of(b), whole(3));
    let first = product(first, Form::known(Dimension::LENGTH), whole(-1));
    assert!(matches!(unifier.require_none(first), Outcome::Settles(_)));
    let second = product(Form::of(b), Form::of(c), whole(-2));
    assert!(matches!(unifier.require_none(second), Outcome::Settles(_)));
    let third = product(Form::of(a), Form::of(c), whole(-1));
    assert!(matches!(
        unifier.require_none(third.clone()),
        Outcome::Settles(_)
    ));
    assert_eq!(unifier.require_none(third), Outcome::Holds);
    let dimension = unifier.reduce(Form::of(b)).unwrap().dimension().unwrap();
    assert_eq!(dimension.to_string(), "m^(1/4)");
    let fourth = product(Form::of(c), Form::known(Dimension::TIME), one());
    assert_eq!(unifier.require_none(fourth), Outcome::Clash);
}
