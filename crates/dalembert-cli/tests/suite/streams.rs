//! Readers that go away, and results that go to devices, pipes and links.

use crate::{Ran, run_in};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pendulum.toml");

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("streams-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// The command without a reader of its output, of its diagnostics, or of both: its exit code, and what it said.
fn unread(arguments: &[&str], out: bool, err: bool) -> (Option<i32>, String) {
    // Whoever writes into this is told at once that nobody reads.
    let closed = || {
        let (_, writer) = std::io::pipe().expect("a pipe");
        Stdio::from(writer)
    };
    let stream = |gone: bool| if gone { closed() } else { Stdio::piped() };
    let ran = Command::new(env!("CARGO_BIN_EXE_dalembert"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(stream(out))
        .stderr(stream(err))
        .output()
        .expect("the command ends");
    let said = [ran.stdout, ran.stderr].concat();
    (
        ran.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

/// As with other tools, whoever has read enough goes away; that is no failure, and nothing is said of it.
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = folder("unread");
    let equations = folder.join("equations.txt");
    fs::write(&equations, "x'' = 0\n").expect("a file");
    let table = folder.join("table.csv");
    fs::write(&table, "t,x\n0,1\n1,2\n").expect("a file");
    let [equations, table] = [&equations, &table].map(|path| path.to_str().expect("text"));
    let commands: [&[&str]; 18] = [
        &["--help"],
        &["--version"],
        &["derive", "--help"],
        &["nonsense"],
        &["new", "--list"],
        &["new", "nonsense"],
        &["check", MODEL],
        &["check", "missing.toml"],
        &["check", MODEL, "--set", "l=1 s"],
        &["derive", MODEL],
        &["prove", MODEL, "--equations", equations],
        &["eval", MODEL],
        &["run", MODEL, "--span", "0.1"],
        &["plot", table, "nonsense"],
        &["calc", "x^2", "--diff", "x"],
        &["explain", "E0201"],
        &["schema"],
        &["completions", "bash"],
    ];
    for command in commands {
        for arguments in [command.to_vec(), [command, &["--json"]].concat()] {
            let (code, _) = unread(&arguments, false, false);
            for (out, err) in [(true, false), (false, true), (true, true)] {
                let (found, said) = unread(&arguments, out, err);
                assert_eq!(found, code, "{arguments:?} {out} {err}: {said}");
                assert!(!said.contains("panicked"), "{arguments:?}: {said}");
            }
        }
    }
}

/// A result that was to be kept and could not be is a failure.
#[test]
fn a_result_that_nobody_takes_is_a_failure() {
    for command in ["run", "plot"] {
        let folder = folder(&format!("untaken-{command}"));
        let table = folder.join("table.csv");
        fs::write(&table, "t,x\n0,1\n1,2\n").expect("a file");
        let from = [MODEL, table.to_str().expect("text")][usize::from(command == "plot")];
        for device in ["/dev/stdout", "/dev/full"] {
            let (code, said) = unread(&[command, from, "--out", device], true, false);
            assert_eq!(code, Some(1), "{command} {device}: {said}");
            let expected = format!("cannot write {device}");
            assert!(
                said.contains(&expected) && !said.contains("wrote"),
                "{said}"
            );
        }
    }
}

fn simulated(folder: &Path, out: &str) -> Ran {
    let arguments = [
        "run",
        MODEL,
        "--span",
        "0.1",
        "--samples",
        "3",
        "--out",
        out,
    ];
    run_in(folder.to_str().expect("text"), &arguments, "")
}

/// Devices and pipes are written to and stay what they are.
#[test]
fn what_is_no_file_is_written_to() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = folder("devices");
    let expected = {
        assert_eq!(simulated(&folder, "file.csv").code, 0);
        fs::read_to_string(folder.join("file.csv")).expect("a file")
    };
    assert_eq!(expected.lines().count(), 4, "{expected}");

    let ran = simulated(&folder, "/dev/stdout");
    assert_eq!(
        (ran.out.as_str(), ran.code),
        (expected.as_str(), 0),
        "{}",
        ran.err
    );
    let ran = simulated(&folder, "/dev/stderr");
    assert_eq!(ran.err, expected);
    assert!(
        ran.out.contains("wrote        /dev/stderr: 3 rows"),
        "{}",
        ran.out
    );
    assert_eq!(simulated(&folder, "/dev/null").code, 0);
    let null = fs::metadata("/dev/null").expect("the device");
    assert!(null.file_type().is_char_device());

    for name in ["pipe.csv", "pipe"] {
        let pipe = folder.join(name);
        let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::read_to_string(pipe).expect("text"))
        };
        let ran = simulated(&folder, name);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(reader.join().expect("a reader"), expected);
        let found = fs::metadata(&pipe).expect("the pipe");
        assert!(found.file_type().is_fifo());
    }

    symlink("/dev/stdout", folder.join("link.parquet")).expect("a link");
    let ran = Command::new(env!("CARGO_BIN_EXE_dalembert"))
        .current_dir(&folder)
        .args(["run", MODEL, "--span", "0.1", "--out", "link.parquet"])
        .output()
        .expect("the command ends");
    assert!(ran.stdout.starts_with(b"PAR1") && ran.stdout.ends_with(b"PAR1"));
    let left: Vec<_> = fs::read_dir(&folder).expect("a folder").collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

/// The standard output of a shell's `> file` is written on where it stands, and nothing is written over it.
#[test]
fn standard_output_may_be_a_file() {
    let folder = folder("redirected");
    let path = folder.join("out.txt");
    let file = fs::File::create(&path).expect("a file");
    for _ in 0..2 {
        let ran = Command::new(env!("CARGO_BIN_EXE_dalembert"))
            .args(["run", MODEL, "--span", "0.1", "--samples", "2"])
            .args(["--out", "/dev/stdout"])
            .stdout(file.try_clone().expect("the file"))
            .output()
            .expect("the command ends");
        assert!(ran.status.success());
    }
    let text = fs::read_to_string(&path).expect("a file");
    assert_eq!(text.matches("t,x,").count(), 2, "{text}");
    assert_eq!(text.lines().count(), 6, "{text}");
}

/// A figure comes out as it would stand in its file; one of a pipe needs a name.
#[test]
fn figures_stream_too() {
    let table = "t,x\n0,1\n1,2\n";
    let folder = folder("figures");
    let place = folder.to_str().expect("text");
    let ran = run_in(
        place,
        &["plot", "/dev/stdin", "--out", "/dev/stdout"],
        table,
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.starts_with("<svg") && ran.out.ends_with("</svg>\n"),
        "{}",
        ran.out
    );
    let ran = run_in(place, &["plot", "/dev/stdin"], table);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--out FILE.svg"), "{}", ran.err);
}

#[test]
fn links_lead_to_the_file_that_is_replaced() {
    use std::os::unix::fs::symlink;
    let folder = folder("links");
    fs::create_dir(folder.join("there")).expect("a folder");
    symlink("there/new.csv", folder.join("fresh.csv")).expect("a link");
    symlink("fresh.csv", folder.join("twice.csv")).expect("a link");
    for _ in 0..2 {
        let ran = simulated(&folder, "twice.csv");
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(folder.join("twice.csv").is_symlink() && folder.join("fresh.csv").is_symlink());
        let found = fs::read_to_string(folder.join("there/new.csv")).expect("a file");
        assert_eq!(found.lines().count(), 4);
    }
    symlink("round.csv", folder.join("about.csv")).expect("a link");
    symlink("about.csv", folder.join("round.csv")).expect("a link");
    fs::create_dir(folder.join("folder.csv")).expect("a folder");
    for out in [
        "round.csv",
        "folder.csv",
        "there/none/new.csv",
        "/proc/new.csv",
    ] {
        let ran = simulated(&folder, out);
        assert_eq!(ran.code, 1, "{out}: {}", ran.out);
        assert!(
            ran.err.contains("E0911") && !ran.out.contains("wrote"),
            "{}",
            ran.err
        );
    }
    let left = fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(left, 6);
}

/// A device has no end: it is refused, not read until memory is full.
#[test]
fn a_text_without_end_is_refused() {
    let folder = folder("endless");
    for arguments in [
        &["check", "/dev/zero"][..],
        &["prove", MODEL, "--equations", "/dev/zero"],
    ] {
        let ran = run_in(folder.to_str().expect("a path"), arguments, "");
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(
            ran.err.contains("E0910") && ran.err.contains("longer than 256 MB"),
            "{}",
            ran.err
        );
    }
}
