//! Free bodies in balance, at the start of a run and at its end.

use super::Stop;
use super::motion::MotionSystem;
use dalembert_mechanics::formulation::Formulation;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{MAX_COMPARED, Mechanism};

/// The system is set to the end. Why a run of bodies and joints cannot be relied on, if the forces on one of them do not balance at a state: reactions by name, given
/// forces and inertia. Larger mechanisms are not looked at: forces of all rows by body are found for it.
pub(super) fn judge(
    mechanism: &Mechanism,
    system: &mut MotionSystem<'_>,
    [start, end]: [&State; 2],
) -> Option<Stop> {
    let mut constraints = mechanism.model.constraints.iter();
    let size = mechanism.equations.coordinates() + mechanism.equations.rows();
    if size > MAX_COMPARED || !constraints.any(|it| it.joint.is_some()) {
        return None;
    }
    // Where there is no motion that is told elsewhere.
    let motions = [
        mechanism.motion_by(Formulation::Multipliers, start).ok(),
        system.snapshot(mechanism, end).ok(),
    ];
    motions.into_iter().flatten().find_map(|snapshot| {
        let found = mechanism.unbalanced(mechanism.physical(), &snapshot)?;
        let t = snapshot.state.t;
        Some(Stop::Unbalanced { t, found })
    })
}
