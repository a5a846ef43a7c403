//! Tables: splines of cubics, ends, knots, bounds.
#![expect(clippy::float_cmp, reason = "numbers that doubles have exactly")]
use super::*;

fn table(interpolation: Interpolation, beyond: Beyond, points: &[(f64, f64)]) -> Table {
    let label = Label {
        file: "f.csv".into(),
        column: "y".into(),
        interpolation,
        beyond,
    };
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    Table::new(label, &x, &y).expect("a table")
}

#[test]
fn a_spline_through_a_cubic_is_that_cubic() {
    let cubic = |x: f64| 2.0 - x + 3.0 * x * x - 0.5 * x * x * x;
    let points: Vec<(f64, f64)> = [-1.0, -0.3, 0.4, 1.7, 2.0, 3.5]
        .map(|x| (x, cubic(x)))
        .to_vec();
    let table = table(Interpolation::Cubic, Beyond::Refused, &points);
    for k in 0..=45 {
        let x = -1.0 + 0.1 * f64::from(k);
        let wanted = [cubic(x), -1.0 + 6.0 * x - 1.5 * x * x, 6.0 - 3.0 * x, -3.0];
        for (order, wanted) in (0..).zip(wanted) {
            let found = table.derivative(order, x);
            assert!(
                (found - wanted).abs() < 1e-12,
                "{order} at {x}: {found} for {wanted}"
            );
        }
    }
}

#[test]
fn few_points_give_a_line_and_a_parabola() {
    let line = table(
        Interpolation::Cubic,
        Beyond::Line,
        &[(0.0, 1.0), (2.0, 5.0)],
    );
    assert_eq!(line.derivative(0, 1.0), 3.0);
    assert_eq!(line.derivative(0, 3.0), 7.0);
    let points = [(0.0, 0.0), (1.0, 1.0), (3.0, 9.0)];
    let parabola = table(Interpolation::Cubic, Beyond::Refused, &points);
    assert!((parabola.derivative(0, 2.0) - 4.0).abs() < 1e-14);
    assert!(parabola.derivative(0, 3.0 + 1e-9).is_nan());
}

#[test]
fn beyond_the_ends_is_what_was_told() {
    let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 4.0)];
    let hold = table(Interpolation::Linear, Beyond::Hold, &points);
    assert_eq!(
        [-1.0, 0.5, 1.0, 5.0].map(|x| hold.derivative(0, x)),
        [1.0, 2.0, 3.0, 4.0]
    );
    assert_eq!(
        [-1.0, 0.5, 5.0].map(|x| hold.derivative(1, x)),
        [0.0, 2.0, 0.0]
    );
    let line = table(Interpolation::Linear, Beyond::Line, &points);
    assert_eq!([-1.0, 5.0].map(|x| line.derivative(0, x)), [-1.0, 7.0]);
    let refused = table(Interpolation::Linear, Beyond::Refused, &points);
    assert!(refused.derivative(0, -1e-9).is_nan());
    assert_eq!(refused.derivative(0, 2.0), 4.0);
    assert!(refused.derivative(0, 2.0_f64.next_up()).is_finite());
}

#[test]
fn sides_change_at_knots_only() {
    let points = [(0.0, 1.0), (1.0, 3.0), (4.0, 4.0)];
    let table = table(Interpolation::Linear, Beyond::Hold, &points);
    let signs = [-0.5, 0.25, 0.75, 1.5, 3.5, 4.5].map(|x| table.sides(x).signum());
    assert_eq!(signs, [1.0, -1.0, -1.0, 1.0, 1.0, -1.0]);
    assert!(table.knots().iter().all(|&knot| table.sides(knot) == 0.0));
}

#[test]
fn bounds_hold_the_values_between() {
    let points: Vec<(f64, f64)> = (0..60)
        .map(|k| {
            (
                f64::from(k) + 0.3 * f64::from(k % 3),
                f64::from(k * 37 % 23),
            )
        })
        .collect();
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let table = Arc::new(table(interpolation, Beyond::Line, &points));
        for taken in [Taken::Derivative(0), Taken::Derivative(1), Taken::Sides] {
            let table = Arc::clone(&table);
            let function = TableFunction { table, taken };
            for k in 0..300 {
                let low = -3.0 + 0.21 * f64::from(k);
                let high = low + 0.01 * f64::from(k * k % 997);
                let [least, largest] = function.bounds([low, high]);
                for i in 0..=40 {
                    let x = low + (high - low) * f64::from(i) / 40.0;
                    let value = function.value(x);
                    let room = 1e-12 * (1.0 + value.abs());
                    let inside = least - room <= value && value <= largest + room;
                    assert!(inside, "{value} at {x} in [{least}, {largest}]");
                }
            }
        }
    }
}

#[test]
fn points_that_make_no_table_are_refused() {
    let made = |x: &[f64], y: &[f64]| {
        let label = table(
            Interpolation::Linear,
            Beyond::Hold,
            &[(0.0, 0.0), (1.0, 0.0)],
        )
        .label;
        Table::new(label, x, y).err()
    };
    assert_eq!(made(&[1.0], &[1.0]), Some(NoTable::TooFew));
    assert_eq!(
        made(&[0.0, 1.0, 1.0], &[0.0; 3]),
        Some(NoTable::NotIncreasing(2))
    );
    assert_eq!(
        made(&[0.0, f64::NAN], &[0.0; 2]),
        Some(NoTable::NotFinite(1))
    );
    assert_eq!(made(&[0.0, 1e-300], &[0.0, 1e300]), Some(NoTable::TooLarge));
}
