use super::*;
use dalembert_mechanics::read_model;

/// Of an oscillator the energy stays, and neither its kinetic part nor its place does.
#[test]
fn what_changes_is_seen() {
    let text = "dalembert = 1\n[coordinates]\nx = 1\n[start]\n\"x'\" = 0.5\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n";
    let (model, _) = read_model(text).expect("a model");
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let start = mechanism.start().expect("a start").state;
    let system = &mechanism.system;
    let mut graph = system.graph.clone();
    let energy = graph.add(system.kinetic, system.potential);
    let found = |list: &[ExprId]| change(&mechanism, &start, &graph, list);
    let (_, part) = found(&[energy]).expect("a run");
    assert!(!is_change(part), "{part:e}");
    let (which, part) = found(&[energy, system.kinetic]).expect("a run");
    assert!(which == 1 && is_change(part), "{part:e}");
    assert_eq!(found(&[]), None);
}
