//! Reactions of one constraint over a run: what they would be if the constraint were ideal, and the rest.

use dalembert::Model;
use dalembert::mechanics::Mode;
use dalembert::mechanics::start::State;
use dalembert::report::{Error, RunReport};

/// By coordinate, over the samples: the ideal part, then the rest. `None` if there is no such constraint, or constraints come and go.
///
/// # Errors
/// The model has no meaning.
pub(crate) fn split(
    model: &Model,
    run: &RunReport,
    constraint: &str,
) -> Result<Option<Vec<f64>>, Error> {
    let mechanism = model.mechanism()?;
    let system = &mechanism.system;
    let own = |row: &dalembert::mechanics::lower::Row| {
        mechanism.model.constraints[row.constraint].name.text == constraint
    };
    let Some(id) = system
        .rows
        .iter()
        .find(|row| own(row))
        .map(|row| row.constraint)
    else {
        return Ok(None);
    };
    if system.activity.iter().any(|it| it.changes()) {
        return Ok(None);
    }
    let (n, samples) = (mechanism.coordinate_names().count(), run.table.rows());
    let (block, room) = run.table.block();
    let mut found = vec![f64::NAN; 2 * n * samples];
    for sample in 0..samples {
        let column = |i: usize| block[i * room + sample];
        let state = State {
            t: column(0),
            coordinates: (1..=n).map(column).collect(),
            rates: (n + 1..=2 * n).map(column).collect(),
            mode: Mode::default(),
        };
        // Where the motion is not determined there are no numbers.
        let Ok(motion) = mechanism.motion(&state) else {
            continue;
        };
        let mut evaluator = mechanism.evaluator_at(&state);
        let rows = evaluator.canonical().jacobian;
        let mut ideal = vec![0.0; n];
        for (index, row) in system.rows.iter().enumerate() {
            if row.constraint == id {
                let lambda = motion.multipliers_ideal[index];
                rows.stored(index).for_each(|(i, a)| ideal[i] += a * lambda);
            }
        }
        let all = motion.reactions.on_all(id);
        for i in 0..n {
            found[i * samples + sample] = ideal[i];
            found[(n + i) * samples + sample] = all[i] - ideal[i];
        }
    }
    Ok(Some(found))
}
