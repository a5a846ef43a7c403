//! Model files of any size.

use std::fmt::Write;

/// Masses, lengths and a state of the N-link pendulum; the same numbers for us and for our peers.
pub struct PendulumValues {
    /// Masses at the ends of the links.
    pub masses: Vec<f64>,
    /// Lengths of the links.
    pub lengths: Vec<f64>,
    /// Gravity.
    pub gravity: f64,
    /// Angles from the vertical.
    pub angles: Vec<f64>,
    /// Rates of the angles.
    pub rates: Vec<f64>,
}

impl PendulumValues {
    /// Values for a number of links: unequal, and nothing near a singular place.
    #[must_use]
    pub fn new(links: usize) -> Self {
        let each = |value: fn(f64) -> f64| (0..links).map(|i| value(i as f64)).collect();
        Self {
            masses: each(|i| 1.0 + i / 8.0),
            lengths: each(|i| 0.5 + i / 16.0),
            gravity: 9.81,
            angles: each(|i| 0.3 + (2.0 * i).sin() / 2.0),
            rates: each(|i| (3.0 * i + 1.0).cos() / 2.0),
        }
    }

    /// Another state nearby, one of any number.
    #[must_use]
    pub fn state(&self, number: usize) -> Vec<f64> {
        let shift = number as f64 / 1024.0;
        let angles = self.angles.iter().map(|angle| angle + shift);
        angles.chain(self.rates.iter().copied()).collect()
    }
}

/// The planar pendulum in absolute angles, as particles; x points down.
#[must_use]
pub fn pendulum(values: &PendulumValues) -> String {
    let links = values.masses.len();
    let mut text = "dalembert = 1\ntitle = \"Pendulum\"\ngravity = \"[g, 0, 0]\"\n".to_owned();
    text += &format!("[parameters]\ng = {}\n", values.gravity);
    let mut list = |head: &str, line: &dyn Fn(usize) -> String| {
        text += head;
        (0..links).for_each(|i| text += &line(i));
    };
    list("", &|i| {
        format!(
            "m{i} = {}\nl{i} = {}\n",
            values.masses[i], values.lengths[i]
        )
    });
    list("[coordinates]\n", &|i| {
        format!("a{i} = {}\n", values.angles[i])
    });
    list("[start]\n", &|i| {
        format!("\"a{i}'\" = {}\n", values.rates[i])
    });
    list("[definitions]\n", &|i| {
        let before = |axis: &str| match i {
            0 => String::new(),
            _ => format!("{axis}{} + ", i - 1),
        };
        let (x, y) = (before("x"), before("y"));
        format!("x{i} = \"{x}l{i}*cos(a{i})\"\ny{i} = \"{y}l{i}*sin(a{i})\"\n")
    });
    list("", &|i| {
        format!("[particle.P{i}]\nmass = \"m{i}\"\nposition = \"[x{i}, y{i}, 0]\"\n")
    });
    text
}

/// Masses in x and y on rods, one below the other, a little to the side.
#[must_use]
pub fn chain(masses: usize) -> String {
    let mut text = "dalembert = 1\ntitle = \"Chain\"\ngravity = \"[0, -g, 0]\"\n\
                    [parameters]\ng = 9.81\nl = 0.1\n[coordinates]\n"
        .to_owned();
    for i in 0..masses {
        let steps = i + 1;
        let _ = writeln!(text, "x{i} = \"{steps}*l*0.6\"\ny{i} = \"-{steps}*l*0.8\"");
    }
    for i in 0..masses {
        let _ = writeln!(
            text,
            "[particle.P{i}]\nmass = 1\nposition = \"[x{i}, y{i}, 0]\""
        );
    }
    for i in 0..masses {
        let rod = match i {
            0 => "x0^2 + y0^2".to_owned(),
            _ => format!("(x{i} - x{p})^2 + (y{i} - y{p})^2", p = i - 1),
        };
        let _ = writeln!(text, "[constraint.rod{i}]\nholds = \"{rod} = l^2\"");
    }
    text
}
