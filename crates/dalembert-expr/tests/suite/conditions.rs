//! Conditions: what is not chosen does not count, in values, derivatives, proofs and texts.

use dalembert_expr::calculus::{Standing, gradient, partial, standing};
use dalembert_expr::normal::Field;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::syntax::{Relation, choice};
use dalembert_expr::{ExprId, Graph, SymbolKind, evaluate, one_side};

fn x_of(g: &mut Graph) -> ExprId {
    g.symbol("x", SymbolKind::Parameter)
}

/// if(x > 1, sqrt(x - 1), x^2), and x.
fn root_or_square(g: &mut Graph) -> (ExprId, ExprId) {
    let x = x_of(g);
    let one = g.integer(1);
    let rest = g.sub(x, one);
    let (root, square) = (g.sqrt(rest), g.powi(x, 2));
    (choice(g, Relation::Greater, [x, one], [root, square]), x)
}

#[test]
fn what_is_not_chosen_does_not_count() {
    let mut g = Graph::new();
    let (value, _) = root_or_square(&mut g);
    let at = |x: f64| evaluate(&g, &[value], |_| x)[0];
    assert_eq!(
        [-2.0, 0.5, 1.0, 2.0, 5.0].map(at),
        [4.0, 0.25, 1.0, 1.0, 2.0]
    );
    assert!(at(f64::NAN).is_nan());
}

#[test]
fn comparisons_differ_where_sides_are_equal() {
    let mut g = Graph::new();
    let x = x_of(&mut g);
    let [one, two, three] = [1, 2, 3].map(|n| g.integer(n));
    let relations = [
        Relation::Less,
        Relation::LessOrEqual,
        Relation::Greater,
        Relation::GreaterOrEqual,
    ];
    let choices = relations.map(|relation| choice(&mut g, relation, [x, one], [two, three]));
    let at = |x: f64| evaluate(&g, &choices, |_| x);
    assert_eq!(at(0.0), [2.0, 2.0, 3.0, 3.0]);
    assert_eq!(at(1.0), [3.0, 2.0, 3.0, 2.0]);
    assert_eq!(at(2.0), [3.0, 3.0, 2.0, 2.0]);
}

/// Forwards and backwards: 0·∞ nowhere, also where the root has no slope.
#[test]
fn derivatives_do_not_look_at_what_is_not_chosen() {
    let mut g = Graph::new();
    let (value, x) = root_or_square(&mut g);
    let by = g.as_symbol(x).unwrap();
    let two = g.integer(2);
    let scaled = g.mul(value, two);
    let product = g.mul(scaled, x);
    let slopes = [
        partial(&mut g, product, by),
        gradient(&mut g, product, &[by])[0],
    ];
    for (x, wanted) in [(-2.0_f64, 24.0_f64), (1.0, 6.0), (2.0, 2.0 + 2.0)] {
        for slope in evaluate(&g, &slopes, |_| x) {
            assert!(
                (slope - wanted).abs() < 1e-14,
                "{slope} for {wanted} at {x}"
            );
        }
    }
}

#[test]
fn a_condition_on_a_number_is_decided_and_equal_values_need_none() {
    let mut g = Graph::new();
    let x = x_of(&mut g);
    let [one, two] = [1, 2].map(|n| g.integer(n));
    let decided = choice(&mut g, Relation::Less, [one, two], [x, two]);
    assert_eq!(decided, x);
    let root = g.sqrt(x);
    let same = choice(&mut g, Relation::Less, [x, two], [root, root]);
    assert_eq!(same, root);
    let (yes, zero) = (g.sin(x), g.integer(0));
    let inner = choice(&mut g, Relation::Less, [x, two], [yes, zero]);
    let outer = choice(&mut g, Relation::Less, [x, two], [inner, zero]);
    assert_eq!(outer, inner);
}

#[test]
fn a_choice_is_written_in_every_notation() {
    let mut g = Graph::new();
    let (value, _) = root_or_square(&mut g);
    let written = |format| print_one(&g, value, format);
    assert_eq!(written(Format::Model), "if(x > 1, sqrt(x - 1), x^2)");
    assert_eq!(written(Format::Text), "[x > 1] √(x - 1) + [x ≤ 1] x²");
    assert_eq!(
        written(Format::Latex),
        r"\left[x > 1\right] \sqrt{x - 1} + \left[x \le 1\right] x^2"
    );
    assert_eq!(written(Format::Typst), "[x > 1] sqrt(x - 1) + [x <= 1] x^2");
    assert_eq!(
        written(Format::C),
        "dalembert_above(x - 1.0, sqrt(x - 1.0)) + dalembert_not_above(x - 1.0, x*x)"
    );
    assert_eq!(
        written(Format::Python),
        "dalembert_above(x - 1.0, lambda: math.sqrt(x - 1.0)) + dalembert_not_above(x - 1.0, lambda: x**2)"
    );
    assert_eq!(
        written(Format::Sympy),
        "Piecewise((sqrt(x - 1), x > 1), (x**2, True))"
    );
}

#[test]
fn nothing_is_linear_in_what_a_condition_asks_for() {
    let mut g = Graph::new();
    let x = x_of(&mut g);
    let y = g.symbol("y", SymbolKind::Parameter);
    let zero = g.integer(0);
    let value = choice(&mut g, Relation::Greater, [x, zero], [y, zero]);
    let of = |id| g.as_symbol(id).unwrap();
    assert_eq!(standing(&g, value, &[of(y)]), Standing::Polynomial);
    assert_eq!(standing(&g, value, &[of(x)]), Standing::Function);
}

#[test]
fn sides_of_a_condition_are_told_apart_for_both_signs_of_its_argument() {
    let mut g = Graph::new();
    let (value, x) = root_or_square(&mut g);
    let one = g.integer(1);
    let (ahead, behind) = (g.sub(x, one), g.sub(one, x));
    let (root, square) = (g.sqrt(ahead), g.powi(x, 2));
    assert_eq!(one_side(&mut g, &[value], ahead, true), [root]);
    assert_eq!(one_side(&mut g, &[value], ahead, false), [square]);
    assert_eq!(one_side(&mut g, &[value], behind, true), [square]);
}

/// H² = H is known, H = 1 is not; and what may be zero in a region is told.
#[test]
fn the_field_knows_that_a_condition_is_one_or_nothing() {
    let mut g = Graph::new();
    let x = x_of(&mut g);
    let y = g.symbol("y", SymbolKind::Parameter);
    let zero = g.integer(0);
    let value = choice(&mut g, Relation::Greater, [x, zero], [y, zero]);
    let square = g.mul(value, value);
    let other = g.mul(value, y);
    let mut field = Field::new();
    let taken: Vec<_> = field
        .take_all(&g, &[square, other, value, y])
        .into_iter()
        .map(|it| it.unwrap())
        .collect();
    assert!(field.is_equal(&taken[0], &taken[1]).unwrap());
    assert!(!field.is_equal(&taken[2], &taken[3]).unwrap());
    assert!(field.may_switch_off(&taken[2]) && !field.may_switch_off(&taken[3]));
}

#[test]
fn thirty_digits_are_given_where_it_is_clear_which_side_counts() {
    let mut g = Graph::new();
    let (value, _) = root_or_square(&mut g);
    let at = |x: f64, error: f64| {
        evaluate_bounded(&g, &[value], |_| Bounded::within(Number::from(x), error))[0]
    };
    assert_eq!(at(0.5, 1e-20).value.to_f64(), 0.25);
    assert!(at(1.0, 1e-20).value.to_f64().is_nan());
    assert_eq!(at(1.0, 0.0).value.to_f64(), 1.0);
}
