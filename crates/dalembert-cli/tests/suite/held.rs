//! Friction that holds in many ways is told: the motion is determined, the single forces are not.

use crate::run_with_input;

const LADDER: &str = r#"dalembert = 1
gravity = "[0, -9.81, 0]"
[parameters]
l = 2
a0 = 0.3
[coordinates]
x = "l/2*sin(a0)"
y = "l/2*cos(a0)"
a = "a0"
[body.ladder]
mass = 3
shape = { rod = { length = "l", axis = "y" } }
center = "[x, y, 0]"
attitude = "Rz(a)"
point = { top = "[0, l/2, 0]", foot = "[0, -l/2, 0]" }
[constraint.wall]
holds = "x >= l/2*sin(a)"
friction = { coefficient = 0.5, at = "ladder.top" }
[constraint.floor]
holds = "y >= l/2*cos(a)"
friction = { coefficient = 0.5, at = "ladder.foot" }
[run]
span = 0.1
"#;

#[test]
fn forces_that_are_one_choice_of_many_are_told() {
    let smooth = LADDER.replacen(
        "\nfriction = { coefficient = 0.5, at = \"ladder.top\" }",
        "",
        1,
    );
    for command in ["check", "eval", "run"] {
        let rough = run_with_input(&[command, "-"], LADDER);
        assert!(rough.err.contains("W0571"), "{command}: {}", rough.err);
        assert!(rough.err.contains("`wall` and `floor`"), "{}", rough.err);
        // At a smooth wall each force is known.
        let smooth = run_with_input(&[command, "-"], &smooth);
        assert!(!smooth.err.contains("W0571"), "{command}: {}", smooth.err);
    }
}

/// A crate that slides along a floor, of a shape.
fn crate_of(shape: &str) -> String {
    format!(
        "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[body.crate]\nmass = 2\nshape = {{ {shape} }}\n\
         start = {{ center = \"[0, 0, 0.2]\", velocity = \"[1.5, 1, 0]\" }}\n\
         [contact.floor]\nbetween = [\"crate\", \"ground\"]\nplane = {{ normal = \"[0, 0, 1]\" }}\nfriction = {{ coefficient = 0.3 }}\n\
         [run]\nspan = 1\nsamples = 2\n"
    )
}

/// Four slips in a plane that end at once are decided without trying all ways: the run says so, by names, and goes on. One slip alone leaves no doubt.
#[test]
fn slips_that_end_together_in_planes_are_told_to_leave_a_doubt() {
    let four = run_with_input(&["run", "-"], &crate_of("box = { size = [1, 0.6, 0.4] }"));
    assert_eq!(four.code, 0, "{}", four.err);
    let told = "warning[W0552]: `floor.corner0`, `floor.corner1`, `floor.corner2`, `floor.corner3` come to rest at once, \
                and their friction changes each other's normal forces: a motion was found, and that it is the only one is not established";
    assert!(four.err.contains(told), "{}", four.err);
    let help = " = help: up to 8 slips along lines are decided by trying all ways; of more, and of slips in planes, one way is shown";
    assert!(four.err.contains(help), "{}", four.err);
    let one = run_with_input(&["run", "-"], &crate_of("sphere = { radius = 0.2 }"));
    assert_eq!(one.code, 0, "{}", one.err);
    assert!(!one.err.contains("W0552"), "{}", one.err);
}
