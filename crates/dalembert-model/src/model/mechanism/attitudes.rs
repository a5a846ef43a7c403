//! Attitudes that are written out, as texts of the components of a quaternion.

use crate::model::Expression;
use dalembert_expr::syntax::{Kind, NodeId};

/// The components of a quaternion, scalar first, as texts.
pub(super) type Quaternion = [String; 4];

/// The quaternion of an attitude that is written with Rx, Ry, Rz, quat and `ground` alone.
pub(super) fn quaternion(attitude: &Expression) -> Option<Quaternion> {
    part(attitude, attitude.tree.root())
}

/// The opposite rotation, of a unit quaternion.
pub(super) fn conjugate([q0, q1, q2, q3]: &Quaternion) -> Quaternion {
    let opposite = |text: &String| difference("0".to_owned(), text.clone());
    [q0.clone(), opposite(q1), opposite(q2), opposite(q3)]
}

fn part(attitude: &Expression, id: NodeId) -> Option<Quaternion> {
    let tree = &attitude.tree;
    let text = |id: NodeId| format!("({})", tree[id].span.text(&attitude.text));
    match &tree[id].kind {
        Kind::Sequence(parts) => {
            let mut parts = parts.iter().map(|&id| part(attitude, id));
            let first = parts.next()??;
            parts.try_fold(first, |done, next| Some(product(&done, &next?)))
        }
        Kind::Call {
            function,
            arguments,
        } => match (&*function.text, &**arguments) {
            ("quat", [a, b, c, d]) => Some([a, b, c, d].map(|it| text(it.value))),
            (name @ ("Rx" | "Ry" | "Rz"), [angle]) => {
                let axis = ["Rx", "Ry", "Rz"].iter().position(|it| *it == name)?;
                let angle = text(angle.value);
                let mut found = ["", "0", "0", "0"].map(str::to_owned);
                found[0] = format!("cos({angle}/2)");
                found[axis + 1] = format!("sin({angle}/2)");
                Some(found)
            }
            _ => None,
        },
        Kind::Name { name, primes: 0 } if **name == *"ground" => {
            Some(["1", "0", "0", "0"].map(str::to_owned))
        }
        _ => None,
    }
}

/// A vector turned by a rotation: v + 2 q0 (u × v) + 2 u × (u × v) with u the vector part.
pub(super) fn rotated(q: &Quaternion, v: &[String; 3]) -> [String; 3] {
    let u = [q[1].clone(), q[2].clone(), q[3].clone()];
    let once = cross(&u, v);
    let twice = cross(&u, &once);
    [0, 1, 2].map(|i| {
        let turned = sum(times(&q[0], &once[i]), twice[i].clone());
        sum(v[i].clone(), times("2", &turned))
    })
}

fn cross(a: &[String; 3], b: &[String; 3]) -> [String; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| difference(times(&a[i], &b[j]), times(&a[j], &b[i])))
}

/// Hamilton's product.
pub(super) fn product(a: &Quaternion, b: &Quaternion) -> Quaternion {
    // Which components of b stand beside those of a, and with which sign.
    const TERMS: [[(usize, bool); 4]; 4] = [
        [(0, true), (1, false), (2, false), (3, false)],
        [(1, true), (0, true), (3, true), (2, false)],
        [(2, true), (3, false), (0, true), (1, true)],
        [(3, true), (2, true), (1, false), (0, true)],
    ];
    TERMS.map(|terms| {
        let mut total = "0".to_owned();
        for (a, (place, plus)) in a.iter().zip(terms) {
            let term = times(a, &b[place]);
            total = match plus {
                true => sum(total, term),
                false => difference(total, term),
            };
        }
        total
    })
}

pub(super) fn times(a: &str, b: &str) -> String {
    match (a, b) {
        ("0", _) | (_, "0") => "0".to_owned(),
        ("1", other) | (other, "1") => other.to_owned(),
        _ => format!("({a})*({b})"),
    }
}

fn sum(a: String, b: String) -> String {
    match (&*a, &*b) {
        ("0", _) => b,
        (_, "0") => a,
        _ => format!("{a} + {b}"),
    }
}

fn difference(a: String, b: String) -> String {
    match (&*a, &*b) {
        (_, "0") => a,
        ("0", _) => format!("-({b})"),
        _ => format!("{a} - ({b})"),
    }
}

#[cfg(test)]
mod tests {
    use super::{conjugate, product};

    /// i j = k, and q q* is a number.
    #[test]
    fn products() {
        let unit = |place: usize| {
            let mut unit = ["0"; 4].map(str::to_owned);
            unit[place] = "1".to_owned();
            unit
        };
        assert_eq!(product(&unit(1), &unit(2)), unit(3));
        assert_eq!(product(&unit(2), &unit(3)), unit(1));
        assert_eq!(product(&unit(3), &unit(1)), unit(2));
        assert_eq!(product(&unit(2), &unit(1))[3], "-(1)");
        let q = ["a", "b", "0", "0"].map(str::to_owned);
        let found = product(&q, &conjugate(&q));
        assert_eq!(found[0], "(a)*(a) - ((b)*(-(b)))");
        assert_eq!(found[2..], ["0", "0"]);
    }
}
