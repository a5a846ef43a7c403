//! Keys that need or exclude each other.

use crate::model::errors_in;
use insta::assert_snapshot;

#[test]
fn keys_that_belong_together() {
    assert_snapshot!(errors_in(r#"[body.b]
center = "[x, 0, 0]"
attitude = "Rz(x)"
"#), @r#"
    E0316 3:1 [body.b]
      [body.b] has none of `mass`, `density`
      add one of them, such as mass = "m"
    E0316 3:1 [body.b]
      [body.b] has neither `inertia` nor `shape`
      add inertia = ["Jx", "Jy", "Jz"], or a shape such as { sphere = { radius = "r" } }; a point mass is a particle
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
mass = 1
density = 2
center = "[x, 0, 0]"
attitude = "Rz(x)"
inertia = [1, 2, 3]
"#), @r#"
    E0315 5:1 density
      [body.b] has both `mass` and `density`
      keep one of them
    E0316 5:1 density
      [body.b] has a `density` but no `shape` to fill
      add a shape, or give the mass
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
density = 2
center = "[x, 0, 0]"
attitude = "Rz(x)"
shape = { rod = { length = 1 }, sphere = { radius = 1 } }
"#), @r#"
    E0324 7:11 rod
      a rod is thin and has no volume for a density
      give the mass, or use a cylinder
    E0315 7:33 sphere
      there is one shape, but `rod` and `sphere` are given
      keep one of them, or write a list: shape = [{ rod = … }, { sphere = … }]
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
mass = 2
center = "[x, 0, 0]"
attitude = "Rz(x)"
shape = {}
"#), @r#"
    E0316 7:9 {}
      the shape is empty
      write one, such as { disk = { radius = "r", axis = "y" } }
    "#);
    assert_snapshot!(errors_in(r#"[spring.S]
[spring.T]
on = "x"
between = ["P", "Q"]
stiffness = 1
"#), @r#"
    E0316 3:1 [spring.S]
      [spring.S] has none of `between`, `on`
      add one of them, such as between = ["P", "Q"]
    E0316 3:1 [spring.S]
      [spring.S] has none of `stiffness`, `damping`, `dry`
      add one of them, such as stiffness = "k"
    E0315 6:1 between
      [spring.T] has both `between` and `on`
      keep one of them
    "#);
    assert_snapshot!(errors_in(r#"[force.F]
[force.G]
on = "P"
[force.H]
generalized = { x = 1 }
vector = "[1, 0, 0]"
[force.I]
generalized = {}
"#), @r#"
    E0316 3:1 [force.F]
      [force.F] does not say what it acts on
      add on = "P" with the name of a particle or body, or write generalized = { x = "F" }
    E0316 4:1 [force.G]
      [force.G] has none of `vector`, `torque`
      add one of them, such as vector = "[1, 0, 0]"
    E0315 8:1 vector
      [force.H] has both `generalized` and `vector`
      make two forces of it
    E0316 10:15 {}
      `generalized` of force.I has no components
      write them by coordinate or speed, such as { x = "F" }
    "#);
    assert_snapshot!(errors_in(r#"[constraint.c]
holds = "x = 0"
nonideal = { vector = "[1, 0, 0]" }
"#), @r#"
    E0316 5:12 { vector = "[1, 0, 0]" }
      [constraint.c.nonideal] does not say what it acts on
      add on = "P" with the name of a particle or body, or write components only: { x = "F" }
    "#);
    assert_snapshot!(errors_in(r#"[energy]
[run]
samples = 3
step = 1
"#), @r#"
    E0316 3:1 [energy]
      [energy] has none of `kinetic`, `potential`, `dissipation`
      add one of them, such as kinetic = "m/2*x'^2"
    E0315 6:1 step
      [run] has both `samples` and `step`
      keep one of them
    "#);
    assert_snapshot!(errors_in(r#"gravity = "[0, 0, -9.81]"
[energy]
kinetic = "x'^2"
"#), @r#"
    E0320 3:1 gravity
      gravity has nothing to act on: there is no particle and no body
      add one, or put the weight into potential of [energy] or force of [dynamics]
    "#);
}
