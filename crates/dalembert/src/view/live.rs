//! The model as the page runs it: its programs in one module, and what the simulator there reads; or why it does not run there.

use crate::Model;
use crate::report::RunReport;
use dalembert_expr::ExprId;
use dalembert_expr::syntax::Join;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide;
use dalembert_mechanics::elaborate::Vector;
use dalembert_mechanics::lower::{Drawing, Drawn, DrawnShape, Form as Seen};
use dalembert_mechanics::start::Start;
use dalembert_mechanics::unrolled::Level;
use dalembert_ode::{Coefficients, Measure, Method};
use dalembert_page::{Arrow, ArrowKind, Live, Scene};
use dalembert_program::{Program, compile, to_wasm};
use dalembert_simulate::{
    CarriedEvents, CarriedOf, CarriedPart, CarriedRun, MustBe, NotCarried, RunOptions, Source,
    carried,
};
use serde_json::{Map, Value, json};

/// Samples of a run of the page, at most: it is made again with every move of a slider.
const SAMPLES: usize = 2001;

/// Bytes that the programs of a model may take in a page: with more of them it would not stay small.
const MOST_BYTES: usize = 150_000;

/// The run of a model as the page makes it; what is drawn of it comes in later.
pub(super) struct LiveRun {
    programs: Programs,
    data: Value,
}

impl LiveRun {
    /// The run of a model, or why the page does not make it.
    pub(super) fn new(
        model: &Model,
        mechanism: &Mechanism,
        run: Option<&RunReport>,
    ) -> Result<Self, String> {
        let start = model.start().map_err(|_| "it has no start".to_owned())?;
        if let Some(run) = run {
            let stiff = run.jacobians > 0;
            let crossed = run.events.iter().any(|it| it.kind == "change point");
            let reason = match (run.status, stiff, crossed) {
                ("error", ..) => "its run stops on the way",
                (_, true, _) => "it is stiff, and needs implicit steps",
                (_, _, true) => "it passes places where its rows lose their rank",
                _ => "",
            };
            if !reason.is_empty() {
                return Err(reason.to_owned());
            }
        }
        let options = RunOptions {
            samples: model.samples_to_see(),
            ..RunOptions::default()
        };
        let run = carried(mechanism, start, &options).map_err(words)?;
        let mut programs = Programs::default();
        let data = run_data(mechanism, start, &run, &mut programs)?;
        let runs = Self { programs, data };
        match runs.weight() > MOST_BYTES {
            true => Err("its programs are too long for the page".to_owned()),
            false => Ok(runs),
        }
    }

    /// Bytes that its programs take in a page, about.
    pub(super) fn weight(&self) -> usize {
        4 * self.programs.module().len() / 3
    }

    /// The same with what is drawn.
    pub(super) fn drawn(
        mut self,
        (mechanism, drawing): (&Mechanism, &Drawing),
        scene: &Scene,
    ) -> Result<Live, String> {
        let scene = scene_data(mechanism, drawing, scene, &mut self.programs)?;
        Ok(Live {
            module: self.programs.module(),
            run: self.data,
            scene,
        })
    }
}

/// Why a model does not run in its page.
fn words(reason: NotCarried) -> String {
    let words = match reason {
        NotCarried::TooMany(count) => {
            return format!("it has {count} unknowns, too many for the page");
        }
        NotCarried::Sparse => "its matrices are sparse",
        NotCarried::Contacts => "its contacts open and close",
        NotCarried::Laws => "its forces use reactions, as friction does",
        NotCarried::Events => "conditions of its events ask for reactions, or have poles",
        NotCarried::Kinks => "its forces jump or bend along the motion",
        NotCarried::Switches => "something in it switches at given times",
        NotCarried::Pulses => "its functions of time may have narrow peaks",
        NotCarried::Open => "some of its parameters are found from accelerations",
        NotCarried::ChangePoint => "it starts where its rows lose their rank",
        NotCarried::Still => "rows hold some of its rates at zero, whose sign its forces ask for",
        NotCarried::GuessedSpeeds => "speeds at its start are guesses",
        NotCarried::NoProgram => "its records ask for more than its motion tells",
        NotCarried::NoPlan => "it has no span",
    };
    words.to_owned()
}

/// Programs by name.
#[derive(Default)]
struct Programs(Vec<(String, Program)>);

impl Programs {
    fn add(&mut self, name: &str, program: &Program) {
        self.0.push((name.to_owned(), program.clone()));
    }

    /// Inputs and outputs of each.
    fn sizes(&self) -> Value {
        let sizes = self.0.iter().map(|(name, program)| {
            let sizes = [program.input_count(), program.output_count()];
            (name.clone(), json!(sizes))
        });
        Value::Object(sizes.collect::<Map<String, Value>>())
    }

    fn module(&self) -> Vec<u8> {
        let programs: Vec<_> = (self.0.iter())
            .map(|(name, program)| (name.as_str(), program.tape()))
            .collect();
        to_wasm(&programs)
    }
}

/// What the simulator reads.
fn run_data(
    mechanism: &Mechanism,
    start: &Start,
    run: &CarriedRun,
    programs: &mut Programs,
) -> Result<Value, String> {
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
    programs.add("values", &run.records.values);
    if let Some(physical) = &run.records.physical {
        programs.add("physical", physical);
    }
    programs.add("start", &run.start.values);
    programs.add("said", &run.start.said);
    programs.add("needs", &run.needs.0);
    let events = events_data(&run.events, programs);
    let snapshot = mechanism.motion(state);
    let snapshot = snapshot.map_err(|_| "its motion is not determined at the start".to_owned())?;
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
    // Rows that come and go have no multiplier where they do not hold, and one where they do.
    let unique = system.rows.iter().zip(&snapshot.unique);
    let unique = unique.map(|(row, unique)| {
        let comes_and_goes = run.whole.masked.contains(&row.constraint.index());
        *unique || comes_and_goes
    });
    let needs = run.needs.1.iter().map(|need| match need.must_be {
        MustBe::Positive => json!([need.of, "positive"]),
        MustBe::NotNegative => json!([need.of, "not negative"]),
        MustBe::Part => json!([need.of, "from 0 to 1"]),
        MustBe::Inertia(turns) => json!([need.of, turns]),
    });
    let needs: Vec<Value> = needs.collect();
    Ok(json!({
        "sizes_of": programs.sizes(),
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
        "unique": unique.collect::<Vec<_>>(),
        "masked": run.whole.masked,
        "active": run.whole.masked.iter().map(|&it| active[it]).collect::<Vec<_>>(),
        "events": events,
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
        "samples": run.samples.min(SAMPLES),
        "rtol": rtol,
        "atol": run.absolute,
        "max_step": Some(max_step).filter(|it| it.is_finite()),
        "max_steps": max_steps,
        "method": method,
        "decide": decisions(),
    }))
}

/// What happens on the way.
fn events_data(carried: &CarriedEvents, programs: &mut Programs) -> Value {
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
        "SINGULAR": decide::SINGULAR, "MET": decide::MET, "KNOWN": decide::KNOWN,
    })
}

/// Expressions of a drawing, each an output of one program.
struct Outputs<'d> {
    drawing: &'d Drawing,
    list: Vec<ExprId>,
}

impl Outputs<'_> {
    fn one(&mut self, expression: ExprId) -> usize {
        self.list.push(expression);
        self.list.len() - 1
    }

    fn all(&mut self, expressions: &[ExprId]) -> Vec<usize> {
        expressions.iter().map(|&it| self.one(it)).collect()
    }

    fn figure(&mut self, drawn: &Drawn, curves: &mut Vec<Vector>) -> Value {
        match &drawn.form {
            Seen::Particle { at, mass } => json!({
                "at": self.all(at), "mass": self.one(*mass), "shapes": self.shapes(drawn),
            }),
            Seen::Point { at, attitude } => {
                let shaped = !drawn.shapes.is_empty();
                let turn = shaped.then(|| self.all(attitude.as_flattened()));
                json!({ "at": self.all(at), "turn": turn, "shapes": self.shapes(drawn) })
            }
            Seen::Body {
                at,
                attitude,
                mass,
                inertia,
                points,
            } => {
                let spokes: Vec<Vec<usize>> = match drawn.shapes.is_empty() {
                    false => Vec::new(),
                    true => points.iter().map(|it| self.all(it)).collect(),
                };
                let equal = inertia
                    .as_ref()
                    .filter(|_| drawn.shapes.is_empty() && spokes.is_empty());
                let equal = equal.map(|moments| {
                    let moments = [0, 1, 2].map(|k| moments[k][k]);
                    [vec![self.one(*mass)], self.all(&moments)].concat()
                });
                json!({
                    "at": self.all(at), "turn": self.all(attitude.as_flattened()), "spokes": spokes,
                    "equal_box": equal, "shapes": self.shapes(drawn),
                })
            }
            Seen::Line(ends) | Seen::Spring(ends) => {
                json!({ "ends": self.all(ends.as_flattened()) })
            }
            Seen::Curve { running, range, at } => {
                let parameters = &self.drawing.symbols.parameters;
                let running = parameters.iter().position(|it| it == running);
                curves.push(*at);
                json!({ "curve": curves.len() - 1, "range": self.all(range), "running": running })
            }
        }
    }

    /// Measures of each shape by name, and where and how it stands.
    fn shapes(&mut self, drawn: &Drawn) -> Value {
        drawn.shapes.iter().map(|it| self.shape(it)).collect()
    }

    fn shape(&mut self, shape: &DrawnShape) -> Value {
        let measures = shape.measures.iter().map(|(name, values)| {
            let name = if name == "inner_radius" {
                "inner"
            } else {
                name
            };
            let places = self.all(values);
            let value = match (name, places.as_slice()) {
                ("size" | "radii", places) => json!(places),
                (_, [one, ..]) => json!(one),
                (_, []) => Value::Null,
            };
            (name.to_owned(), value)
        });
        let mut found: Map<String, Value> = measures.collect();
        found.insert("at".to_owned(), json!(self.all(&shape.at)));
        if let Some(rows) = &shape.attitude {
            let axis = |k: usize| rows.map(|row| row[k]);
            let axes = [0, 1, 2].map(|k| self.all(&axis(k)));
            found.insert("axes".to_owned(), json!(axes));
        }
        Value::Object(found)
    }
}

/// What is drawn, by outputs of programs: figures and arrows in the order of the scene.
fn scene_data(
    mechanism: &Mechanism,
    drawing: &Drawing,
    scene: &Scene,
    programs: &mut Programs,
) -> Result<Value, String> {
    let list = Vec::new();
    let mut outputs = Outputs { drawing, list };
    let mut curves = Vec::new();
    let figures: Vec<Value> = (drawing.figures.iter())
        .map(|it| outputs.figure(it, &mut curves))
        .collect();
    let first_given = scene.arrows.len() - drawing.forces.len();
    let arrows = scene.arrows.iter().enumerate().map(|(index, arrow)| {
        match index.checked_sub(first_given) {
            Some(given) => {
                let force = &drawing.forces[given];
                let at = arrow.on.is_none().then(|| outputs.all(&force.at));
                json!({ "force": outputs.all(&force.force), "at": at })
            }
            // Of a reaction in parts only the whole is known.
            None if arrow.force.is_some() => {
                json!({ "whole": arrow.kind == ArrowKind::Nonideal })
            }
            None => {
                let joint = joint_of(mechanism, drawing, arrow);
                json!({ "at": joint.map(|at| outputs.all(&at)) })
            }
        }
    });
    let arrows: Vec<Value> = arrows.collect();
    let no_program = |_| "its drawing asks for more than its motion tells".to_owned();
    let inputs = drawing.symbols.known();
    let program = compile(&drawing.graph, &inputs, &outputs.list).map_err(no_program)?;
    let before = programs.0.len();
    programs.add("scene", &program);
    for (index, curve) in curves.iter().enumerate() {
        let program = compile(&drawing.graph, &inputs, curve).map_err(no_program)?;
        programs.add(&format!("curve{index}"), &program);
    }
    let mut added = Programs::default();
    added.0.extend_from_slice(&programs.0[before..]);
    Ok(json!({ "figures": figures, "arrows": arrows, "sizes_of": added.sizes() }))
}

/// Where the joint of a reaction holds what that acts on.
fn joint_of(mechanism: &Mechanism, drawing: &Drawing, arrow: &Arrow) -> Option<Vector> {
    let model = &mechanism.model;
    let on = drawing.figures.get(arrow.on?)?;
    let mut joints = drawing.joints.iter();
    let found = joints.find(|joint| {
        let name = &model.constraints[joint.of].name.text;
        let target = joint.on.name(model);
        let called = [
            format!("reaction({name})"),
            format!("reaction({name}, on = {target})"),
        ];
        target == on.name && called.contains(&arrow.name)
    });
    found.map(|joint| joint.at)
}
