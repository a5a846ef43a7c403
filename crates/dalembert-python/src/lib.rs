//! The private half of the Python package: `dalembert._native`.
//!
//! It hands on what the library's front door says, reports as JSON documents and numbers as blocks that NumPy looks at without copying; the
//! classes that users meet, and every word for them, are in `python/src/dalembert`.

mod derivation;
mod document;
mod failure;
mod many;
mod model;
mod numbers;
mod right_hand_side;
mod run;
mod simulator;
mod split;
mod sweep;
mod watch;

use pyo3::pymodule;

/// What Python knows as `dalembert._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::derivation::Derivation;
    #[pymodule_export]
    use crate::failure::Failure;
    #[pymodule_export]
    use crate::many::Many;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::model::{explain, gallery_names, model_schema, report_schema};
    #[pymodule_export]
    use crate::numbers::Numbers;
    #[pymodule_export]
    use crate::right_hand_side::RightHandSide;
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::simulator::Simulator;
    #[pymodule_export]
    use crate::sweep::{
        Sweep, sweep_column, sweep_manifest, sweep_merge, sweep_report, sweep_schema,
    };
}
