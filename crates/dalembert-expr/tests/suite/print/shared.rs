//! Named subexpressions.

use super::{parameter, read};
use dalembert_expr::print::{
    DEFAULT_TREE_LIMIT, Format, Options, Printed, print, print_one, tree_size,
};
use dalembert_expr::{ExprId, Graph};

/// e ← e + sin(e), `times` over: a tree of 2^times nodes.
fn doubled(graph: &mut Graph, times: usize) -> ExprId {
    let mut e = parameter(graph, "x");
    for _ in 0..times {
        let sine = graph.sin(e);
        e = graph.add(e, sine);
    }
    e
}

fn shared(graph: &Graph, expressions: &[ExprId], format: Format) -> Printed {
    let options = Options {
        tree_limit: 0,
        ..Options::new(format)
    };
    print(graph, expressions, &options)
}

#[test]
fn tree_size_counts_every_use() {
    let mut graph = Graph::new();
    let id = read(&mut graph, "(x + y)*sin(x + y)");
    assert_eq!(tree_size(&graph, id), 8);
    let id = doubled(&mut graph, 20);
    assert_eq!(tree_size(&graph, id), 3 * (1 << 20) - 2);
    let id = doubled(&mut graph, 200);
    assert_eq!(tree_size(&graph, id), u64::MAX);
}

#[test]
fn only_a_tree_beyond_the_limit_is_shared() {
    let mut graph = Graph::new();
    let id = read(&mut graph, "(m*r^2 + J)*sin(m*r^2 + J)");
    let size = tree_size(&graph, id);
    for (tree_limit, is_shared) in [(size, false), (size - 1, true)] {
        let options = Options {
            tree_limit,
            ..Options::new(Format::Text)
        };
        assert_eq!(print(&graph, &[id], &options).is_shared(), is_shared);
    }
}

/// Short pieces are repeated where people read, and computed once where a program does.
#[test]
fn definitions_come_before_their_uses() {
    let mut graph = Graph::new();
    let sum = read(
        &mut graph,
        "(m*r^2 + J)*sin(theta)^2 + (m*r^2 + J)*sin(theta)",
    );
    let root = read(&mut graph, "sqrt((m*r^2 + J)*sin(theta))");
    let joined = |format| {
        let printed = shared(&graph, &[sum, root], format);
        let line = |(name, text): &(String, String)| format!("{name} := {text}\n");
        let lines: String = printed.definitions.iter().map(line).collect();
        lines + &printed.expressions.join("\n")
    };
    insta::assert_snapshot!(joined(Format::Text), @r"
    s₁ := m r² + J
    s₂ := s₁ sin θ
    s₁ sin²θ + s₂
    √s₂
    ");
    insta::assert_snapshot!(joined(Format::C), @r"
    s1 := m*(r*r) + J
    s2 := sin(theta)
    s3 := s1*s2
    s1*(s2*s2) + s3
    sqrt(s3)
    ");
}

#[test]
fn names_of_symbols_are_not_taken() {
    let mut graph = Graph::new();
    let taken = [parameter(&mut graph, "s1"), parameter(&mut graph, "s_2")];
    let id = read(
        &mut graph,
        "(a*b + c)*sin(a*b + c)*cos(a*b + c + d*a)*(a*b + c + d*a)",
    );
    for format in Format::ALL {
        let printed = shared(&graph, &[id], format);
        assert_eq!(printed.definitions.len(), 2);
        for (name, _) in &printed.definitions {
            for symbol in taken {
                let symbol = print(&graph, &[symbol], &Options::new(format));
                assert_ne!(*name, symbol.expressions.concat(), "{format}");
            }
        }
    }
}

#[test]
fn an_expression_that_is_shared_is_printed_by_name() {
    let mut graph = Graph::new();
    let id = read(&mut graph, "m*r^2 + J");
    let printed = shared(&graph, &[id, id], Format::Model);
    assert_eq!(
        printed.definitions,
        [("s1".to_owned(), "m*r^2 + J".to_owned())]
    );
    assert_eq!(printed.expressions, ["s1", "s1"]);
}

#[test]
fn one_text_holds_definitions_and_result() {
    let mut graph = Graph::new();
    let mut id = doubled(&mut graph, 20);
    let y = parameter(&mut graph, "y");
    id = graph.mul(id, y);
    let ends = |format| {
        let text = print_one(&graph, id, format);
        let lines: Vec<&str> = text.lines().collect();
        [&lines[..3], &["…"], &lines[lines.len() - 2..]]
            .concat()
            .join("\n")
    };
    insta::assert_snapshot!(ends(Format::Model), @r"
    s1 = x + sin(x)
    s2 = s1 + sin(s1)
    s3 = s2 + sin(s2)
    …
    s19 = s18 + sin(s18)
    (s19 + sin(s19))*y
    ");
    insta::assert_snapshot!(ends(Format::Text), @r"
    s₁ = x + sin x
    s₂ = s₁ + sin s₁
    s₃ = s₂ + sin s₂
    …
    s₁₉ = s₁₈ + sin s₁₈
    (s₁₉ + sin s₁₉) y
    ");
    insta::assert_snapshot!(ends(Format::Latex), @r"
    \begin{aligned}
    s_1 &= x + \sin x \\
    s_2 &= s_1 + \sin s_1 \\
    …
    &\phantom{{}={}} (s_{19} + \sin s_{19}) y
    \end{aligned}
    ");
    insta::assert_snapshot!(ends(Format::Typst), @r"
    s_1 &= x + sin x \
    s_2 &= s_1 + sin s_1 \
    s_3 &= s_2 + sin s_2 \
    …
    s_19 &= s_18 + sin s_18 \
    & (s_19 + sin s_19) y
    ");
    insta::assert_snapshot!(ends(Format::C), @r"
    const double s1 = x + sin(x);
    const double s2 = s1 + sin(s1);
    const double s3 = s2 + sin(s2);
    …
    const double s19 = s18 + sin(s18);
    (s19 + sin(s19))*y
    ");
    let equations = print_one(&graph, id, Format::MathMl);
    assert_eq!(equations.lines().count(), 20);
    for line in equations.lines() {
        assert!(line.starts_with("<math ") && line.ends_with("</math>"));
        assert_eq!(
            line.matches("<mrow>").count(),
            line.matches("</mrow>").count()
        );
    }
}

/// The language of models has no names for subexpressions: moderate trees are written out.
#[test]
fn model_text_stays_in_one_piece() {
    let mut graph = Graph::new();
    let id = doubled(&mut graph, 14);
    assert!(tree_size(&graph, id) > DEFAULT_TREE_LIMIT);
    let text = print_one(&graph, id, Format::Model);
    assert!(!text.contains('='));
    let again = read(&mut graph, &text);
    assert_eq!(print_one(&graph, again, Format::Model), text);
    assert!(print_one(&graph, id, Format::Python).starts_with("s1 = "));
}
