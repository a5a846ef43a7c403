//! Every example is read without a word, starts consistently, and runs.

use crate::support::{at_most, mechanism, names, run};
use dalembert::simulate::{Outcome, RunOptions};

#[test]
fn every_example_runs() {
    for name in names() {
        let mechanism = mechanism(&name);
        assert!(mechanism.model.title.is_some(), "{name}");
        let start = mechanism.start().unwrap();
        assert!(start.position_residual < 1e-12, "{name}");
        assert!(start.velocity_residual < 1e-12, "{name}");
        let end = run(&mechanism, at_most(2.0, &mechanism), &RunOptions::default());
        assert_eq!(end.outcome, Outcome::Done, "{name}");
        assert!(end.steps > 3, "{name}");
        assert!(end.position_residual <= 1e-10, "{name}");
        assert!(end.velocity_residual <= 1e-10, "{name}");
        assert!(end.table.rows() > 10, "{name}");
        for column in end.table.columns() {
            let values = &column.values;
            assert!(
                values.iter().all(|x| x.is_finite()),
                "{name}: {}",
                column.name
            );
        }
        let all = RunOptions {
            record_all: true,
            samples: Some(3),
            ..RunOptions::default()
        };
        let end = run(&mechanism, at_most(0.1, &mechanism), &all);
        assert_eq!(end.table.rows(), 3, "{name}");
        assert!(end.undetermined.is_none(), "{name}");
        for column in end.table.columns() {
            let finite = column.values.iter().all(|x| x.is_finite());
            // Rows that depend on each other share their forces in any proportion.
            let needs_multipliers = ["lambda(", "reaction(", "power("];
            let needs_multipliers = needs_multipliers
                .iter()
                .any(|what| column.name.starts_with(what));
            // The wedge cannot turn, whatever the floor does, and the trolley not rise: no motion tells what would make them.
            let held = match name.as_str() {
                "rough-wedge" => column.name == "reaction(floor).moment.z",
                "table-drive" => column.name.starts_with("reaction(drive)"),
                _ => false,
            };
            let open = held || (end.not_unique.is_some() && needs_multipliers);
            assert!(finite || open, "{name}: {}", column.name);
        }
        // What is recorded is the motion of the run: energy is that of its ledger.
        let energies = &end.table.column("energy").unwrap().values;
        let size = energies[0].abs().max(energies[2].abs());
        for (recorded, known) in [
            (energies[0], end.energy_start),
            (energies[2], end.energy_end),
        ] {
            assert!(
                (recorded - known).abs() <= 1e-12 * size,
                "{name}: {recorded} for {known}"
            );
        }
    }
}
