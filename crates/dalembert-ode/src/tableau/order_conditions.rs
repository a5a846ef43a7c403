//! The tableaus against the order conditions, one for each rooted tree.
//!
//! A method has order p if for all rooted trees τ of up to p nodes Φ(τ) = 1/γ(τ), where for τ = [τ₁ … τₘ]
//!
//! ```text
//! φᵢ(τ) = Πₘ Σⱼ aᵢⱼ φⱼ(τₘ)      Φ(τ) = Σᵢ bᵢ φᵢ(τ)      γ(τ) = |τ| Πₘ γ(τₘ)
//! ```
//!
//! and its dense output has order q if Σᵢ bᵢ(θ) φᵢ(τ) = θ^|τ|/γ(τ) up to |τ| = q.
//! Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", 1993, section II.2.

use super::{Estimate, Method, Row, Tableau};

/// Sums of products of coefficients of size 40, correctly rounded ones, are this good.
const ROUNDING: f64 = 2e-12;

struct Tree {
    nodes: usize,
    children: Vec<usize>,
    density: f64,
}

/// All rooted trees of up to `nodes` nodes, the smaller ones first.
fn trees(nodes: usize) -> Vec<Tree> {
    let mut all: Vec<Tree> = Vec::new();
    for size in 1..=nodes {
        let mut children_sets = Vec::new();
        choose_children(
            &all,
            size - 1,
            all.len(),
            &mut Vec::new(),
            &mut children_sets,
        );
        for children in children_sets {
            let density = size as f64 * children.iter().map(|&c| all[c].density).product::<f64>();
            all.push(Tree {
                nodes: size,
                children,
                density,
            });
        }
    }
    all
}

/// Multisets of trees with index below `limit` or at it after the first, with `left` nodes in all.
fn choose_children(
    all: &[Tree],
    left: usize,
    limit: usize,
    chosen: &mut Vec<usize>,
    out: &mut Vec<Vec<usize>>,
) {
    if left == 0 {
        out.push(chosen.clone());
        return;
    }
    for child in (0..limit).filter(|&child| all[child].nodes <= left) {
        chosen.push(child);
        choose_children(all, left - all[child].nodes, child + 1, chosen, out);
        chosen.pop();
    }
}

/// Rows of all stages: those of the step, the one at its end, those of the dense output.
fn all_rows(tableau: &Tableau) -> Vec<Row> {
    let mut rows = tableau.stages.to_vec();
    rows.push(tableau.weights);
    rows.extend(tableau.extra_stages);
    rows
}

/// φ of each tree at each stage.
fn stage_weights(tableau: &Tableau, trees: &[Tree]) -> Vec<Vec<f64>> {
    let rows = all_rows(tableau);
    let mut phi: Vec<Vec<f64>> = Vec::new();
    for tree in trees {
        let at = |row: &Row| {
            let child = |&c: &usize| row.iter().map(|&(j, a)| a * phi[c][j]).sum::<f64>();
            tree.children.iter().map(child).product()
        };
        phi.push(rows.iter().map(at).collect());
    }
    phi
}

fn dense_row(length: usize, row: Row) -> Vec<f64> {
    let mut out = vec![0.0; length];
    row.iter().for_each(|&(stage, weight)| out[stage] += weight);
    out
}

fn difference(tableau: &Tableau, error: Row) -> Vec<f64> {
    let length = tableau.all_stages();
    let (b, e) = (dense_row(length, tableau.weights), dense_row(length, error));
    b.iter().zip(&e).map(|(b, e)| b - e).collect()
}

/// Largest violation of the conditions of order p, for each p up to `nodes`, at θ.
fn violations(tableau: &Tableau, weights: &[f64], theta: f64, nodes: usize) -> Vec<f64> {
    let trees = trees(nodes);
    let phi = stage_weights(tableau, &trees);
    let mut largest = vec![0.0f64; nodes];
    for (tree, phi) in trees.iter().zip(&phi) {
        let sum: f64 = weights.iter().zip(phi).map(|(b, phi)| b * phi).sum();
        let exact = theta.powi(tree.nodes as i32) / tree.density;
        let entry = &mut largest[tree.nodes - 1];
        *entry = entry.max((sum - exact).abs());
    }
    largest
}

/// Asserts that the weights have exactly the given order at θ = 1.
fn check_order(tableau: &Tableau, weights: &[f64], order: usize) {
    let largest = violations(tableau, weights, 1.0, order + 1);
    let (met, missed) = largest.split_at(order);
    assert!(met.iter().all(|&v| v < ROUNDING), "order {order}: {met:?}");
    assert!(missed[0] > 1e-7, "order {order} is exceeded: {missed:?}");
}

/// bᵢ(θ) of the dense output.
fn dense_weights(tableau: &Tableau, theta: f64) -> Vec<f64> {
    let length = tableau.all_stages();
    let unit = |stage: usize| {
        let mut unit = vec![0.0; length];
        unit[stage] = 1.0;
        unit
    };
    let b = dense_row(length, tableau.weights);
    let (first, last) = (unit(0), unit(tableau.last()));
    let mut rows = vec![
        b.clone(),
        (0..length).map(|i| first[i] - b[i]).collect(),
        (0..length)
            .map(|i| 2.0 * b[i] - first[i] - last[i])
            .collect(),
    ];
    rows.extend(tableau.dense.iter().map(|row| dense_row(length, row)));
    let mut out = vec![0.0; length];
    for (number, row) in rows.iter().enumerate().rev() {
        let factor = if number % 2 == 0 { theta } else { 1.0 - theta };
        out.iter_mut()
            .zip(row)
            .for_each(|(out, f): (&mut f64, &f64)| *out = factor * (*out + f));
    }
    out
}

#[test]
fn there_are_as_many_trees_as_cayley_counted() {
    let all = trees(8);
    let count = |nodes| all.iter().filter(|tree| tree.nodes == nodes).count();
    let counts: Vec<usize> = (1..=8).map(count).collect();
    assert_eq!(counts, [1, 1, 2, 4, 9, 20, 48, 115]);
}

#[test]
fn rows_sum_to_their_nodes() {
    for method in [Method::DormandPrince5, Method::DormandPrince8] {
        let tableau = method.tableau().expect("explicit");
        let mut nodes = tableau.nodes.to_vec();
        nodes.push(1.0);
        nodes.extend(tableau.extra_nodes);
        assert_eq!(nodes.len(), all_rows(tableau).len());
        for (i, (row, c)) in all_rows(tableau).iter().zip(nodes).enumerate() {
            let sum: f64 = row.iter().map(|(_, a)| a).sum();
            assert!(
                (sum - c).abs() < 3e-14,
                "{method:?} row {i}: {sum} is not {c}"
            );
            assert!(
                row.iter().all(|&(j, _)| j < i),
                "{method:?} row {i} is not explicit"
            );
        }
    }
}

#[test]
fn quadrature_is_exact_up_to_the_order() {
    for method in [Method::DormandPrince5, Method::DormandPrince8] {
        let tableau = method.tableau().expect("explicit");
        for power in 0..tableau.order as i32 {
            let sum: f64 = tableau
                .weights
                .iter()
                .map(|&(j, b)| b * tableau.nodes[j].powi(power))
                .sum();
            assert!(
                (sum - 1.0 / f64::from(power + 1)).abs() < 1e-14,
                "{method:?} power {power}"
            );
        }
    }
}

#[test]
fn steps_have_their_order() {
    for method in [Method::DormandPrince5, Method::DormandPrince8] {
        let tableau = method.tableau().expect("explicit");
        check_order(
            tableau,
            &dense_row(tableau.all_stages(), tableau.weights),
            tableau.order,
        );
    }
}

#[test]
fn embedded_weights_have_their_orders() {
    for method in [Method::DormandPrince5, Method::DormandPrince8] {
        let tableau = method.tableau().expect("explicit");
        match tableau.estimate {
            Estimate::Single(error) => check_order(tableau, &difference(tableau, error), 4),
            Estimate::Pair { fifth, third } => {
                check_order(tableau, &difference(tableau, fifth), 5);
                check_order(tableau, &difference(tableau, third), 3);
            }
        }
    }
}

#[test]
fn dense_output_has_its_order_everywhere() {
    for method in [Method::DormandPrince5, Method::DormandPrince8] {
        let tableau = method.tableau().expect("explicit");
        let order = tableau.dense_order;
        for theta in [0.1, 0.3, 0.5, 0.77, 0.9, 1.0] {
            let largest = violations(tableau, &dense_weights(tableau, theta), theta, order);
            assert!(
                largest.iter().all(|&v| v < ROUNDING),
                "{method:?} at {theta}: {largest:?}"
            );
        }
        let beyond = violations(tableau, &dense_weights(tableau, 0.3), 0.3, order + 1);
        assert!(beyond[order] > 1e-7, "{method:?}: {beyond:?}");
    }
}
