//! Contacts at rest that hold better than they slide: what begins to slip has the friction of sliding.

use super::{Contact, Friction, NoAnswer, Problem, Solution, State, Uniqueness};

/// The solution of contacts whose coefficients are those of holding; each that begins to slip goes the way it begins, with its coefficient of `sliding`.
/// Whether it is the only one is asked where that is `sought`.
///
/// # Errors
/// There is none, or there are several.
pub fn solve_departing(
    (mobility, free): (&[f64], &[f64]),
    contacts: &mut [Contact],
    sliding: &[f64],
    sought: bool,
) -> Result<(Solution, Uniqueness), NoAnswer> {
    let problem = |contacts: &[Contact]| {
        let problem = Problem {
            mobility,
            free,
            contacts,
        };
        let open = Uniqueness::NotEstablished;
        match sought {
            true => problem.solve(),
            false => {
                let found = problem.find().map(|it| (it, open));
                found.ok_or(NoAnswer::Nothing(open))
            }
        }
    };
    let first = problem(contacts)?;
    let mut eases = false;
    for (k, contact) in contacts.iter_mut().enumerate() {
        if first.0.states[k] != State::Slips {
            continue;
        }
        let moves = |at: usize| first.0.accelerations[at];
        match &mut contact.friction {
            Friction::Line {
                at,
                coefficient,
                way,
            } if *coefficient > sliding[k] => {
                *coefficient = sliding[k];
                *way = Some(moves(*at).signum());
                eases = true;
            }
            Friction::Plane {
                at,
                coefficient,
                way,
            } if *coefficient > sliding[k] => {
                let [x, y] = [moves(*at), moves(*at + 1)];
                *coefficient = sliding[k];
                *way = Some([x / x.hypot(y), y / x.hypot(y)]);
                eases = true;
            }
            _ => {}
        }
    }
    if eases { problem(contacts) } else { Ok(first) }
}
