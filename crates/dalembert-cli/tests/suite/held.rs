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
