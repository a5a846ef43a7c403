//! A carried run as data: its programs in one module, and what a simulator reads beside them.

use super::{CarriedEvents, CarriedFriction, CarriedOf, CarriedPart, CarriedRun, MustBe};
use crate::record::Source;
use dalembert_expr::syntax::Join;
use dalembert_mechanics::decide;
use dalembert_mechanics::lower::Rough;
use dalembert_mechanics::start::Start;
use dalembert_mechanics::unrolled::Level;
use dalembert_mechanics::{Mechanism, NoMotion};
use dalembert_ode::{Coefficients, Measure, Method};
use dalembert_program::{Program, to_wasm};
use serde_json::{Map, Value, json};

/// Samples of a run that is made elsewhere, at most: it is made again with every move of a slider.
const SAMPLES: usize = 2001;

/// A run, written down.
pub struct Written {
    /// Its programs.
    pub programs: CarriedPrograms,
    /// What the simulator reads.
    pub data: Value,
}

/// CarriedPrograms by name.
#[derive(Default)]
pub struct CarriedPrograms(Vec<(String, Program)>);

impl CarriedPrograms {
    /// Adds one.
    pub fn add(&mut self, name: &str, program: &Program) {
        self.0.push((name.to_owned(), program.clone()));
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Inputs and outputs of each, from one of them on.
    #[must_use]
    pub fn sizes(&self, from: usize) -> Value {
        let sizes = self.0[from..].iter().map(|(name, program)| {
            let sizes = [program.input_count(), program.output_count()];
            (name.clone(), json!(sizes))
        });
        Value::Object(sizes.collect::<Map<String, Value>>())
    }

    /// All of them as one module of WebAssembly.
    #[must_use]
    pub fn module(&self) -> Vec<u8> {
        let programs: Vec<_> = (self.0.iter())
            .map(|(name, program)| (name.as_str(), program.tape()))
            .collect();
        to_wasm(&programs)
    }
}

impl CarriedRun {
    /// The run from a start, written down.
    ///
    /// # Errors
    /// The motion is not determined there.
    pub fn written(&self, mechanism: &Mechanism, start: &Start) -> Result<Written, NoMotion> {
        let mut programs = CarriedPrograms::default();
        let data = run_data(mechanism, start, self, &mut programs)?;
        Ok(Written { programs, data })
    }
}

fn run_data(
    mechanism: &Mechanism,
    start: &Start,
    run: &CarriedRun,
    programs: &mut CarriedPrograms,
) -> Result<Value, NoMotion> {
    let (system, equations) = (&mechanism.system, &mechanism.equations);
    let state = &start.state;
    if let Some(right) = &run.right {
        programs.add("right", &right.programs.program);
        programs.add("right_constants", &right.programs.constants);
    }
    if let Some(way) = &run.way {
        programs.add("way", &way.programs.program);
        programs.add("way_constants", &way.programs.constants);
    }
    programs.add("whole", &run.whole.program);
    programs.add("power", &run.whole.power);
    programs.add("parameters", &run.parameters);
    programs.add("numbers", &run.asked.program);
    programs.add("values", &run.records.values);
    if let Some(physical) = &run.records.physical {
        programs.add("physical", physical);
    }
    programs.add("start", &run.start.values);
    programs.add("said", &run.start.said);
    programs.add("needs", &run.needs.0);
    programs.add("kinks", &run.kinks);
    let events = events_data(&run.events, programs);
    let laws = run.laws.as_ref().map(|laws| {
        programs.add("laws", &laws.forces);
        programs.add("frictions", &laws.frictions);
        let shape = |it: &CarriedFriction| {
            let of = match it.of {
                Rough::Constraint(id) => &mechanism.model.constraints[id].name.text,
                Rough::Spring(index) => &mechanism.model.springs[index].name.text,
            };
            let constraint = match it.of {
                Rough::Constraint(id) => Some(id.index()),
                Rough::Spring(_) => None,
            };
            json!({
                "of": of, "constraint": constraint, "pressing": it.pressing, "direction": it.direction, "misfit": it.misfit,
                "width": it.width, "slope": it.slope,
            })
        };
        json!({
            "rows": laws.rows, "coordinates": laws.coordinates, "slopes": laws.slopes, "only_friction": laws.only_friction,
            "frictions": laws.shapes.iter().map(shape).collect::<Vec<_>>(),
        })
    });
    let snapshot = mechanism.motion(state)?;
    let method = Method::DormandPrince8.coefficients();
    let method = method.map(|it| method_data(&it));
    let level = |it: &Level| {
        json!({
            "rows": it.rows, "values": it.values, "correction": it.correction,
            "speed_pivots": it.speed_pivots, "row_pivots": it.row_pivots, "end": it.end,
        })
    };
    let measures = run.measures.iter().zip(&run.has_unit);
    let measures: Vec<Value> = measures
        .filter_map(|(measure, has_unit)| match measure {
            Measure::Free => None,
            Measure::Group { group, part, .. } => Some(json!([group, part, has_unit])),
        })
        .collect();
    let columns = run.records.columns.iter().map(|((name, unit), source)| {
        let (kind, index) = match source {
            Source::Time => ("t", 0),
            Source::Coordinate(i) => ("q", *i),
            Source::Rate(i) => ("r", *i),
            Source::Speed(i) => ("v", *i),
            Source::Acceleration(i) => ("a", *i),
            Source::Value(i) => ("x", *i),
            Source::Physical(i) => ("p", *i),
            Source::PositionResidual => ("e", 0),
            Source::VelocityResidual => ("e", 1),
        };
        json!([name, unit, kind, index])
    });
    let given = run.start.given.iter().map(|it| {
        let (kind, index) = match it.of {
            CarriedOf::Coordinate(i) => ("q", i),
            CarriedOf::Rate(i) => ("r", i),
            CarriedOf::Speed(i) => ("v", i),
            CarriedOf::Position(i) => ("p", i),
            CarriedOf::Velocity(i) => ("u", i),
        };
        json!([kind, index, it.must])
    });
    let [span, rtol, max_step, max_steps] = run.numbers;
    let active = state.mode.of(system);
    let needs = run.needs.1.iter().map(|need| match need.must_be {
        MustBe::Positive => json!([need.of, "positive"]),
        MustBe::NotNegative => json!([need.of, "not negative"]),
        MustBe::Part => json!([need.of, "from 0 to 1"]),
        MustBe::Inertia(turns) => json!([need.of, turns]),
    });
    let needs: Vec<Value> = needs.collect();
    Ok(json!({
        "sizes_of": programs.sizes(0),
        "n": equations.coordinates(),
        "rows": equations.rows(),
        "position_rows": equations.position_rows(),
        "velocity_rows": equations.velocity_rows(),
        "has_speeds": system.speeds.is_some(),
        "named": system.named_speeds(),
        "names": mechanism.coordinate_names().collect::<Vec<_>>(),
        "speeds": mechanism.speed_names(),
        "row_names": system.rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(),
        "parameters": mechanism.parameters,
        "start": { "t": state.t, "q": state.coordinates, "rates": state.rates },
        "given": given.collect::<Vec<_>>(),
        "slopes": run.start.slopes,
        "rank": snapshot.rank,
        "constraints": system.rows.iter().map(|row| row.constraint.index()).collect::<Vec<_>>(),
        "natural": run.natural,
        "masked": run.whole.masked,
        "active": run.whole.masked.iter().map(|&it| active[it]).collect::<Vec<_>>(),
        "events": events,
        "laws": laws,
        "still": run.still,
        "switches": run.switches,
        "needs": needs,
        "right": run.right.as_ref().map(|it| json!({ "limits": it.limits, "pivots": it.pivots })),
        "way": run.way.as_ref().map(|it| json!({
            "levels": it.levels.each_ref().map(level), "energies": it.energies, "judges_rows": it.judges_rows,
        })),
        "places": run.whole.places,
        "sizes": run.sizes,
        "measures": measures,
        "columns": columns.collect::<Vec<_>>(),
        "span": span,
        "numbers": run.asked.names,
        "samples": run.samples.min(SAMPLES),
        "most_samples": SAMPLES,
        "rtol": rtol,
        "atol": run.absolute,
        "max_step": Some(max_step).filter(|it| it.is_finite()),
        "max_steps": max_steps,
        "method": method,
        "decide": decisions(),
    }))
}

/// What happens on the way.
fn events_data(carried: &CarriedEvents, programs: &mut CarriedPrograms) -> Value {
    programs.add("comparisons", &carried.comparisons);
    let part = |it: &CarriedPart| match it {
        CarriedPart::Comparison(index) => json!(index),
        CarriedPart::Joined(Join::And) => json!("and"),
        CarriedPart::Joined(Join::Or) => json!("or"),
    };
    let conditions = carried.conditions.iter();
    let conditions = conditions.map(|it| it.iter().map(part).collect::<Vec<_>>());
    let conditions: Vec<Vec<Value>> = conditions.collect();
    let set = |it: &CarriedOf| match it {
        CarriedOf::Rate(i) => json!(["r", i]),
        CarriedOf::Speed(k) => json!(["v", k]),
        CarriedOf::Coordinate(i) | CarriedOf::Position(i) | CarriedOf::Velocity(i) => {
            json!(["q", i])
        }
    };
    let mut events = Vec::new();
    for (index, event) in carried.events.iter().enumerate() {
        programs.add(&format!("event{index}"), &event.values);
        events.push(json!({
            "name": event.name, "set": event.set.iter().map(set).collect::<Vec<_>>(), "impulse": event.impulse,
            "restitution": event.restitution, "struck": event.struck, "release": event.release, "engage": event.engage, "stop": event.stop,
        }));
    }
    json!({ "at_zero": carried.at_zero, "conditions": conditions, "events": events })
}

fn method_data(method: &Coefficients) -> Value {
    let control = method.control.iter();
    let control = control.map(|(name, value)| ((*name).to_owned(), json!(value)));
    json!({
        "nodes": method.nodes,
        "stages": method.stages,
        "weights": method.weights,
        "estimates": method.estimates,
        "extra_nodes": method.extra_nodes,
        "extra_stages": method.extra_stages,
        "dense": method.dense,
        "control": Value::Object(control.collect()),
    })
}

/// Thresholds, which have one home.
fn decisions() -> Value {
    json!({
        "ROUNDING": decide::ROUNDING, "EVALUATED": decide::EVALUATED, "SOLVED": decide::SOLVED, "CANCELLED": decide::CANCELLED,
        "RANK": decide::RANK, "USED_UP": decide::USED_UP, "CLEAR": decide::CLEAR, "COARSE": decide::COARSE, "RELATED": decide::RELATED,
        "SMALLEST_STEP_IN_ULPS": decide::SMALLEST_STEP_IN_ULPS, "NO_SIZE": decide::NO_SIZE, "SINGLE": decide::SINGLE,
        "MOST_OF_STEP": decide::MOST_OF_STEP, "SAME_JUMP": decide::SAME_JUMP, "WHOLE": decide::WHOLE, "ADDED_UP": decide::ADDED_UP,
        "SINGULAR": decide::SINGULAR, "MET": decide::MET, "KNOWN": decide::KNOWN, "WIDE": decide::WIDE,
    })
}
