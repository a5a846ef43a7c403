//! The model as the page runs it: its programs in one module, and what the simulator there reads; or why it does not run there.

use super::SEEN;
use crate::Model;
use crate::report::RunReport;
use dalembert_expr::ExprId;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::elaborate::{Target, Vector, VectorAlgebra};
use dalembert_mechanics::lower::{Drawing, Drawn, DrawnShape, Form as Seen, Physical, physical};
use dalembert_page::{Arrow, ArrowKind, Live, Scene, packed_size};
use dalembert_program::{Program, compile};
use dalembert_simulate::{CarriedPrograms, NotCarried, RunOptions, Written, carried};
use serde_json::{Map, Value, json};

/// Bytes that the programs of a model may take in a page: with more of them it would not stay small.
const MOST_BYTES: usize = 150_000;

/// The run of a model as the page makes it; what is drawn of it comes in later.
pub(super) struct LiveRun {
    programs: CarriedPrograms,
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
        let sticks = run.is_some_and(|run| run.events.iter().any(|it| it.kind == "stick"));
        let run = carried(mechanism, start, &options).map_err(words)?;
        if sticks {
            return Err("its friction sticks".to_owned());
        }
        let Written { programs, mut data } = run
            .written(mechanism, start)
            .map_err(|_| "its motion is not determined at the start".to_owned())?;
        // Where parameters say how many samples there are.
        data["least_samples"] = json!(SEEN);
        let runs = Self { programs, data };
        match runs.weight() > MOST_BYTES {
            true => Err("its programs are too long for the page".to_owned()),
            false => Ok(runs),
        }
    }

    /// Bytes that its programs take in a page, about.
    pub(super) fn weight(&self) -> usize {
        packed_size(&self.programs.module())
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
        NotCarried::Laws => "its forces use reactions, beside constraints that forces hold",
        NotCarried::Blows => "its events strike or engage what its friction depends on",
        NotCarried::Events => "conditions of its events ask for reactions, or divide by what moves",
        NotCarried::Kinks => {
            "its forces jump or bend where something changes that is not linear in the motion"
        }
        NotCarried::Switches => {
            "something in it switches at times that its parameters determine, or very often"
        }
        NotCarried::Timed => {
            "something in it switches with time, and its parameters determine when the run begins or ends"
        }
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
    programs: &mut CarriedPrograms,
) -> Result<Value, String> {
    let list = Vec::new();
    let mut outputs = Outputs { drawing, list };
    let mut curves = Vec::new();
    let figures: Vec<Value> = (drawing.figures.iter())
        .map(|it| outputs.figure(it, &mut curves))
        .collect();
    let mut ideal = Ideal::new(mechanism);
    let first_given = scene.arrows.len() - drawing.forces.len();
    let arrows = scene.arrows.iter().enumerate().map(|(index, arrow)| {
        match index.checked_sub(first_given) {
            Some(given) => {
                let force = &drawing.forces[given];
                let at = arrow.on.is_none().then(|| outputs.all(&force.at));
                json!({ "force": outputs.all(&force.force), "at": at })
            }
            None if arrow.force.is_some() => match (ideal.part(&arrow.name), arrow.kind) {
                (Some(part), ArrowKind::Ideal) => json!({ "ideal": part }),
                (Some(part), _) => json!({ "rest": part, "columns": arrow.columns }),
                // Of a reaction in parts on a body only the line of the whole is known.
                (None, kind) => json!({ "whole": kind == ArrowKind::Nonideal }),
            },
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
    let before = programs.len();
    programs.add("scene", &program);
    for (index, curve) in curves.iter().enumerate() {
        let program = compile(&drawing.graph, &inputs, curve).map_err(no_program)?;
        programs.add(&format!("curve{index}"), &program);
    }
    if let Some(program) = ideal.program() {
        programs.add("ideal", &program);
    }
    let added = programs.sizes(before);
    Ok(json!({ "figures": figures, "arrows": arrows, "sizes_of": added }))
}

/// The parts of reactions on particles that do no virtual work, Σ λ g: three outputs each.
struct Ideal<'m> {
    mechanism: &'m Mechanism,
    physical: Physical,
    names: Vec<String>,
    outputs: Vec<ExprId>,
}

impl<'m> Ideal<'m> {
    fn new(mechanism: &'m Mechanism) -> Self {
        Self {
            mechanism,
            physical: physical(&mechanism.model),
            names: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Where the outputs of a reaction begin; `None` if it acts on no particle alone.
    fn part(&mut self, called: &str) -> Option<usize> {
        if let Some(place) = self.names.iter().position(|it| it == called) {
            return Some(3 * place);
        }
        let constraints = &self.mechanism.model.constraints;
        let mut all = constraints.iter().enumerate();
        let (index, _) = all.find(|(_, it)| called == format!("reaction({})", it.name.text))?;
        let Physical {
            graph,
            symbols,
            rows,
            ..
        } = &mut self.physical;
        let mut sum = graph.zero3();
        let own = self.mechanism.system.rows.iter().enumerate();
        for (row, _) in own.filter(|(_, it)| it.constraint.index() == index) {
            let lambda = graph.symbol_node(symbols.multipliers[row]);
            for wrench in rows[row].as_ref().ok()? {
                if !matches!(wrench.on, Target::Particle(_)) {
                    return None;
                }
                let force = graph.scale3(lambda, wrench.force);
                sum = graph.add3(sum, force);
            }
        }
        self.names.push(called.to_owned());
        self.outputs.extend(sum);
        Some(self.outputs.len() - 3)
    }

    /// Of what forces on particles and bodies are functions of.
    fn program(&self) -> Option<Program> {
        if self.outputs.is_empty() {
            return None;
        }
        let physical = &self.physical;
        compile(&physical.graph, &physical.inputs(), &self.outputs).ok()
    }
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
