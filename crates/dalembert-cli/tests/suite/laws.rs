//! Laws that use reactions, and small things that a user notices: what is printed, and how the command exits.

use crate::{run, run_with_input};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

const BLOCK: &str = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\ny = 0\n[start]\n\"x'\" = 1\n\
                     [particle.P]\nmass = 1\nposition = \"[x, y, 0]\"\n";

/// w along the normal of the floor changes nothing, and `eval` says so as `check` does.
#[test]
fn idle_virtual_work_is_told_by_eval() {
    let text = format!("{BLOCK}[constraint.floor]\nholds = \"y = 0\"\nnonideal = {{ y = 3 }}\n");
    for command in ["check", "eval"] {
        let ran = run_with_input(&[command, "-"], &text);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(
            ran.err.matches("W0470").count(),
            1,
            "{command}: {}",
            ran.err
        );
    }
}

#[test]
fn a_force_called_drive_is_another_one() {
    let text = format!("{BLOCK}[force.drive]\ngeneralized = {{ x = 3 }}\n");
    let ran = run_with_input(&["eval", "-"], &text);
    assert!(
        ran.out.contains("drive 3, prescribed motion 0"),
        "{}",
        ran.out
    );
    let found = run_with_input(&["eval", "-", "--json"], &text);
    let found: Value = serde_json::from_str(&found.out).expect("one JSON document");
    assert_eq!(found["power"]["drive"], 3.0);
    assert_eq!(found["power"]["drive (2)"], 0.0);
}

/// A rope in raw coordinates: across its rail the force on the trolley is not determined, and not zero.
#[test]
fn components_that_are_not_determined_are_no_zeros() {
    let text = "dalembert = 1\ngravity = \"[0, -9.81, 0]\"\n[coordinates]\nx = 0\npx = 0\npy = -2\n\
                [particle.trolley]\nmass = 3\nposition = \"[x, 0, 0]\"\n\
                [particle.load]\nmass = 1\nposition = \"[px, py, 0]\"\n\
                [constraint.rope]\nholds = \"(px - x)^2 + py^2 = 4\"\n";
    let ran = run_with_input(&["eval", "-"], text);
    let line = |start: &str| {
        let line = ran.out.lines().find(|line| line.starts_with(start));
        line.unwrap_or_default().to_owned()
    };
    assert_eq!(
        line("rope on trolley"),
        "rope on trolley [0, not determined, 0]"
    );
    assert_eq!(line("rope on load"), "rope on load    [0, 9.81, 0]");
    assert_eq!(line("all on trolley"), "all on trolley  [0, 29.43, 0]");
    let found = run_with_input(&["eval", "-", "--json"], text);
    let found: Value = serde_json::from_str(&found.out).expect("one JSON document");
    let force = &found["reactions"]["rope"]["bodies"]["trolley"]["force"];
    assert_eq!(force[1], Value::Null, "{force}");
    let why = "the coordinates hold it that way already";
    let told = found["reactions"]["rope"]["undetermined"].as_str();
    assert!(told.is_some_and(|it| it.starts_with(why)), "{told:?}");
    assert!(
        ran.out.contains(&format!("not determined: {why}")),
        "{}",
        ran.out
    );
}

/// In a plane the moments about the other axes may be left 0; a body that turns about them is refused by every command.
#[test]
fn moments_about_axes_that_nothing_turns_about_may_be_left_out() {
    let text = |inertia: &str, attitude: &str| {
        format!(
            "dalembert = 1\n[parameters]\nI = \"200 kg*cm^2\"\n[coordinates]\nq = 0.3\np = 0.1\n[start]\n\"q'\" = 1\n\
             [body.B]\nmass = 1\ninertia = {inertia}\ncenter = \"[p, 0, 0]\"\nattitude = \"{attitude}\"\n[run]\nspan = 0.1\n"
        )
    };
    let plane = text("[0, 0, \"I\"]", "Rz(q)");
    let turned = text("[0, 0, \"I\"]", "Rx(0.3) Rz(q)");
    let space = text("[0, 0, \"I\"]", "Rz(q) Rx(2*q)");
    let negative = text("[0, 0, \"-I\"]", "Rz(q)");
    let impossible = text("[\"I/4\", \"I/4\", \"I\"]", "Rz(q)");
    for command in ["check", "eval", "run", "derive"] {
        for fine in [&plane, &turned] {
            let ran = run_with_input(&[command, "-"], fine);
            assert_eq!(ran.code, 0, "{command}: {}", ran.err);
        }
        for wrong in [&space, &negative, &impossible] {
            let ran = run_with_input(&[command, "-"], wrong);
            assert!(
                ran.code == 1 && ran.err.contains("E0443"),
                "{command}: {}",
                ran.err
            );
        }
    }
    let found = run_with_input(&["eval", "-", "--json"], &plane);
    let found: Value = serde_json::from_str(&found.out).expect("one JSON document");
    assert_eq!(found["parameters"]["I"], 0.02, "in SI units");
}

/// Friction in a plane: held at the top of a slope, or sliding down again.
#[test]
fn a_block_is_held_on_a_slope_or_slides_down() {
    let text = |mu: f64| {
        format!(
            "dalembert = 1\ngravity = \"[0, 0, -9.81]\"\n[coordinates]\nx = 0\ny = 0\nz = \"?\"\n[start]\n\"x'\" = 3.2\n\
             [particle.P]\nmass = 1\nposition = \"[x, y, z]\"\n\
             [constraint.slope]\nholds = \"4*z = 3*x\"\nfriction = {{ coefficient = {mu} }}\n"
        )
    };
    let ran = run_with_input(&["run", "-", "--span", "1"], &text(0.8));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let told = "slope sticks from t = 0.328828";
    assert!(ran.out.contains(told), "{}", ran.out);
    let ran = run_with_input(&["run", "-", "--span", "1"], &text(0.7));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("slope slips from t = "), "{}", ran.out);
    // At rest from the start.
    let rest = text(0.8).replace("3.2", "0");
    let checked = run_with_input(&["check", "-"], &rest);
    assert!(checked.out.contains("slope sticks"), "{}", checked.out);
    let found = run_with_input(&["eval", "-", "--json"], &rest);
    let found: Value = serde_json::from_str(&found.out).expect("one JSON document");
    assert_eq!(found["sticking"], serde_json::json!(["slope"]));
}

#[test]
fn a_run_of_no_length_is_refused() {
    let ran = run_with_input(&["run", "-", "--span", "0"], BLOCK);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("error[E0521]: span is 0"), "{}", ran.err);
}

/// A column that is not there is said once.
#[test]
fn a_missing_column_is_said_once() {
    let folder = std::env::temp_dir().join(format!("dalembert-columns-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("a.csv");
    std::fs::write(&file, "t,x\n0,1\n1,2\n").expect("a file");
    let ran = run(&["plot", file.to_str().expect("text"), "velocity"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .contains("error[E0912]: there is no column `velocity`\n"),
        "{}",
        ran.err
    );
    assert_eq!(
        ran.err.matches("known here: t, x").count(),
        1,
        "{}",
        ran.err
    );
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

/// Interrupted, a run reports what it has and exits as shells expect of SIGINT.
#[cfg(unix)]
#[test]
fn an_interrupted_run_exits_with_130() {
    let spinning = "dalembert = 1\n[coordinates]\na = 0\n[start]\n\"a'\" = 1\n[energy]\nkinetic = \"a'^2/2\"\n\
                    potential = \"-cos(a)\"\n[run]\nsamples = 2\n";
    let file = std::env::temp_dir().join(format!("dalembert-long-{}.toml", std::process::id()));
    std::fs::write(&file, spinning).expect("a file");
    let child = Command::new(env!("CARGO_BIN_EXE_dalembert"))
        .arg("run")
        .arg(&file)
        .args(["--span", "1e9", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // Until the handler is there the signal ends the process, which has no code then.
    std::thread::sleep(Duration::from_secs(2));
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("a signal").success());
    let ended = child.wait_with_output().expect("the command ends");
    std::fs::remove_file(&file).expect("the file goes");
    assert_eq!(ended.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&ended.stdout).expect("one JSON document");
    assert_eq!(found["status"], "interrupted");
}

/// A force with the sign of a velocity cannot hold what comes to rest: that is seen at once, and the cure is named.
#[test]
fn the_sign_of_a_velocity_is_no_friction() {
    for speed in [0, 1] {
        let text = BLOCK.replace("\"x'\" = 1", &format!("\"x'\" = {speed}"))
            + "[constraint.floor]\nholds = \"y = 0\"\n[force.drag]\ngeneralized = { x = \"1 - 3*sign(x')\" }\n";
        let began = std::time::Instant::now();
        let ran = run_with_input(&["run", "-", "--span", "5"], &text);
        assert!(began.elapsed() < Duration::from_secs(20), "{speed}");
        assert_eq!(ran.code, 1, "{speed}: {}", ran.out);
        assert!(
            ran.err.contains("`dry` of a spring"),
            "{speed}: {}",
            ran.err
        );
        // 1 m/s is gone after half a second.
        let stopped = if speed == 0 {
            "t = 0.000000"
        } else {
            "t = 0.500000"
        };
        assert!(ran.err.contains(stopped), "{speed}: {}", ran.err);
    }
}

/// A plastic blow stops a body and does not hold it: said, unless something does, or nothing presses it on.
#[test]
fn a_plastic_blow_that_holds_nothing_is_told() {
    let text = |floor: &str, gravity: &str| {
        format!(
            "dalembert = 1\ngravity = \"[0, {gravity}, 0]\"\n[coordinates]\ny = 1\n[start]\n\"y'\" = -1\n[particle.P]\nmass = 1\n\
             position = \"[0, y, 0]\"\n[constraint.floor]\nholds = \"y = 0\"\nactive = false\n\
             [event.hit]\nwhen = \"y < 0\"\nimpact = {{ on = \"y\", restitution = 0 }}\n{floor}\n"
        )
    };
    for (floor, gravity, told) in [
        ("", "-9.81", true),
        ("engage = \"floor\"", "-9.81", false),
        ("stop = true", "-9.81", false),
        ("", "0", false),
    ] {
        let ran = run_with_input(&["run", "-", "--span", "2"], &text(floor, gravity));
        assert_eq!(ran.code, 0, "{floor}: {}", ran.err);
        assert_eq!(ran.err.contains("W0553"), told, "{floor}: {}", ran.err);
    }
}
