//! Numbers of a table, as a page has them.

use crate::report::Error;
use crate::results::Table;
use dalembert_expr::syntax::meant_or_known;
use dalembert_mechanics::Mechanism;
use dalembert_page::{Column, Scene, Series};
use dalembert_results::Column as DataColumn;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Curves that are shown in one plot at first, at most.
const CURVES: usize = 5;

/// Numbers of a page, about, without programs beside them; bytes that one takes; and samples that are left at least, of a run that the page
/// can make again with all of them, and of others.
const NUMBERS: usize = 40_000;
const BYTES: usize = 4;
const FEWEST: [usize; 2] = [120, 200];

/// Time, coordinates and rates of each sample; rates that the table has not are no numbers.
pub(super) struct Samples {
    pub(super) rows: usize,
    /// q, q' and t, sample after sample.
    pub(super) states: Vec<f64>,
    /// Numbers of a sample.
    pub(super) width: usize,
}

impl Samples {
    pub(super) fn state(&self, row: usize) -> &[f64] {
        &self.states[row * self.width..][..self.width]
    }
}

/// The samples of a table, which must be of this model.
pub(super) fn samples(mechanism: &Mechanism, table: &Table) -> Result<Samples, Error> {
    let refused =
        |message: String, help: Option<String>| Error::about("result", "E0914", message, help);
    let known = || table.columns().into_iter().map(|it| it.name.clone());
    let column = |name: &str| {
        table.column(name).ok_or_else(|| {
            let names: Vec<String> = known().collect();
            let near = meant_or_known(name, names.iter().map(String::as_str));
            let help = "give a file that `dalembert run --out` wrote for this model";
            let help = near.map_or_else(|| help.to_owned(), |near| format!("{help}; {near}"));
            refused(format!("the result has no column `{name}`"), Some(help))
        })
    };
    if table.rows() == 0 {
        let help = Some("there is nothing to show: run the model first".to_owned());
        return Err(refused("the result has no samples".to_owned(), help));
    }
    let names: Vec<&str> = mechanism.coordinate_names().collect();
    let mut sources = Vec::new();
    for name in &names {
        sources.push(Some(column(name)?));
    }
    sources.extend(names.iter().map(|name| table.column(&format!("{name}'"))));
    sources.push(Some(column("t")?));
    let (rows, width) = (table.rows(), sources.len());
    let mut states = vec![f64::NAN; rows * width];
    for (i, source) in sources.iter().enumerate() {
        let Some(source) = source else {
            continue;
        };
        for (row, value) in source.values.iter().enumerate() {
            states[row * width + i] = *value;
        }
    }
    Ok(Samples {
        rows,
        states,
        width,
    })
}

/// All columns, time first: states to be computed with, the rest to be looked at.
pub(super) fn columns(mechanism: &Mechanism, table: &Table) -> Vec<Column> {
    let names: Vec<&str> = mechanism.coordinate_names().collect();
    let is_state = |name: &str| {
        let bare = name.strip_suffix('\'').unwrap_or(name);
        name == "t" || names.contains(&bare)
    };
    let mut columns: Vec<Column> = (table.columns().iter())
        .map(|column| Column {
            name: column.name.clone(),
            unit: column.unit.clone(),
            values: match is_state(&column.name) {
                true => Series::double(column.values),
                false => Series::single(column.values),
            },
        })
        .collect();
    columns.sort_by_key(|column| column.name != "t");
    columns
}

/// Columns of the same numbers are written once: a resultant is often one reaction, and a place often two coordinates.
pub(super) fn share(columns: &mut [Column], scene: &mut Scene) {
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    for (index, column) in columns.iter_mut().enumerate() {
        let Some(bits) = bits(&column.values) else {
            continue;
        };
        match known.entry(bits) {
            // States have more digits than what is to be looked at.
            Entry::Occupied(first) => {
                if matches!(column.values, Series::Single(_)) {
                    column.values = Series::Same(*first.get());
                }
            }
            Entry::Vacant(new) => {
                new.insert(index);
            }
        }
    }
    scene.each_series(&mut |series| {
        if let Some(first) = bits(series).and_then(|bits| known.get(&bits)) {
            *series = Series::Same(*first);
        }
    });
}

/// Numbers as they are looked at.
fn bits(series: &Series) -> Option<Vec<u32>> {
    match series {
        Series::Single(values) => Some(values.iter().map(|it| it.to_bits()).collect()),
        Series::Double(values) => Some(values.iter().map(|it| (*it as f32).to_bits()).collect()),
        Series::Constant(_) | Series::Same(_) => None,
    }
}

/// The samples of a run of which a page is made: not more than the eye needs, where there are many columns, or programs of so many bytes beside them.
pub(super) fn thinned(table: &Table, programs: usize) -> Option<Table> {
    let (columns, rows) = (table.columns(), table.rows());
    let numbers = (NUMBERS - (programs / BYTES).min(NUMBERS / 2)).max(1);
    let every = (columns.len() * rows).div_ceil(numbers);
    let fewest = FEWEST[usize::from(programs == 0)];
    let every = every.min((rows - 1) / fewest);
    if every < 2 {
        return None;
    }
    let keep = |values: &[f64]| -> Vec<f64> {
        let mut kept: Vec<f64> = values.iter().copied().step_by(every).collect();
        if (rows - 1) % every != 0 {
            kept.extend(values.last());
        }
        kept
    };
    let kept = columns
        .iter()
        .map(|it| DataColumn::new(it.name.clone(), it.unit.as_deref(), keep(it.values)));
    Table::new(table.title(), kept.collect()).ok()
}

/// What is plotted at first: coordinates by unit, energy, multipliers, residuals.
pub(super) fn plots(mechanism: &Mechanism, table: &Table) -> Vec<Vec<String>> {
    let moves = |name: &&str| {
        let column = table.column(name);
        column.is_some_and(|it| !matches!(Series::single(it.values), Series::Constant(_)))
    };
    let unit = |name: &str| table.column(name).and_then(|it| it.unit.clone());
    let mut plots: Vec<(Option<String>, Vec<String>)> = Vec::new();
    for name in mechanism.coordinate_names().filter(moves) {
        let unit = unit(name);
        match plots.iter_mut().find(|(of, _)| *of == unit) {
            Some((_, list)) if list.len() < CURVES => list.push(name.to_owned()),
            Some(_) => {}
            None => plots.push((unit, vec![name.to_owned()])),
        }
    }
    let mut plots: Vec<Vec<String>> = plots.into_iter().map(|(_, list)| list).take(2).collect();
    let mut rest = |wanted: &dyn Fn(&str) -> bool| {
        let names = table.columns();
        let names = names.iter().map(|it| it.name.as_str());
        let names = names.filter(|it| wanted(it)).filter(moves).take(CURVES);
        let names: Vec<String> = names.map(str::to_owned).collect();
        if !names.is_empty() {
            plots.push(names);
        }
    };
    rest(&|name| name.starts_with("lambda("));
    rest(&|name| name == "energy");
    rest(&|name| name.starts_with("residual."));
    plots
}
