//! What the commands have to say, as values: one struct for each, with the names that scripts rely on.
//!
//! A report is printed for people by [`Display`](std::fmt::Display) and for programs by [`serde::Serialize`]; nothing is
//! written before someone asks. Numbers that are not finite are null. [`schema`] describes the documents.

mod check;
mod contacts;
mod derive;
mod diagnostic;
mod eval;
mod explain;
mod found;
mod gallery;
mod impulse;
mod no_motion;
mod prove;
mod run;
mod stopped;
mod table;
mod text;

pub use check::{
    CheckReport, ConstraintRow, Counts, Force, Moved, Residual, Speed, StartReport, Verified,
};
pub use derive::{
    DeriveReport, Derived, DerivedForces, DerivedMatrices, DerivedMotion, Digits, EnergyFormulas,
    Formula, FormulaEquation, NonzeroFormulas, PartialVelocity, Solved,
};
pub use diagnostic::{Entry, Error, rendered};
pub use eval::{
    Determined, Energy, EvalReport, ForceSplit, GeometryReport, Momentum, NotUnique, Reaction,
    Wrench,
};
pub use explain::{Explanation, explain};
pub use found::Found;
pub use gallery::{GalleryModel, GalleryReport, gallery_files, gallery_model};
pub use impulse::{DerivedImpulse, ImpulseReport};
pub use prove::{BranchReport, CounterexampleReport, ProveReport, ProvedEquation};
pub use run::{Event, Ledger, RunReport, WrittenFile};
pub use stopped::stopped;
pub use text::{Independent, significant};

pub(crate) use contacts::{
    at_start as contacts_at_start, held_in_many_ways, no_contact, while_closed,
};
pub(crate) use no_motion::{at_change_point, at_corner, beyond_table, no_motion};
pub(crate) use prove::proved;

use dalembert_mechanics::diagnostic::Diagnostic;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde::Serialize;

/// Numbers by name, in the order of the model.
pub type Numbers = IndexMap<String, f64>;

/// What every report has.
pub trait Report: std::fmt::Display + Serialize {
    /// What the reader should know besides.
    fn warnings(&self) -> &[Diagnostic] {
        &[]
    }
}

/// Names beside values.
fn named<N: ToString>(
    names: impl IntoIterator<Item = N>,
    values: impl IntoIterator<Item = impl std::borrow::Borrow<f64>>,
) -> Numbers {
    let pairs = names.into_iter().zip(values);
    pairs
        .map(|(name, value)| (name.to_string(), *value.borrow()))
        .collect()
}

/// The JSON Schema of a report, by the name of its command.
#[must_use]
pub fn schema(command: &str) -> Option<Schema> {
    Some(match command {
        "check" => schema_of::<CheckReport>(),
        "eval" => schema_of::<EvalReport>(),
        "derive" => schema_of::<Derived>(),
        "impulse" => schema_of::<DerivedImpulse>(),
        "prove" => schema_of::<ProveReport>(),
        "run" => schema_of::<RunReport>(),
        "error" => schema_of::<Error>(),
        _ => return None,
    })
}

/// The JSON Schema of a document.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Schema {
    // What is not finite is null.
    let nullable = RecursiveTransform(|schema: &mut Schema| {
        if schema.get("type").is_some_and(|kind| kind == "number") {
            schema.insert("type".to_owned(), serde_json::json!(["number", "null"]));
        }
    });
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(nullable);
    settings.into_generator().into_root_schema_for::<T>()
}
