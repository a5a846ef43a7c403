//! What is no TOML, in words for newcomers.

use super::{errors, errors_in};
use insta::assert_snapshot;

#[test]
fn formulas_without_quotes() {
    assert_snapshot!(errors_in(r#"[parameters]
m = 2 kg
g = 9.81 m/s^2 # gravity
J = m*r^2/4
"#), @r#"
    E0301 4:5 2 kg
      the value of `m` needs quotes
      write m = "2 kg"
    E0301 5:5 9.81 m/s^2
      the value of `g` needs quotes
      write g = "9.81 m/s^2"
    E0301 6:5 m*r^2/4
      the value of `J` needs quotes
      write J = "m*r^2/4"
    "#);
    assert_snapshot!(errors_in(r#"[particle.P]
mass = 1
position = [x, y, 0]
"#), @r#"
    E0301 5:12 [x, y, 0]
      the value of `position` needs quotes
      write position = "[x, y, 0]"
    "#);
    assert_snapshot!(errors(r#"dalembert = 1
[coordinates]
x = ?
"#), @r#"
    E0301 3:5 ?
      the value of `x` needs quotes
      write x = "?"
    "#);
}

#[test]
fn keys_with_primes_without_quotes() {
    assert_snapshot!(errors_in(r#"[start]
phi' = 8
x'' = 3
"#), @r#"
    E0301 4:1 phi'
      the key phi' has a prime and needs quotes
      write "phi'" = 8
    E0301 5:1 x''
      the key x'' has a prime and needs quotes
      write "x''" = 3
    "#);
}

#[test]
fn texts_that_are_not_closed() {
    assert_snapshot!(errors_in(r#"[constraint.rod]
holds = "x^2 = 4
[parameters]
mm = "2 +"
"#), @r#"
    E0301 4:17 
      a text is not closed on its line
      add the quote at its end; a text over several lines stands between """ and """
    E0112 6:9 +
      `+` has nothing on its right
      write an operand after it
    "#);
    assert_snapshot!(errors_in(r#"[constraint.rod]
holds = """x^2 = 4
[parameters]
m = 1
"#), @r#"
    E0301 4:9 """
      a text over several lines is not closed
      end it with the three quotes it starts with
    "#);
    assert_snapshot!(errors_in(r#"[constraint.rod]
holds = "x\d = 4"
[constraint.wall]
holds = "\u12 = 3"
"#), @r#"
    E0301 4:12 
      a backslash in a text in double quotes starts an escape, but this is none
      write \\ for a backslash
    E0301 6:14 
      this escape is not the number of a character
      write \u and four hexadecimal digits
    "#);
}

#[test]
fn keys_and_tables_given_twice() {
    assert_snapshot!(errors_in(r#"[parameters]
m = 1
k = 2
m = 3
"#), @r#"
    E0309 6:1 m
      `m` is given twice
      keep one of them; the first is on line 4
    "#);
    assert_snapshot!(errors_in(r#"[particle.P]
mass = 1
position = "[x, 0, 0]"
[particle.P]
mass = 2
"#), @r#"
    E0309 6:11 P
      the table [particle.P] is given twice
      keep one of them; the first is on line 3
    "#);
    assert_snapshot!(errors_in(r#"[parameters]
m = 1
[coordinates]
y = 1
"#), @r#"
    E0309 5:2 coordinates
      the table [coordinates] is given twice
      keep one of them
    "#);
}

#[test]
fn brackets_and_lines() {
    assert_snapshot!(errors_in(r#"[parameters
m = 1
"#), @r#"
    E0301 3:12 
      a table header is not closed
      add ] at its end
    "#);
    assert_snapshot!(errors_in(r#"[dynamics]
mass_matrix = [["m", "0"], ["0", "m"]
force = ["0", "1"]
"#), @r#"
    E0301 5:1 
      this is still inside a list or table in braces that starts above
      add ] or } at its end
    "#);
    assert_snapshot!(errors_in(r#"[constraint.c]
holds = "x = 0"
nonideal = { x = 1, y = 2
[run]
span = 1
"#), @r#"
    E0301 6:1 
      this is still inside a list or table in braces that starts above
      add ] or } at its end
    "#);
    assert_snapshot!(errors_in(r#"[spring.S]
between = ["P" "Q"]
stiffness = 1
"#), @r#"
    E0301 4:16 
      a comma is missing between two elements
      add it
    "#);
    assert_snapshot!(errors_in(r#"[spring.S]
stiffness
on = "x"
"#), @r#"
    E0301 4:10 
      a key stands here without a value
      write key = value; a table starts with its name in brackets: [name]
    "#);
    assert_snapshot!(errors_in(r#"[spring.S]
stiffness =
on = "x"
"#), @r#"
    E0301 4:12 
      a value is missing
      write one after the =
    "#);
    assert_snapshot!(errors_in(r#"[parameters]
m = 01
θ = 3
= 4
x = 5 6
"#), @r#"
    E0301 4:5 0
      a number starts with a superfluous 0
      remove the 0
    E0301 5:1 θ
      a key holds a character that needs quotes
      names are written with letters a-z A-Z, digits and _; spell Greek letters out
    E0301 6:1 
      a key is missing
      write key = value
    E0301 7:5 5 6
      `5 6` needs quotes
      write texts and formulas in double quotes
    "#);
}

#[test]
fn other_mistakes_are_found_as_well_but_no_consequences() {
    assert_snapshot!(errors(r#"m = 2 kg
[particle.P]
mas = "1 +"
position = "[x, 0, 0"
"#), @r#"
    E0301 1:5 2 kg
      the value of `m` needs quotes
      write m = "2 kg"
    E0304 3:1 mas
      there is no key `mas` in [particle.P]
      did you mean `mass`?
    E0109 4:13 [
      `[` is never closed
      write the `]` that closes it
    "#);
}
