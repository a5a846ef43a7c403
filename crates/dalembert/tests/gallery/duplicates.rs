//! Saying a constraint twice changes nothing but the report.

use crate::support::{
    assert_close, at_most, exact, mechanism, names, ran, read, run, state_on_the_way, text,
};
use dalembert_mechanics::lower::Row;

/// The model with each constraint said again, three times over.
fn said_twice(text: &str) -> String {
    let mut doubled = text.to_owned();
    for block in text.split("\n[constraint.").skip(1) {
        let name = block.split(']').next().unwrap();
        let line = |key: &str| block.lines().find(|line| line.starts_with(key));
        let holds = line("holds").unwrap();
        let said = holds.split('"').nth(1).unwrap();
        // `at = …` is not the equation.
        let split = |sign| {
            let sides = said.split_once(sign);
            sides.map(|(left, right)| (left, sign, right))
        };
        let equation = || split("=").filter(|_| said.matches('=').count() == 1);
        let sides = split(">=").or_else(|| split("<=")).or_else(equation);
        let again = match sides {
            Some((left, sign, right)) => format!("holds = \"3*({left}) {sign} 3*({right})\""),
            None => holds.to_owned(),
        };
        let again = [&again, line("restitution").unwrap_or_default()].join("\n");
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
        // Rows that wait for an event are engaged by their own names; contacts by shape are not said as rows.
        let no_rows = ["active = false", "[contact."];
        if rows == 0 || no_rows.iter().any(|it| text(&name).contains(it)) {
            continue;
        }
        seen += 1;
        let twice = read(&said_twice(&text(&name))).unwrap();
        assert_eq!(twice.system.rows.len(), 2 * rows, "{name}");
        let state = state_on_the_way(&once);
        if !once.system.servo.is_empty() || once.system.has_laws() {
            // Said again a servo row is held by a reaction as well, one too many to know; a law has no reaction to use. Where contacts are
            // closed the start knows; and where friction shares its load in many ways, that is told.
            let unknown = match twice.start() {
                Ok(start) => {
                    let states = [state, start.state];
                    states.iter().any(|it| twice.snapshot(it).is_err())
                        || ran(&twice, &exact()).map_or(true, |run| run.shared_slips.is_some())
                }
                Err(_) => true,
            };
            assert!(unknown, "{name}");
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
        // Contacts that are open are no rows.
        let closed = |row: &Row| state.mode.is_active(&once.system, row.constraint);
        let rows = once.system.rows.iter().filter(|row| closed(row)).count();
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
        let unique = b.unique.iter().zip(twice.system.rows.iter());
        let mut unique =
            unique.filter(|(_, row)| state.mode.is_active(&twice.system, row.constraint));
        assert!(unique.all(|(unique, _)| !unique), "{name}");
        let span = at_most(0.5, &once);
        let (a, b) = (run(&once, span, &exact()), run(&twice, span, &exact()));
        assert_close(&b.coordinates, &a.coordinates, 1e-8, &name);
        assert_close(&b.rates, &a.rates, 1e-8, &name);
        assert!((a.work - b.work).abs() < 1e-8, "{name}");
    }
    assert!(seen >= 9);
}
