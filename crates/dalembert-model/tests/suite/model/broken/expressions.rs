//! Expressions: their form, and mistakes inside.

use crate::model::{errors, errors_in};
use insta::assert_snapshot;

#[test]
fn expressions_have_the_form_their_key_asks_for() {
    assert_snapshot!(errors_in(r#"[constraint.rod]
holds = "x^2 - 4"
[constraint.wall]
holds = "x < 0"
"#), @r#"
    E0311 4:10 x^2 - 4
      `holds` of constraint.rod is not an equation
      write left = right, such as x^2 - 4 = 0
    E0311 6:10 x < 0
      `holds` of constraint.wall is a comparison that leaves out where its sides are equal
      write left = right, or left >= right (left <= right) for a contact that can open
    "#);
    assert_snapshot!(errors_in(r#"[energy]
potential = "V = m*g*x"
"#), @r#"
    E0313 4:14 V = m*g*x
      `potential` of energy needs a value, not an equation or comparison
      write one of its sides, or their difference; equations belong into holds of [constraint.NAME]
    "#);
    assert_snapshot!(errors_in(r#"[run]
until = "x = 3"
"#), @r#"
    E0312 4:10 x = 3
      `until` of run is not a comparison
      write left < right or left > right, such as y < 0
    "#);
    assert_snapshot!(errors_in(r#"[definitions]
m = "?"
"#), @r#"
    E0319 4:6 ?
      `m` of definitions cannot be left open with "?"
      give a value; only parameters, and start values of coordinates and rates, can be found
    "#);
    assert_snapshot!(errors(r#"dalembert = 1
[coordinates]
x = { value = "?", priority = "must" }
"#), @r#"
    E0319 3:32 must
      coordinates.x is left open with "?", so no value must be met
      give a value, or leave the priority out
    "#);
}

#[test]
fn mistakes_inside_expressions_are_pointed_at() {
    assert_snapshot!(errors_in(r#"[constraint.rod]
holds = "2 sin(x) + = 0"
"#), @r#"
    E0113 4:12 sin(x)
      an operator is missing before `sin(x)`
      there is no implicit multiplication: write 2*sin(x)
    E0112 4:19 +
      `+` has nothing on its right
      write an operand after it
    "#);
    assert_snapshot!(errors_in(r#"[definitions]
a = "x + \u03B8*2"
b = """
x +
  \
  (y"""
c = '2*x²'
d = ""
"#), @r#"
    E0104 4:10 \u03B8
      `θ` (U+03B8) is not ASCII
      write theta
    E0109 8:3 (
      `(` is never closed
      write the `)` that closes it
    E0104 9:9 ²
      `²` (U+00B2) is not ASCII
      write ^2
    E0101 10:6 
      the expression is empty
      write a formula
    "#);
    assert_snapshot!(errors_in(r#"[start]
"x' +" = 1
"#), @r#"
    E0112 4:5 +
      `+` has nothing on its right
      write an operand after it
    "#);
    assert_snapshot!(errors_in(r#"[dynamics]
mass_matrix = [["m", "2 m*"], ["0", "m)"]]
force = ["0", "1..2"]
"#), @r#"
    E0112 4:26 *
      `*` has nothing on its right
      write an operand after it
    E0110 4:39 )
      `)` closes nothing
      remove it, or write the `(` that it closes
    E0105 5:16 1..2
      `1..2` is not a number
      write digits with at most one decimal point between them
    "#);
}
