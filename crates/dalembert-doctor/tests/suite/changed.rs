//! The same systems with rows mixed by matrices of functions, and in other coordinates: the answer does not change.

use super::table::SYSTEMS;
use super::{Rows, letters};
use fastrand::Rng;

/// Functions of a coordinate that have no zero near the values of the table.
const FUNCTIONS: [&str; 5] = [
    "(1 + #^2)",
    "exp(0.3*#)",
    "(2 + cos(#))",
    "#",
    "(1.5 - 0.4*#)",
];

fn function(random: &mut Rng, coordinates: &[String]) -> String {
    let of = &coordinates[random.usize(..coordinates.len())];
    FUNCTIONS[random.usize(..FUNCTIONS.len())].replace('#', of)
}

/// Rows times a matrix L U of functions, which is never singular.
fn mixed(random: &mut Rng, rows: &Rows) -> Rows {
    let mut velocities = rows.velocities.clone();
    let count = velocities.len();
    for row in &mut velocities {
        *row = format!("{}*({row})", function(random, &rows.coordinates));
    }
    for backwards in [false, true] {
        for k in 1..count {
            let (to, from) = match backwards {
                false => (k, k - 1),
                true => (count - 1 - k, count - k),
            };
            let factor = function(random, &rows.coordinates);
            velocities[to] = format!("{} + {factor}*({})", velocities[to], velocities[from]);
        }
    }
    Rows {
        velocities,
        ..rows.clone()
    }
}

/// Rows in coordinates u of which the old ones are functions: x = u + products of those after it, which can be solved for u.
fn in_other_coordinates(random: &mut Rng, rows: &Rows) -> Rows {
    let names = &rows.coordinates;
    let count = names.len();
    let (mut values, mut rates) = (Vec::new(), Vec::new());
    for (k, name) in names.iter().enumerate() {
        let later: Vec<&String> = names[k + 1..].iter().collect();
        if later.is_empty() || random.bool() {
            values.push(format!("{name}_"));
            rates.push(format!("{name}_'"));
            continue;
        }
        let a = later[random.usize(..later.len())];
        let b = later[random.usize(..later.len())];
        let c = random.usize(1..5) as f64 / 10.0;
        match random.bool() {
            true => {
                values.push(format!("({name}_ + {c}*{a}_*{b}_)"));
                rates.push(format!("({name}_' + {c}*({a}_'*{b}_ + {a}_*{b}_'))"));
            }
            false => {
                values.push(format!("({name}_ + {c}*sin({a}_))"));
                rates.push(format!("({name}_' + {c}*cos({a}_)*{a}_')"));
            }
        }
    }
    let changed = |text: &String| {
        let (mut out, mut word) = (String::new(), String::new());
        for c in text.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() {
                word.push(c);
                continue;
            }
            let place = (0..count).find(|&k| names[k] == word);
            match (place, c) {
                (Some(k), '\'') => out += &rates[k],
                (Some(k), _) => {
                    out += &values[k];
                    out.push(c);
                }
                (None, _) => {
                    out += &word;
                    out.push(c);
                }
            }
            word.clear();
        }
        out.trim().to_owned()
    };
    Rows {
        coordinates: names.iter().map(|name| format!("{name}_")).collect(),
        positions: rows.positions.iter().map(changed).collect(),
        velocities: rows.velocities.iter().map(changed).collect(),
    }
}

/// What mixing cannot change: what is reached, that all rows are integrable, that none of a system without integrals is.
fn holds_of(rows: &Rows, verdicts: &str, reached: usize) -> Result<bool, String> {
    let doctor = rows.examined();
    let found = letters(&doctor);
    let diagnosis = &doctor.diagnosis;
    let all = |letter: char| verdicts.chars().all(|it| it == letter);
    let unlike = match () {
        () if diagnosis.reached.is_some_and(|it| it != reached) => true,
        () if all('h') => found.contains('n'),
        () if all('n') && reached == rows.coordinates.len() - rows.positions.len() => {
            found.contains(['h', '?'])
        }
        () => false,
    };
    match unlike {
        true => Err(format!(
            "{found} for {verdicts}, {:?} for {reached}, {rows:?}",
            diagnosis.reached
        )),
        false => Ok(diagnosis.proved && !found.contains(['?', '.'])),
    }
}

/// How many of the table are decided exactly after a change; all others must still agree as numbers have them.
fn decided(seed: u64, change: impl Fn(&mut Rng, &Rows) -> Rows) -> usize {
    let mut random = Rng::with_seed(seed);
    let (mut wrong, mut decided) = (Vec::new(), 0);
    for &(name, coordinates, positions, velocities, verdicts, reached, _) in SYSTEMS {
        let rows = change(&mut random, &Rows::of(coordinates, positions, velocities));
        match holds_of(&rows, verdicts, reached) {
            Ok(proved) => decided += usize::from(proved),
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    decided
}

#[test]
fn mixed_rows_have_the_same_integrable_part() {
    for seed in 0..4 {
        let decided = decided(seed, mixed);
        assert!(
            decided * 8 >= SYSTEMS.len() * 7,
            "{decided} of {}",
            SYSTEMS.len()
        );
    }
}

#[test]
fn other_coordinates_do_not_change_the_answer() {
    for seed in 0..4 {
        let decided = decided(seed, in_other_coordinates);
        assert!(
            decided * 8 >= SYSTEMS.len() * 7,
            "{decided} of {}",
            SYSTEMS.len()
        );
    }
}

#[test]
fn other_coordinates_and_mixed_rows_do_not_either() {
    for seed in 0..4 {
        let decided = decided(seed, |random, rows| {
            let rows = in_other_coordinates(random, rows);
            mixed(random, &rows)
        });
        assert!(
            decided * 8 >= SYSTEMS.len() * 7,
            "{decided} of {}",
            SYSTEMS.len()
        );
    }
}
