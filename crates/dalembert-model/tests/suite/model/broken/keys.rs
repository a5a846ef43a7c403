//! Keys: the version, those that are not known, missing, or not supported yet.

use crate::model::{errors, errors_in};
use insta::assert_snapshot;

#[test]
fn the_version_is_needed() {
    assert_snapshot!(errors(r#"title = "Pendulum"
[coordinates]
x = 0
"#), @r#"
    E0302 1:1 title = "Pendulum"
      the model does not say which version of the format it uses
      start the file with the line dalembert = 1
    "#);
    assert_snapshot!(errors(r#"dalembert = 2
[coordinates]
x = 0
"#), @r#"
    E0303 1:13 2
      version 2 of the format is not known
      write dalembert = 1, or use a newer program
    "#);
    assert_snapshot!(errors(r#"dalembert = "1"
[coordinates]
x = 0
"#), @r#"
    E0306 1:14 1
      `dalembert` needs the number 1, not text
      write dalembert = 1, without quotes
    "#);
    assert_snapshot!(errors(r#""#), @r#"
    E0302 1:1 
      the model does not say which version of the format it uses
      start the file with the line dalembert = 1
    E0305 1:1 
      the model has no `coordinates`
      add a table [coordinates] with at least one name
    "#);
}

#[test]
fn unknown_keys_get_a_suggestion() {
    assert_snapshot!(errors_in(r#"[particle.P]
mas = 1
position = "[x, 0, 0]"
"#), @r#"
    E0304 4:1 mas
      there is no key `mas` in [particle.P]
      did you mean `mass`?
    "#);
    assert_snapshot!(errors_in(r#"[particles.P]
mass = 1
position = "[x, 0, 0]"
"#), @r#"
    E0304 3:2 particles
      there is no table [particles]
      did you mean `particle`?
    "#);
    assert_snapshot!(errors_in(r#"gravty = "[0, 0, -9.81]"
"#), @r#"
    E0320 1:1 dalembert = 1
      gravity has nothing to act on: there is no particle and no body
      add one, or put the weight into potential of [energy] or force of [dynamics]
    E0304 3:1 gravty
      there is no key `gravty` at the top of a file
      did you mean `gravity`?
    "#);
    assert_snapshot!(errors_in(r#"[particle.P]
mass = 1
position = "[x, 0, 0]"
stiffness = 3
"#), @r#"
    E0304 6:1 stiffness
      there is no key `stiffness` in [particle.P]
      `stiffness` is a key of [spring.NAME]
    "#);
    assert_snapshot!(errors_in(r#"[body.B]
mass = 1
inertia = [1, 1, 1]
center = "[x, 0, 0]"
attitude = "Rz(x)"
rod = { length = 1 }
"#), @r#"
    E0304 8:1 rod
      there is no key `rod` in [body.B]
      write shape = { rod = … }
    "#);
    assert_snapshot!(errors_in(r#"[particle.P]
mass = 1
position = "[x, 0, 0]"
[force.f]
on = "P"
vector = "[0, 0, 1]"
force = "[0, 0, 1]"
"#), @r#"
    E0304 9:1 force
      there is no key `force` in [force.f]
      known here: generalized, on, at, vector, torque, in, along, size
    "#);
    assert_snapshot!(errors_in(r#"[spring.S]
on = "x"
stiffness = 3
gravity = "[0, 0, 1]"
"#), @r#"
    E0304 6:1 gravity
      there is no key `gravity` in [spring.S]
      `gravity` stands at the top of the file, before the first [table]
    "#);
    assert_snapshot!(errors_in(r#"[particle.P]
mass = 1
position = "[x, 0, 0]"
colour = "red"
"#), @r#"
    E0304 6:1 colour
      there is no key `colour` in [particle.P]
      known here: mass, position
    "#);
    assert_snapshot!(errors_in(r#"wheel = 4
"#), @r#"
    E0304 3:1 wheel
      there is no key `wheel` at the top of a file
      known here: dalembert, title, gravity, planar, parameters, inputs, definitions, coordinates, start, speeds, particle, frame, body, energy, dynamics, force, spring, constraint, joint, contact, event, repeat, use, run, draw, view
    "#);
}

#[test]
fn missing_keys_are_named() {
    assert_snapshot!(errors_in(r#"[particle.P]
mass = 1
"#), @r#"
    E0305 3:1 [particle.P]
      [particle.P] has no `position`
      add position = "[x, y, 0]"
    "#);
    assert_snapshot!(errors_in(r#"[constraint.rod]
"#), @r#"
    E0305 3:1 [constraint.rod]
      [constraint.rod] has no `holds`
      add holds = "x^2 + y^2 = l^2"
    "#);
    assert_snapshot!(errors_in(r#"[frame.lean]
[dynamics]
force = [0]
"#), @r#"
    E0305 3:1 [frame.lean]
      [frame.lean] has no `attitude`
      add attitude = "Rz(phi)"
    E0305 4:1 [dynamics]
      [dynamics] has no `mass_matrix`
      add mass_matrix = [["m", "0"], ["0", "m"]]
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
mass = 1
inertia = [1, 2, 3]
center = "[x, 0, 0]"
attitude = "Rz(x)"
shape = { tube = { radius = 1 } }
"#), @r#"
    E0305 8:18 { radius = 1 }
      [body.b.shape.tube] has no `inner_radius`
      add inner_radius = "0.1 m"
    E0305 8:18 { radius = 1 }
      [body.b.shape.tube] has no `length`
      add length = "0.1 m"
    "#);
    assert_snapshot!(errors(r#"dalembert = 1
"#), @r#"
    E0305 1:1 dalembert = 1
      the model has no `coordinates`
      add a table [coordinates] with at least one name
    "#);
    assert_snapshot!(errors(r#"dalembert = 1
[coordinates]
"#), @r#"
    E0305 2:1 [coordinates]
      [coordinates] is empty
      add the coordinates with their values at the start, such as x = 0
    "#);
}

#[test]
fn things_need_tables_of_their_own() {
    assert_snapshot!(errors_in(r#"[particle]
mass = 1
"#), @r#"
    E0323 4:1 mass
      `mass` stands in [particle], where each particle needs a table of its own
      write [particle.NAME] above it, with a name of your choice
    "#);
    assert_snapshot!(errors_in(r#"[[particle]]
mass = 1
"#), @r#"
    E0323 3:3 particle
      each particle needs a name
      write [particle.NAME] in place of [[particle]]
    "#);
}

#[test]
fn what_is_not_supported_yet_is_refused_by_name() {
    assert_snapshot!(errors_in(r#"planar = true
[joint.A]
type = "revolute"
"#), @r#"
    E0305 4:1 [joint.A]
      [joint.A] has no `between`
      a revolute joint needs it
    "#);
    assert_snapshot!(errors_in(r#"[constraint.track]
holds = "x = 1"
friction = { coefficient = "mu" }
enforced_by = []
"#), @r#"
    E0317 6:15 []
      `enforced_by` of constraint.track needs a list of names in quotes, not an empty one
      write enforced_by = ["motor"]
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
mass = 1
center = "[x, 0, 0]"
attitude = "Rz(x)"
shape = { mesh = { file = "b.stl" } }
"#), @r#"
    E0305 7:18 { file = "b.stl" }
      [body.b.shape.mesh] has no `unit`
      add unit = "mm"
    "#);
}
