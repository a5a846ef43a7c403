//! Many masses, and many bodies: a planar chain in x and y, chains of bodies on hinges.

use crate::{
    BenchError, Bodies, Cell, Column, Experiment, Room, Row, microseconds, milliseconds, timed,
};
use dalembert::mechanics::equations::Equations;
use dalembert::mechanics::lower::{lower, lower_by_links};
use dalembert::mechanics::{Mechanism, read_model};
use dalembert::simulate::RightHandSide;

/// A chain of masses on rods.
pub const CHAIN: Experiment = Experiment {
    key: "chain",
    title: "chain: N masses in x and y on N rods, from the text of the model to one acceleration",
    goal: "one acceleration in no more than 1 µs per mass, set-up in proportion to N",
    limit: "",
    columns: &[
        Column::count("masses", "N"),
        Column::measure("read_lower_ms", "read, lower ms"),
        Column::measure("compile_ms", "compile ms"),
        Column::measure("start_ms", "start ms"),
        Column::measure("set_up_us_per_mass", "set-up µs per mass"),
        Column::measure("acceleration_us", "acceleration µs"),
        Column::measure("us_per_mass", "µs per mass"),
    ],
    sizes: &[100, 1000, 10_000],
    quick_sizes: &[10, 20],
    measure,
};

const BODIES: &[Column] = &[
    Column::count("bodies", "N"),
    Column::measure("read_lower_ms", "read, lower ms"),
    Column::measure("compile_ms", "compile ms"),
    Column::measure("start_ms", "start ms"),
    Column::measure("set_up_us_per_body", "set-up µs per body"),
    Column::measure("acceleration_us", "acceleration µs"),
    Column::measure("us_per_body", "µs per body"),
];

/// A chain of bodies in the plane.
pub const BODIES_PLANE: Experiment = Experiment {
    key: "bodies-plane",
    title: "bodies-plane: N rods on hinges in the plane, from the text of the model to one acceleration",
    goal: "one acceleration in no more than 0.3 µs per body; set-up under 1 s for 1000, 10 s for 10 000",
    limit: "",
    columns: BODIES,
    sizes: &[10, 100, 1000, 10_000],
    quick_sizes: &[10, 20],
    measure: |room, links| measure_text(room, links, &crate::bodies(Bodies::Plane, links)),
};

/// The same in space, each body with coordinates of its own.
pub const BODIES_SPACE: Experiment = Experiment {
    key: "bodies-space",
    title: "bodies-space: N boxes on hinges in space, a place and a quaternion each",
    goal: "one acceleration in no more than 0.8 µs per body; set-up under 1 s for 1000, 10 s for 10 000",
    measure: |room, links| measure_text(room, links, &crate::bodies(Bodies::Space, links)),
    ..BODIES_PLANE
};

/// The same by the angles of the hinges.
pub const BODIES_RELATIVE: Experiment = Experiment {
    key: "bodies-relative",
    title: "bodies-relative: N boxes on hinges in space, by the angles of the hinges",
    goal: "one acceleration in no more than 0.3 µs per body",
    sizes: &[10, 20, 50, 100, 1000, 10_000],
    measure: |room, links| measure_text(room, links, &crate::bodies(Bodies::Relative, links)),
    ..BODIES_PLANE
};

/// The chain in the plane by the angles of the hinges.
pub const BODIES_PLANE_RELATIVE: Experiment = Experiment {
    key: "bodies-plane-relative",
    title: "bodies-plane-relative: N rods on hinges in the plane, by the angles of the hinges",
    measure: |room, links| measure_text(room, links, &crate::bodies(Bodies::PlaneRelative, links)),
    ..BODIES_RELATIVE
};

fn measure(room: &Room, masses: usize) -> Result<Row, BenchError> {
    measure_text(room, masses, &crate::chain(masses))
}

fn measure_text(room: &Room, masses: usize, text: &str) -> Result<Row, BenchError> {
    let clock = room.clock;
    let (model, _) = read_model(text)?;
    let read = clock.least(|| read_model(text));
    let mechanism = Mechanism::new(model.clone())?;
    // In the way that was chosen.
    let lower = match mechanism.system.hung {
        Some(_) => lower_by_links,
        None => lower,
    };
    let lowering = clock.least(|| lower(&model));
    let compile = clock.least_part(|| match lower(&model) {
        Ok(mut system) => timed(|| Equations::compile(&mut system)).0,
        Err(_) => std::time::Duration::MAX,
    });
    let start = mechanism.start()?;
    let start_ms = milliseconds(clock.least(|| mechanism.start()));
    let mut right = RightHandSide::new(&mechanism, &start.state);
    let y = right.start(&start.state);
    let mut rates = vec![0.0; y.len()];
    right.derivative(start.state.t, &y, &mut rates)?;
    let time = clock.least(|| right.derivative(start.state.t, &y, &mut rates).is_ok());
    let read_lower_ms = milliseconds(read + lowering);
    let compile_ms = milliseconds(compile);
    let row = [
        masses as f64,
        read_lower_ms,
        compile_ms,
        start_ms,
        1e3 * (read_lower_ms + compile_ms + start_ms) / masses as f64,
        microseconds(time),
        microseconds(time) / masses as f64,
    ];
    Ok(Cell::row(row.map(Some)))
}
