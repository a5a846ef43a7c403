//! Names: what can be one, and what it can be the name of.

use crate::model::{errors, errors_in};
use insta::assert_snapshot;

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
