//! `dalembert bench`: how fast we are, beside our peers; or one model, and where its time goes.

use crate::arguments::{Bench, ModelArguments};
use crate::model::load;
use crate::output::{Answer, Failure, Plain, line};
use dalembert::report::Error;
use dalembert_benches::{
    BenchError, Cell, Clock, Column, Experiment, FigureGroup, Kind, OTHERS, Room, Row, SIMULATE,
    STANDARD, figures, significant,
};
use serde_json::{Map, Value, json};
use std::io;

pub(crate) fn run(arguments: &Bench, as_json: bool) -> Result<Answer, Failure> {
    let clock = if arguments.quick {
        Clock::ONCE
    } else {
        Clock::FULL
    };
    let Some(what) = &arguments.what else {
        return tables(&room(arguments, clock)?, &STANDARD, as_json);
    };
    let tables_known = || STANDARD.iter().chain(&OTHERS);
    let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
    match tables_known().find(|table| table.key == what) {
        Some(_) if !arguments.set.is_empty() => {
            usage("--set: there is no model to set anything of")
        }
        Some(table) => tables(
            &room(arguments, clock)?,
            std::slice::from_ref(table),
            as_json,
        ),
        None if arguments.python.is_some() => {
            usage("--python: a model is measured without peers in Python")
        }
        None => one_model(arguments, what, clock),
    }
}

/// The room for tables: with their peers in Python, unless it has to be quick.
fn room(arguments: &Bench, clock: Clock) -> Result<Room, Failure> {
    let simulate = arguments.what.as_deref() == Some(SIMULATE.key);
    let found = || -> Result<Room, BenchError> {
        let mut room = Room::new(clock)?;
        let python = arguments.python.as_deref();
        if arguments.quick {
            let peers = if simulate { "simulators" } else { "CasADi" };
            room.skipped.push(format!("{peers}: not with --quick"));
            return Ok(room);
        }
        match simulate {
            true => room.with_simulators(python),
            false => room.with_casadi(python),
        }
    };
    found().map_err(failure)
}

/// Tables; for people, each line is printed when it is measured.
fn tables(room: &Room, experiments: &[Experiment], as_json: bool) -> Result<Answer, Failure> {
    let mut say = |text: &str| if as_json { Ok(()) } else { line(text) };
    let mut measure = || -> Result<Value, BenchError> {
        say(&head(room))?;
        let mut document = Map::new();
        document.insert("machine".to_owned(), machine(room));
        let mut skipped = room.skipped.clone();
        for experiment in experiments {
            say("")?;
            let rows = experiment.run(room, &mut say)?;
            let rows: Vec<Value> = rows.iter().map(|row| object(experiment, row)).collect();
            document.insert(experiment.key.to_owned(), Value::Array(rows));
            if !experiment.limit.is_empty() && !room.clock.is_once() {
                skipped.push(experiment.limit.to_owned());
            }
        }
        document.insert("skipped".to_owned(), json!(skipped));
        Ok(Value::Object(document))
    };
    let json = match measure() {
        Ok(json) => json,
        // Nobody listens any more: no reason to measure on, nor to complain.
        Err(BenchError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Value::Null,
        Err(error) => return Err(failure(error)),
    };
    let (text, warnings) = (String::new(), Vec::new());
    Ok(Plain {
        text,
        json,
        warnings,
    }
    .into())
}

fn object(experiment: &Experiment, row: &Row) -> Value {
    let value = |(column, cell): (&Column, &Cell)| {
        let value = match cell {
            Cell::Absent => Value::Null,
            Cell::Number(number) => figure(column.kind == Kind::Count, Some(*number)),
            Cell::Word(word) => json!(word),
        };
        (column.key.to_owned(), value)
    };
    Value::Object(experiment.columns.iter().zip(row).map(value).collect())
}

/// A figure for programs: whole if it counts, null if it was not measured.
fn figure(counts: bool, value: Option<f64>) -> Value {
    match value {
        None => Value::Null,
        Some(value) if counts => json!(value as u64),
        Some(value) => json!(value),
    }
}

fn machine(room: &Room) -> Value {
    let mut machine = json!({
        "processor": Room::processor(),
        "processors": Room::processors(),
        "cc": room.cc,
        "casadi": room.casadi.as_ref().map(|casadi| &casadi.version),
        "native": room.native,
        "optimised": !cfg!(debug_assertions),
    });
    if let Some(simulators) = &room.simulators {
        let version = |(name, version): &(&str, String)| ((*name).to_owned(), json!(version));
        machine["simulators"] = Value::Object(simulators.versions.iter().map(version).collect());
    }
    machine
}

fn head(room: &Room) -> String {
    let mut lines = vec![format!("{} x {}", Room::processors(), Room::processor())];
    lines.extend(room.cc.clone());
    let casadi = room.casadi.as_ref();
    lines.extend(casadi.map(|casadi| format!("CasADi {}", casadi.version)));
    let simulators = room.simulators.iter().flat_map(|found| &found.versions);
    lines.extend(simulators.map(|(name, version)| format!("{name} {version}")));
    lines.extend(room.skipped.iter().map(|what| format!("skipped {what}")));
    if cfg!(debug_assertions) {
        lines.push("this is not a release build: the figures mean little".to_owned());
    }
    lines.join("\n")
}

fn one_model(arguments: &Bench, model: &str, clock: Clock) -> Result<Answer, Failure> {
    let model = load(&ModelArguments {
        model: model.to_owned(),
        set: arguments.set.clone(),
    })?;
    // A model that has no start, or no motion there, is told here.
    model.eval()?;
    let (mechanism, state) = (model.mechanism()?, &model.start()?.state);
    let room = Room::new(clock).map_err(failure)?;
    let groups = figures(&room, &model.source().text, mechanism, state).map_err(failure)?;
    let mut document = Map::new();
    document.insert("machine".to_owned(), machine(&room));
    document.insert("title".to_owned(), json!(mechanism.model.title));
    for group in &groups {
        let pair = |item: &dalembert_benches::Figure| {
            (item.key.to_owned(), figure(group.counts, item.value))
        };
        let items: Map<String, Value> = group.figures.iter().map(pair).collect();
        document.insert(group.key.to_owned(), Value::Object(items));
    }
    document.insert("skipped".to_owned(), json!(room.skipped));
    let texts: Vec<String> = groups.iter().map(text).collect();
    let plain = Plain {
        text: format!("{}\n\n{}", head(&room), texts.join("\n\n")),
        json: Value::Object(document),
        warnings: model.warnings().to_vec(),
    };
    Ok(plain.into())
}

fn text(group: &FigureGroup) -> String {
    let shown = |value: Option<f64>| match value {
        None => "-".to_owned(),
        Some(value) if group.counts => format!("{value:.0}"),
        Some(value) => significant(value),
    };
    let mut lines = vec![group.title.to_owned()];
    lines.extend(
        group
            .figures
            .iter()
            .map(|item| format!("  {:<46} {:>10}", item.label, shown(item.value))),
    );
    lines.join("\n")
}

fn failure(error: BenchError) -> Failure {
    let help = match &error {
        BenchError::Output(_) => return Failure::Unreadable(error.to_string()),
        BenchError::Peer(_) => {
            "repair it, or measure without it: leave --python out, or take it off the PATH"
        }
        BenchError::NoMotion(_) | BenchError::Workload(_) => "this is a mistake of ours",
    };
    Error::about("bench", "E0913", error.to_string(), Some(help.to_owned())).into()
}
