use super::Samples;
use crate::derive::{DeriveOptions, derive};
use dalembert_mechanics::{Mechanism, model};

#[test]
fn a_page_that_is_wrong_is_found_out() {
    let text = r#"dalembert = 1
[parameters]
m = 2
l = 0.5
[coordinates]
x = 0
y = -0.5
[start]
"x'" = 1
[particle.P]
mass = "m"
position = "[x, y, 0]"
[constraint.rod]
holds = "x^2 + y^2 = l^2"
"#;
    let (model, _) = model::read(text).unwrap();
    let mechanism = Mechanism::new(model).unwrap();
    let mut graph = mechanism.system.graph.clone();
    let samples = Samples::of(&mechanism, &mut graph).unwrap();
    let mut page = derive(&mechanism, &DeriveOptions::default()).unwrap();
    assert!(samples.contradiction(&page).is_none());
    let right = page.equations[0].right;
    let tiny = page
        .graph
        .number(dalembert_expr::Rational::new(1, 100_000_000).unwrap());
    page.equations[0].right = page.graph.add(right, tiny);
    let found = samples.contradiction(&page).unwrap();
    assert_eq!(found.equation, page.equations[0]);
    page.equations[0].right = right;
    // 1/(x² + y² − l²) has no value where the system moves.
    let row = mechanism.system.rows[0].residual;
    let one = page.graph.integer(1);
    page.equations[0].left = page.graph.div(one, row);
    assert!(samples.contradiction(&page).is_some());
}
