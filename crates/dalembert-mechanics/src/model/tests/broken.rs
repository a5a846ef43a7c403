//! One file for each kind of mistake: what is said, where, and the cure.

use super::{errors, errors_in};
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
    E0305 1:1 
      the model has no `coordinates`
      add a table [coordinates] with at least one name
    E0302 1:1 
      the model does not say which version of the format it uses
      start the file with the line dalembert = 1
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
      known here: dalembert, title, gravity, parameters, definitions, coordinates, start, speeds, particle, frame, body, energy, dynamics, force, spring, constraint, run
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
fn names_are_identifiers_and_not_reserved() {
    assert_snapshot!(errors_in(r#"[parameters]
rod-length = 1
"my mass" = 2
2x = 3
"" = 4
"#), @r#"
    E0307 4:1 rod-length
      `rod-length` cannot be a name
      write letters a-z A-Z, digits and _, no digit first; spell Greek letters out; such as rod_length
    E0307 5:2 my mass
      `my mass` cannot be a name
      write letters a-z A-Z, digits and _, no digit first; spell Greek letters out; such as my_mass
    E0307 6:1 2x
      `2x` cannot be a name
      write letters a-z A-Z, digits and _, no digit first; spell Greek letters out; such as _2x
    E0307 7:2 
      an empty text cannot be a name
      write letters a-z A-Z, digits and _, no digit first; spell Greek letters out
    "#);
    assert_snapshot!(errors_in(r#"[parameters]
t = 1
pi = 3
sin = 1
norm = 1
energy = 2
x_dot = 1
x_ddot = 1
"#), @r#"
    E0308 4:1 t
      `t` cannot be the name of anything else: it is time
      choose another name, such as t_1
    E0308 5:1 pi
      `pi` cannot be the name of anything else: it is the number pi
      choose another name, such as pi_1
    E0308 6:1 sin
      `sin` cannot be the name of anything else: it is a function
      choose another name, such as sin_1
    E0308 7:1 norm
      `norm` cannot be the name of anything else: it is a function
      choose another name, such as norm_1
    E0308 8:1 energy
      `energy` cannot be the name of anything else: it is what [run] can record
      choose another name, such as energy_1
    E0308 9:1 x_dot
      `x_dot` cannot be the name of anything else: it is a time derivative
      choose another name, such as x_rate
    E0308 10:1 x_ddot
      `x_ddot` cannot be the name of anything else: it is a second time derivative
      choose another name, such as x_acceleration
    "#);
    assert_snapshot!(errors_in(r#"[frame.ground]
attitude = "Rz(1)"
"#), @r#"
    E0308 3:8 ground
      `ground` cannot be the name of anything else: it is what does not move
      choose another name, such as ground_1
    "#);
    assert_snapshot!(errors(r#"dalembert = 1
[coordinates]
"x'" = 1
"#), @r#"
    E0307 3:2 x'
      `x'` cannot be a name
      give the start value of the rate x' in [start]
    "#);
    assert_snapshot!(errors_in(r#"[parameters]
m = 1
gravity = "[0, 0, -9.81]"
title = "Pendulum"
"#), @r#"
    E0321 5:1 gravity
      `gravity` stands below the header [parameters] and so belongs to it
      move the line to the top of the file, before the first [table]; `gravity` cannot be the name of anything else
    E0321 6:1 title
      `title` stands below the header [parameters] and so belongs to it
      move the line to the top of the file, before the first [table]; `title` cannot be the name of anything else
    "#);
    assert_snapshot!(errors_in(r#"[force.F]
on = "my disk"
vector = "[1, 0, 0]"
"#), @r#"
    E0307 4:7 my disk
      `on` of force.F cannot be `my disk`
      write the name of one particle, body or frame
    "#);
}

#[test]
fn names_are_given_once() {
    assert_snapshot!(errors_in(r#"[parameters]
x = 2
[speeds]
x = "x'"
"#), @r#"
    E0309 4:1 x
      the name `x` is given twice
      it stands in [coordinates] on line 2 already; choose another name
    E0309 6:1 x
      the name `x` is given twice
      it stands in [coordinates] on line 2 already; choose another name
    "#);
    assert_snapshot!(errors_in(r#"[frame.A]
attitude = "Rz(x)"
[particle.A]
mass = 1
position = "[x, 0, 0]"
"#), @r#"
    E0309 5:11 A
      the name `A` is given twice
      it stands in [frame] on line 3 already; choose another name
    "#);
    assert_snapshot!(errors_in(r#"[start]
"x'" = 1
x_dot = 2
"#), @r#"
    E0309 5:1 x_dot
      the start value of `x_dot` is given twice
      keep one of them; the first is on line 4
    "#);
}

#[test]
fn what_is_not_supported_yet_is_refused_by_name() {
    assert_snapshot!(errors_in(r#"planar = true
[joint.A]
type = "revolute"
[event.hit]
when = "x < 0"
stop = true
"#), @r#"
    E0310 3:1 planar
      `planar` is not supported yet
      leave it out: bodies are written in coordinates, in the plane or in space
    E0310 4:2 joint
      `joint` is not supported yet
      write the joint as a constraint, such as holds = "pos(P) = point(ground, [0, 0, 1])"
    E0310 6:2 event
      `event` is not supported yet
      end a run with until in [run]; nothing else can happen during a run yet
    "#);
    assert_snapshot!(errors_in(r#"[body.link]
mass = 1
shape = { rod = { length = 1, axis = "x" } }
start = { center = "[0, 0, 0]" }
"#), @r#"
    E0310 3:1 [body.link]
      [body.link] has no `center` and no `attitude`: free bodies are not supported yet
      write center = "[x, y, z]" and attitude = "Rz(phi)" with names from [coordinates]
    E0310 6:1 start
      `start` of body.link is not supported yet
      give the start values of the coordinates in [coordinates] and [start]
    "#);
    assert_snapshot!(errors_in(r#"[constraint.track]
holds = "x = 1"
active = false
friction = { coefficient = "mu", static = 1 }
enforced_by = []
"#), @r#"
    E0310 5:10 false
      constraint.track is not active, and events that could engage it are not supported yet
      leave the constraint out, or write active = true
    E0310 6:34 static
      `static` of constraint.track.friction is not supported yet
      leave it out: what rests cannot be held by friction yet, with whatever coefficient
    E0317 7:15 []
      `enforced_by` of constraint.track needs a list of names in quotes, not an empty one
      write enforced_by = ["motor"]
    "#);
    assert_snapshot!(errors_in(r#"[spring.S]
on = "x"
dry = "F0"
"#), @r#"
    E0310 5:1 dry
      `dry` of spring.S is not supported yet
      write a smooth force instead, such as -F0*smooth_sign(x', 0.01), in [force.NAME]
    "#);
    assert_snapshot!(errors_in(r#"[body.b]
mass = 1
center = "[x, 0, 0]"
attitude = "Rz(x)"
shape = { mesh = { file = "b.stl" } }
"#), @r#"
    E0310 7:11 mesh
      `mesh` of body.b.shape is not supported yet
      give inertia, and a simple shape such as box for the drawing
    "#);
}

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
      `holds` of constraint.wall is a comparison, but constraints are equations
      write left = right
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
    assert_snapshot!(errors_in(r#"[parameters]
m = "?"
"#), @r#"
    E0319 4:6 ?
      `m` of parameters cannot be left open with "?"
      give a value; only start values of coordinates and rates can be found
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

#[test]
fn start_gives_rates_and_speeds() {
    assert_snapshot!(errors_in(r#"[speeds]
u = "x'"
[parameters]
m = 1
[start]
x = 2
"x''" = 1
"u'" = 1
"2*x'" = 1
"m" = 1
"#), @r#"
    E0318 8:1 x
      `x` is a coordinate, not a rate
      give its start value in [coordinates], or write "x'" for its rate
    E0318 9:2 x''
      `x''` is not a rate or a speed
      write a rate, such as "phi'", or the name of a speed
    E0318 10:2 u'
      `u'` is the rate of a speed, which follows from the motion
      write u for the speed itself
    E0318 11:2 2*x'
      `2*x'` is not a rate or a speed
      write a rate, such as "phi'", or the name of a speed
    E0318 12:2 m
      `m` is not a coordinate or speed; it stands in [parameters]
      write a rate, such as "phi'", or the name of a speed
    "#);
}

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
      a body has one shape, but `rod` and `sphere` are given
      keep one of them
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
      [spring.S] has none of `stiffness`, `damping`
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
