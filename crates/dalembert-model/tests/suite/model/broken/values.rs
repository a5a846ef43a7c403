//! Values: of the wrong kind, or lists of the wrong length.

use crate::model::{errors, errors_in};
use insta::assert_snapshot;

#[test]
fn wrong_kinds_of_values_are_refused() {
    assert_snapshot!(errors_in(r#"title = 5
"#), @r#"
    E0306 3:9 5
      `title` needs a text in quotes, not a number
      write title = "Double pendulum"
    "#);
    assert_snapshot!(errors_in(r#"gravity = [0, 0, -9.81]
particle.P = { mass = 1, position = "[x, 0, 0]" }
"#), @r#"
    E0306 3:11 [0, 0, -9.81]
      `gravity` needs a number, or an expression in quotes, not a list
      write a vector as text: gravity = "[0, 0, -9.81]"
    "#);
    // Inside an expression a number takes one unit only: the cure must be one.
    assert_snapshot!(errors_in(r#"gravity = ["0", "-9.81 m/s^2", "0"]
particle.P = { mass = 1, position = "[x, 0, 0]" }
"#), @r#"
    E0306 3:11 ["0", "-9.81 m/s^2", "0"]
      `gravity` needs a number, or an expression in quotes, not a list
      write a vector as text: gravity = "[0, a, 0]", with a = "-9.81 m/s^2" in [parameters]
    "#);
    assert_snapshot!(errors_in(r#"[particle.P]
mass = true
position = 1979-05-27
"#), @r#"
    E0306 4:8 true
      `mass` of particle.P needs a number, or an expression in quotes, not true or false
      write mass = "2 kg"
    E0306 5:12 1979-05-27
      `position` of particle.P needs a number, or an expression in quotes, not a date or time
      write position = "[x, y, 0]"
    "#);
    assert_snapshot!(errors_in(r#"[constraint.c]
holds = "x = 1"
active = "true"
"#), @r#"
    E0306 5:11 true
      `active` of constraint.c needs true or false, without quotes, not text
      write active = true
    "#);
    assert_snapshot!(errors_in(r#"[run]
record = "energy"
span = { value = 1 }
integrator = 3
"#), @r#"
    E0306 4:11 energy
      `record` of run needs a list of numbers or expressions in quotes, not text
      write record = ["energy", "x*y"]
    E0306 5:8 { value = 1 }
      `span` of run needs a number, or an expression in quotes, not a table
      write span = "10 s"
    E0306 6:14 3
      `integrator` of run needs a word in quotes, not a number
      write integrator = "auto"
    "#);
    assert_snapshot!(errors_in(r#"parameters = 3
"#), @r#"
    E0306 3:14 3
      `parameters` needs a table, not a number
      write [parameters] on a line of its own, and its keys below
    "#);
    assert_snapshot!(errors_in(r#"[parameters]
m = nan
k = -inf
"#), @r#"
    E0322 4:5 nan
      `m` of parameters is not a finite number
      write a number that can be computed with
    E0322 5:5 -inf
      `k` of parameters is not a finite number
      write a number that can be computed with
    "#);
    assert_snapshot!(errors_in(r#"[force.F]
generalized = "x"
"#), @r#"
    E0306 4:16 x
      `generalized` of force.F needs a table, not text
      write generalized = { x = "2*m" }
    "#);
    assert_snapshot!(errors(r#"dalembert = 1
[coordinates]
x = [1, 2]
y = { value = { value = 1 } }
z = { value = 1, priority = "maybe" }
"#), @r#"
    E0306 3:5 [1, 2]
      `x` of coordinates needs a number, an expression in quotes, or "?", not a list
      write x = "10 deg"
    E0306 4:15 { value = 1 }
      `value` of coordinates.y needs a number, an expression in quotes, or "?", not a table
      write value = "10 deg"
    E0314 5:30 maybe
      `priority` of coordinates.z cannot be `maybe`
      write one of: must, guess
    "#);
}

#[test]
fn lists_have_the_right_length() {
    assert_snapshot!(errors_in(r#"[spring.S]
between = ["P"]
stiffness = 1
"#), @r#"
    E0317 4:11 ["P"]
      `between` of spring.S needs a list of two expressions in quotes, not 1 element
      write between = ["P", "point(ground, [0, 0, 1])"]
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
mass = 1
center = "[x, 0, 0]"
attitude = "Rz(x)"
inertia = [1, 2]
"#), @r#"
    E0317 7:11 [1, 2]
      `inertia` of body.b needs a list of three principal moments, or of three rows of three, not 2 elements
      write inertia = ["a", "b", "c"]
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
mass = 1
center = "[x, 0, 0]"
attitude = "Rz(x)"
inertia = [[1, 2], [2, 3]]
"#), @r#"
    E0317 7:11 [[1, 2], [2, 3]]
      `inertia` of body.b needs a list of three principal moments, or of three rows of three, not 2 rows
      write inertia = ["a", "b", "c"]
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
mass = 1
center = "[x, 0, 0]"
attitude = "Rz(x)"
shape.box.size = [1, 2]
"#), @r#"
    E0317 7:18 [1, 2]
      `size` of body.b.shape.box needs a list of three numbers or expressions in quotes, not 2 elements
      write size = ["a", "b", "c"]
    "#);
    assert_snapshot!(errors_in(r#"[dynamics]
mass_matrix = [[1, 0], [0]]
force = [1]
"#), @r#"
    E0317 4:24 [0]
      a row of `mass_matrix` of dynamics has 1 element, but there are 2 rows
      write as many elements in each row as there are rows
    "#);
    assert_snapshot!(errors_in(r#"[dynamics]
mass_matrix = [[1, 0], [0, 1]]
force = [1]
"#), @r#"
    E0317 5:1 force
      `force` of dynamics has 1 element, but `mass_matrix` has 2 rows
      write one element for each speed
    "#);
}
