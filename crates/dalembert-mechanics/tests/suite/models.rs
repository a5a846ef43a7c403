//! Mechanisms from texts, and the texts that several files of tests begin with.

use dalembert_mechanics::Mechanism;
use dalembert_mechanics::model::read;

/// A mechanism from the text of a model without its first line.
pub(crate) fn mechanism(text: &str) -> Mechanism {
    let text = format!("dalembert = 1\n{text}");
    let (model, _) = read(&text).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"));
    Mechanism::new(model).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
}

/// A disk of mass m and moments J, 2 J, J that leans: its centre in x, y, z, its angles psi, theta, phi.
macro_rules! leaning_disk {
    () => {
        r#"
[frame.lean]
attitude = "Rz(psi) Rx(theta)"
[body.disk]
mass = "m"
inertia = ["J", "2*J", "J"]
center = "[x, y, z]"
attitude = "lean Ry(phi)"
"#
    };
}
pub(crate) use leaning_disk;

/// The same, with mass and moments of a thin disk of radius r.
macro_rules! thin_disk {
    () => {
        r#"
[frame.lean]
attitude = "Rz(psi) Rx(theta)"
[body.disk]
mass = 2
center = "[x, y, z]"
attitude = "lean Ry(phi)"
shape = { disk = { radius = "r", axis = "y" } }
"#
    };
}
pub(crate) use thin_disk;
