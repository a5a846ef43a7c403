//! `direction s = r, phi = -1`: a velocity that the constraints allow, a column of D with A D = 0.

use super::file::Line;
use dalembert_expr::normal::linear::Matrix;
use dalembert_expr::normal::{Field, Fraction, Outside};
use dalembert_expr::syntax::meant_or_known;
use dalembert_expr::{ExprId, Graph};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::Diagnostic;
use dalembert_mechanics::elaborate::Elaborator;
use dalembert_mechanics::model::{Expression, Model};
use std::ops::Range;

/// Components by coordinate, or by speed; those not mentioned are zero.
pub(super) struct Direction {
    components: Vec<(usize, Expression)>,
    in_speeds: bool,
}

impl Direction {
    /// Reads a line that begins with `direction`; `None` if it does not.
    pub(super) fn read(
        line: &Line<'_>,
        model: &Model,
        read: &mut impl FnMut(Range<usize>) -> Result<Expression, Vec<Diagnostic>>,
    ) -> Option<Result<Self, Vec<Diagnostic>>> {
        const WORD: &str = "direction";
        let rest = line.text.strip_prefix(WORD)?;
        if !rest.starts_with(char::is_whitespace) {
            return None;
        }
        let coordinates: Vec<&str> = model
            .coordinates
            .iter()
            .map(|(name, _)| name.text.as_str())
            .collect();
        let speeds: Vec<&str> = model
            .speeds
            .iter()
            .map(|(name, _)| name.text.as_str())
            .collect();
        let mut in_speeds = None;
        let (mut components, mut errors) = (Vec::new(), Vec::new());
        for part in parts(line.text, WORD.len()) {
            let text = &line.text[part.clone()];
            let Some((key, value)) = text.split_once('=') else {
                let message = "a component of a direction is written NAME = VALUE".to_owned();
                let help = "such as direction x = 1, y = k";
                errors.push(line.refuse(part, "E0626", message, help));
                continue;
            };
            let name = key.trim();
            let place = part.start + (key.len() - key.trim_start().len());
            let place = place..place + name.len();
            let known = |list: &[&str]| list.iter().position(|known| *known == name);
            let (index, of_speeds) = match (known(&coordinates), known(&speeds)) {
                (Some(index), _) => (index, false),
                (None, Some(index)) => (index, true),
                (None, None) => {
                    let all = coordinates.iter().chain(&speeds).copied();
                    let message = format!("`{name}` is no coordinate and no speed");
                    let help = meant_or_known(name, all).unwrap_or_default();
                    errors.push(line.refuse(place, "E0626", message, &help));
                    continue;
                }
            };
            let mixed = *in_speeds.get_or_insert(of_speeds) != of_speeds;
            if mixed || components.iter().any(|(known, _)| *known == index) {
                let message = match mixed {
                    true => {
                        "a direction is given in coordinates or in speeds, not in both".to_owned()
                    }
                    false => format!("`{name}` is given twice"),
                };
                errors.push(line.refuse(place, "E0626", message, ""));
                continue;
            }
            let blanks = value.len() - value.trim_start().len();
            match read(part.end - value.len() + blanks..part.end) {
                Ok(value) => components.push((index, value)),
                Err(more) => errors.extend(more),
            }
        }
        if !errors.is_empty() {
            return Some(Err(errors));
        }
        Some(Ok(Self {
            components,
            in_speeds: in_speeds.unwrap_or(false),
        }))
    }

    /// The values of the components, on left sides.
    pub(super) fn components(&self, scope: &mut Elaborator<'_>) -> Option<Vec<(ExprId, ExprId)>> {
        let zero = scope.graph.integer(0);
        let mut values = Vec::new();
        for (_, expression) in &self.components {
            values.push(scope.scalar(expression).map(|value| (value, zero)));
        }
        values.into_iter().collect()
    }
}

/// Pieces between commas outside of brackets, without blanks around them.
fn parts(text: &str, from: usize) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), from, 0_usize);
    for (at, c) in text.char_indices().skip_while(|&(at, _)| at < from) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..text.len());
    let trimmed = |part: Range<usize>| {
        let inside = &text[part.clone()];
        let start = part.start + (inside.len() - inside.trim_start().len());
        start..start + inside.trim().len()
    };
    parts.into_iter().map(trimmed).collect()
}

/// A d for each row, which must vanish.
pub(super) fn along_rows(
    graph: &mut Graph,
    mechanism: &Mechanism,
    direction: &Direction,
    components: &[(ExprId, ExprId)],
) -> Result<Vec<(ExprId, ExprId)>, String> {
    let zero = graph.integer(0);
    let n = mechanism.system.symbols.coordinates.len();
    let mut d = vec![zero; n];
    for ((index, _), &(value, _)) in direction.components.iter().zip(components) {
        d[*index] = value;
    }
    if direction.in_speeds {
        let found = in_coordinates(graph, mechanism, &d);
        let message =
            |outside: Outside| format!("the speeds do not give the rates in symbols: {outside}");
        d = found.map_err(message)?;
    }
    let mut sides = Vec::new();
    for row in &mechanism.system.rows {
        let mut sum = zero;
        for &(column, entry) in &row.jacobian {
            let term = graph.mul(entry, d[column]);
            sum = graph.add(sum, term);
        }
        sides.push((sum, zero));
    }
    Ok(sides)
}

/// d with B d = the direction in speeds v = B q' + b₀.
fn in_coordinates(
    graph: &mut Graph,
    mechanism: &Mechanism,
    speeds: &[ExprId],
) -> Result<Vec<ExprId>, Outside> {
    let Some(given) = &mechanism.system.speeds else {
        return Ok(speeds.to_vec());
    };
    let n = speeds.len();
    let zero = graph.integer(0);
    let mut entries = Vec::with_capacity(n * (n + 1));
    for (row, &speed) in given.matrix.iter().zip(speeds) {
        let start = entries.len();
        entries.resize(start + n, zero);
        row.iter()
            .for_each(|&(column, entry)| entries[start + column] = entry);
        entries.push(speed);
    }
    let mut field = Field::new();
    let taken: Result<Vec<Fraction>, Outside> =
        field.take_all(graph, &entries).into_iter().collect();
    let rows: Matrix = taken?.chunks(n + 1).map(<[Fraction]>::to_vec).collect();
    let echelon = field.echelon(&rows, n, &[])?;
    if echelon.pivots.len() < n {
        return Err(Outside::Undefined);
    }
    let mut d = vec![zero; n];
    for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
        d[pivot] = field.to_graph(graph, &row[n]);
    }
    Ok(d)
}
