//! Pfaffian systems with known answers, as they are, with their rows mixed, and in other coordinates.

mod changed;
mod constant;
mod gallery;
mod table;

use dalembert_doctor::{Doctor, Verdict, examine};
use dalembert_expr::print::{Format, print_one};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::model::read;

/// Values that are in no special position, one for each coordinate.
const VALUES: [f64; 12] = [
    0.71, 0.43, 0.92, 0.57, 0.38, 0.83, 0.64, 0.49, 0.77, 0.31, 0.53, 0.88,
];

/// Coordinates, rows of positions and of velocities as texts that vanish.
#[derive(Clone, Debug)]
struct Rows {
    coordinates: Vec<String>,
    positions: Vec<String>,
    velocities: Vec<String>,
}

impl Rows {
    fn of(coordinates: &str, positions: &str, velocities: &str) -> Self {
        let list = |text: &str, by: char| -> Vec<String> {
            let parts = text.split(by).map(str::trim);
            parts
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect()
        };
        Self {
            coordinates: list(coordinates, ' '),
            positions: list(positions, ';'),
            velocities: list(velocities, ';'),
        }
    }

    fn examined(&self) -> Doctor {
        let mut text = "dalembert = 1\n[parameters]\nr = 0.3\nl = 0.7\nb = 0.4\nw = 1.3\nk = 1.7\n[coordinates]\n".to_owned();
        for (name, value) in self.coordinates.iter().zip(VALUES.iter().cycle()) {
            text += &match self.positions.is_empty() {
                true => format!("{name} = {value}\n"),
                false => format!("{name} = {{ value = {value}, priority = \"guess\" }}\n"),
            };
        }
        let squares = self.coordinates.iter().map(|it| format!("{it}'^2"));
        let squares: Vec<String> = squares.collect();
        text += &format!("[energy]\nkinetic = \"({})/2\"\n", squares.join(" + "));
        for (kind, rows) in [("p", &self.positions), ("v", &self.velocities)] {
            for (k, row) in rows.iter().enumerate() {
                text += &format!("[constraint.{kind}{k}]\nholds = \"{row} = 0\"\n");
            }
        }
        examined(&text)
    }
}

/// A model at its start.
fn examined(text: &str) -> Doctor {
    let (model, _) = read(text).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"));
    let mechanism = Mechanism::new(model).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"));
    let start = mechanism.start();
    let start = start.unwrap_or_else(|e| panic!("{e:#?}\n{text}"));
    examine(&mechanism, &start.state)
}

/// "h" for rows that are proved to be integrable, "n" for those that are not, "?" where numbers alone tell, "." where nothing does.
fn letters(doctor: &Doctor) -> String {
    let findings = doctor.diagnosis.findings.iter();
    let letter = |verdict| match verdict {
        Verdict::Holonomic => 'h',
        Verdict::Nonholonomic => 'n',
        Verdict::NotProved => '?',
        Verdict::Undecided => '.',
    };
    findings.map(|it| letter(it.verdict)).collect()
}

fn integrals(doctor: &Doctor) -> Vec<String> {
    let list = doctor.diagnosis.integrals.iter();
    list.map(|&it| print_one(&doctor.graph, it, Format::Model))
        .collect()
}
