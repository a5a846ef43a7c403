//! Saying a constraint twice changes nothing but the report.

use crate::support::{
    assert_close, at_most, exact, mechanism, names, read, run, state_on_the_way, text,
};

/// The model with each constraint said again, three times over.
fn said_twice(text: &str) -> String {
    let mut doubled = text.to_owned();
    for block in text.split("\n[constraint.").skip(1) {
        let name = block.split(']').next().unwrap();
        let holds = block
            .lines()
            .find(|line| line.starts_with("holds"))
            .unwrap();
        let (left, right) = holds
            .split('"')
            .nth(1)
            .unwrap()
            .split_once('=')
            .map_or_else(
                || panic!("{holds}"),
                // `at = …` is not the equation.
                |parts| match holds.matches('=').count() {
                    2 => parts,
                    _ => ("", ""),
                },
            );
        let again = if left.is_empty() {
            holds.to_owned()
        } else {
            format!("holds = \"3*({left}) = 3*({right})\"")
        };
        doubled += &format!("\n[constraint.{name}_again]\n{again}\n");
    }
    doubled
}

#[test]
fn duplicated_rows_change_nothing() {
    let mut seen = 0;
    for name in names() {
        let once = mechanism(&name);
        let rows = once.system.rows.len();
        if rows == 0 {
            continue;
        }
        seen += 1;
        let twice = read(&said_twice(&text(&name))).unwrap();
        assert_eq!(twice.system.rows.len(), 2 * rows, "{name}");
        let state = state_on_the_way(&once);
        if !once.system.servo.is_empty() || once.system.has_laws() {
            // Said again a servo row is held by a reaction as well, one too many to know; a law has no reaction to use.
            assert!(twice.snapshot(&state).is_err(), "{name}");
            continue;
        }
        let (a, b) = (
            once.snapshot(&state).unwrap(),
            twice.snapshot(&state).unwrap(),
        );
        for (found, wanted, what) in [
            (&b.accelerations, &a.accelerations, "accelerations"),
            (&b.speed_rates, &a.speed_rates, "speed rates"),
            (&b.force_given, &a.force_given, "given"),
            (&b.force_ideal, &a.force_ideal, "ideal"),
            (&b.force_nonideal, &a.force_nonideal, "non-ideal"),
        ] {
            assert_close(found, wanted, 1e-9, &format!("{name}, {what}"));
        }
        assert_eq!(a.rank, b.rank, "{name}");
        let redundant = |found: &[bool]| found.iter().filter(|&&redundant| redundant).count();
        assert_eq!(redundant(&a.redundant), rows - a.rank, "{name}");
        assert_eq!(redundant(&b.redundant), 2 * rows - a.rank, "{name}");
        // Bricard's mechanism has a row too many as it is.
        let overconstrained = name.starts_with("bricard");
        assert_eq!(a.rank < rows, overconstrained, "{name}");
        assert_eq!(
            a.unique.iter().all(|&unique| unique),
            !overconstrained,
            "{name}"
        );
        assert!(b.unique.iter().all(|unique| !unique), "{name}");
        let span = at_most(0.5, &once);
        let (a, b) = (run(&once, span, &exact()), run(&twice, span, &exact()));
        assert_close(&b.coordinates, &a.coordinates, 1e-8, &name);
        assert_close(&b.rates, &a.rates, 1e-8, &name);
        assert!((a.work - b.work).abs() < 1e-8, "{name}");
    }
    assert!(seen >= 9);
}
