//! What `check` says, in words.

use super::doctor::LINE;
use super::{CheckReport, ConstraintRow, StartReport, Verified};
use crate::report::text::{SHOWN, plural};
use dalembert_expr::print::visible;
use dalembert_mechanics::model::constraint_of;
use indexmap::IndexMap;
use std::fmt;

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = &self.counts;
        if let Some(title) = &self.title {
            writeln!(f, "{}", visible(title))?;
        }
        write!(
            f,
            "coordinates {}{}   rows {}   rank {}   freedoms: {} {}",
            counts.coordinates,
            match self.identities.len() {
                0 => String::new(),
                _ => format!("   speeds {}", counts.speeds),
            },
            counts.rows,
            counts.rank,
            counts.velocity_freedoms,
            match counts.velocity_freedoms {
                1 => "velocity",
                _ => "velocities",
            },
        )?;
        match (counts.position_freedoms, counts.most_position_freedoms) {
            (Some(n), _) => write!(f, ", {n} {}", plural(n, "position"))?,
            (None, n) if counts.numerically => {
                write!(f, ", {n} {} (not proved)", plural(n, "position"))?;
            }
            (None, n) => write!(f, ", at most {n} {}", plural(n, "position"))?,
        }
        for name in &self.identities {
            write!(f, "\n{name:<12} identity of the coordinates, no reaction")?;
        }
        if !self.links.is_empty() {
            let (name, count) = ("inertia", self.links.len());
            write!(
                f,
                "\n{name:<12} of {count} bodies link by link, from the ends of the tree to its root: no matrix is written out"
            )?;
        }
        if !self.could_hang.is_empty() {
            let hang = match self.could_hang.len() {
                1 => format!("{} hangs by its joint", self.could_hang[0]),
                count => format!("{count} bodies hang by their joints"),
            };
            let name = "faster";
            write!(
                f,
                "\n{name:<12} with coordinates = \"relative\" at the top of the file: {hang} then, without rows of constraints"
            )?;
        }
        for row in &self.constraints {
            write!(f, "\n{:<12} {}", row.name, row.facts().join(", "))?;
        }
        let own = |integral: &&String| {
            let mut rows = self.constraints.iter();
            rows.all(|row| row.integral.as_ref() != Some(integral))
        };
        let together: Vec<&str> = self
            .integrals
            .iter()
            .filter(own)
            .map(String::as_str)
            .collect();
        if !together.is_empty() {
            write!(f, "\n{:<12} {}", "constant", together.join(", "))?;
            f.write_str(": the rows keep it so together, none of them alone")?;
        }
        if let [free, more @ ..] = self.growth.as_slice() {
            let more: Vec<String> = more.iter().map(usize::to_string).collect();
            let dimensions = plural(*free, "dimension");
            let along = format!("{free} {dimensions} of positions along the free directions");
            write!(f, "\n{:<12} {along}, ", "reached")?;
            let last = self.growth.last().copied().unwrap_or_default();
            let is_all = last >= counts.most_position_freedoms;
            match (more.is_empty(), is_all) {
                (true, true) => f.write_str("none beyond them")?,
                (true, false) => f.write_str("what lies beyond them is not decided")?,
                (false, _) => write!(f, "{} by moving along them in turn", more.join(", "))?,
            }
            if !more.is_empty() && !is_all {
                f.write_str(", what lies beyond is not decided")?;
            }
        }
        if let Some(words) = self.shared_reactions() {
            write!(f, "\n{:<12} {words}", "not unique")?;
        }
        write!(f, "\n{:<12} {}", "start", self.start)?;
        if !self.start.sticking.is_empty() {
            let sticks = self.start.sticking.join(" sticks, ");
            write!(f, "\n{:<12} {sticks} sticks at the start", "friction")?;
        }
        if !self.constraints.is_empty() {
            let ideal = if self.constraints.iter().all(|row| row.ideal) {
                "yes: no virtual work"
            } else if self.constraints.iter().any(|row| row.laws.nonideal) {
                "no: constraints do virtual work"
            } else {
                "no: forces hold constraints, and do virtual work"
            };
            write!(f, "\n{:<12} {ideal}", "ideal")?;
            if let Some(independent) = &self.independent {
                write!(f, "\n{:<12} {independent}", "independent")?;
            }
        }
        if let Some(words) = self.kinds_of_speeds() {
            write!(f, "\n{:<12} {words}", "speeds")?;
        }
        if let Some(words) = self.kinds_of_forces() {
            write!(f, "\n{:<12} {words}", "forces")?;
        }
        if !self.ignorable.is_empty() {
            let momentum = |name: &&String| self.conserved.contains(&format!("p_{name}"));
            let none = !self.ignorable.iter().any(|name| momentum(&name));
            let why = match none {
                true => "(in neither energy, but no momentum of one alone is constant)",
                false => "(in neither energy)",
            };
            write!(f, "\n{:<12} {} {why}", "ignorable", list(&self.ignorable))?;
        }
        if !self.conserved.is_empty() {
            write!(f, "\n{:<12} {}", "conserved", list(&self.conserved))?;
        }
        write!(f, "\n{:<12} {}", "verified", self.verified)
    }
}

impl CheckReport {
    /// Which constraints share their reactions in no one way, and what would make them unique.
    fn shared_reactions(&self) -> Option<String> {
        let rows = self.constraints.iter().filter(|row| !row.empty);
        let open = rows.clone().filter(|row| !row.reaction_unique);
        let mut shared: Vec<&str> = open.map(|row| constraint_of(&row.name)).collect();
        shared.dedup();
        let spare: Vec<&str> = rows
            .filter(|row| row.redundant)
            .map(|row| row.name.as_str())
            .collect();
        let repeats = match spare.len() {
            0 => return None,
            1 => "1 row repeats".to_owned(),
            n => format!("{n} rows repeat"),
        };
        if let [one] = *shared {
            return Some(format!(
                "{one} is 0 = 0 at the start, and its reaction may be anything there"
            ));
        }
        Some(format!(
            "{repeats} what the others hold: how {} share their reactions depends on how stiff they are, which rigid parts do not say; \
             reactions are unique without {}, as of joints that hold less, or where one of them gives way: springs in its place",
            listed(&shared),
            listed(&spare),
        ))
    }
}

impl CheckReport {
    /// Of speeds that have names of their own, what they are rates of.
    fn kinds_of_speeds(&self) -> Option<String> {
        let is_rate = |name: &str| {
            let of = name.strip_suffix('\'');
            of.is_some_and(|of| self.coordinates.iter().any(|it| it == of))
        };
        let own = self.speeds.iter().filter(|it| !is_rate(&it.name));
        let shown = own.map(|it| match (it.kind, &it.integral) {
            (Some("velocity"), Some(integral)) if integral.len() <= LINE => {
                ("velocities", format!("{} of {integral}", it.name))
            }
            (Some("velocity"), _) => ("velocities", it.name.clone()),
            (Some(_), _) => ("quasi-velocities, rates of nothing", it.name.clone()),
            (None, _) => ("not decided", it.name.clone()),
        });
        grouped(shown)
    }

    /// What given forces are, where something is to be said.
    fn kinds_of_forces(&self) -> Option<String> {
        // What `dynamics` gives beside M holds inertia too.
        let forces = self.forces.iter().filter(|it| it.name != "dynamics");
        let shown = forces.map(|it| {
            let short = it.potential.as_ref().filter(|it| it.len() <= LINE);
            let name = match short {
                Some(potential) => format!("{} (V = {potential})", it.name),
                None => it.name.clone(),
            };
            (it.kind.unwrap_or("not decided"), name)
        });
        grouped(shown)
    }
}

/// "dissipative: a, b; other: c", in the order in which they come.
fn grouped(list_of: impl Iterator<Item = (&'static str, String)>) -> Option<String> {
    let mut groups: IndexMap<&str, Vec<String>> = IndexMap::new();
    for (kind, name) in list_of {
        groups.entry(kind).or_default().push(name);
    }
    let words = groups.iter();
    let words: Vec<String> = words
        .map(|(kind, names)| format!("{kind}: {}", list(names)))
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// "a, b, c"; of many the first.
fn list(names: &[String]) -> String {
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// "a, b and c"; of many the first.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        _ if names.len() > SHOWN => {
            let first = names[..SHOWN].join(", ");
            format!("{first} and {} more", names.len() - SHOWN)
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl ConstraintRow {
    /// In words.
    fn facts(&self) -> Vec<String> {
        let level = match (self.level, self.linear) {
            ("velocity", true) => Some("linear"),
            ("velocity", false) => Some("nonlinear"),
            _ => None,
        };
        if self.empty {
            return vec![
                self.level.to_owned(),
                "0 = 0: it restricts nothing".to_owned(),
            ];
        }
        let mut facts = vec![self.level.to_owned()];
        facts.extend(self.holonomy.words());
        let more = level.into_iter();
        facts.extend(
            more.chain(self.rheonomic.then_some("depends on time"))
                .chain(self.laws.nonideal.then_some("not ideal"))
                .chain(self.laws.friction)
                .chain(self.laws.used.then_some("a law uses its reaction"))
                .map(str::to_owned),
        );
        facts.extend(self.held_by.iter().map(|force| format!("held by {force}")));
        facts.extend(match (self.unilateral, self.active) {
            (true, true) => Some("a contact, closed at the start".to_owned()),
            (true, false) => Some("a contact, open at the start".to_owned()),
            (false, true) => None,
            (false, false) => Some("waits for an event".to_owned()),
        });
        let product = |it: &String| format!("a product, {it}: write the factor that holds");
        facts.extend(self.factored.as_ref().map(product));
        facts.extend(self.redundant.then(|| match self.repeats.as_deref() {
            None => "redundant".to_owned(),
            Some("0") => "redundant: 0 = 0 at the start".to_owned(),
            Some(sum) => format!("redundant: at the start it is {sum}"),
        }));
        facts.extend((!self.reaction_unique).then(|| "reaction not unique".to_owned()));
        facts
    }
}

/// What was found of the start, and which given values moved from where to where.
impl fmt::Display for StartReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.solved.iter();
        let found = found.filter(|(name, _)| self.moved.iter().all(|moved| moved.name != **name));
        let found: Vec<String> = found
            .map(|(name, value)| format!("{name} = {}", self.shown(name, *value)))
            .collect();
        let moved = self.moved.iter().map(|moved| {
            let [mut from, mut to] = [moved.given, moved.found].map(|x| self.shown(&moved.name, x));
            if from == to {
                // Little, but not nothing: all digits.
                [from, to] = [moved.given, moved.found].map(|x| x.to_string());
            }
            format!("{} from {from} to {to}", moved.name)
        });
        let moved: Vec<String> = moved.collect();
        if !found.is_empty() {
            let verb = if found.len() == 1 {
                "follows"
            } else {
                "follow"
            };
            write!(f, "{} {verb} from the constraints; ", list(&found))?;
        }
        if !moved.is_empty() {
            write!(f, "guesses changed to meet them: {}; ", list(&moved))?;
        }
        f.write_str(match self.moved.is_empty() {
            true => "all given values are met",
            false => "all other given values are met",
        })
    }
}

/// What the comparison of formulations found, and what was left out of it.
impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(difference) = self.max_difference else {
            return f.write_str("by one formulation only: the model is large");
        };
        let count = self.formulations;
        write!(f, "{count} formulations give the same accelerations at ")?;
        match self.states {
            0 => {
                f.write_str("the start, as no random state was found that meets the constraints")?
            }
            n => write!(f, "{n} random {}", plural(n, "state"))?,
        }
        if self.states > 0 && self.has_rows {
            f.write_str(" that meet the constraints")?;
        }
        write!(f, " (to {difference:.0e})")?;
        if self.is_limited {
            f.write_str("; fewer than usual: the model is large")?;
        }
        if let Some(name) = &self.not_reducible {
            write!(f, "; no independent speeds under `{name}`")?;
        }
        match self.change {
            Some(part) => write!(
                f,
                "; what is constant stays so along a short run from one of them (to {part:.0e})"
            ),
            None => Ok(()),
        }
    }
}
