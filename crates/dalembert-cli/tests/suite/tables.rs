//! Files of numbers as they come from measurements: read as they are meant, or refused with the place.

use crate::{Ran, run_in};
use std::path::PathBuf;

const MODEL: &str = "dalembert = 1\n[coordinates]\nx = \"0 m\"\n[particle.P]\nmass = \"1 kg\"\nposition = \"[x, 0, 0]\"\n\
                     [force.drive]\ngeneralized = { x = 'table(\"drive.csv\", t)' }\n[run]\nspan = \"2 s\"\n";

/// A folder of its own, which goes when the test is over.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn ran(name: &str, table: &[u8]) -> Ran {
    let place = format!("dalembert-table-{name}-{}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(place));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    std::fs::write(folder.0.join("m.toml"), MODEL).expect("a file");
    std::fs::write(folder.0.join("drive.csv"), table).expect("a file");
    let path = folder.0.to_str().expect("a path");
    run_in(path, &["run", "m.toml", "--json"], "")
}

/// The force is 1 N at 0 s and 2 N at 2 s: x(2 s) = 8/3 m, x' = 3 m/s.
#[test]
fn tables_are_read_as_programs_write_them() {
    let files: [(&str, &[u8]); 6] = [
        ("plain", b"t [s],force [N]\n0,1\n2,2\n"),
        ("bom", b"\xef\xbb\xbft [s],force [N]\r\n0,1\r\n2,2\r\n"),
        ("units", b"t [ms],force [kN]\n0,1e-3\n2000,2e-3\n"),
        ("quoted", b"\"t [s]\",\"force [N]\"\n0,1\n2,2\n"),
        ("blank", b"# by hand\nt [s],force [N]\n\n0,1\n\n2,2\n\n"),
        ("more", b"t [s],force [N]\n-1,0.5\n0,1\n2,2\n3,7\n"),
    ];
    for (name, table) in files {
        let ran = ran(name, table);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let found: serde_json::Value = serde_json::from_str(&ran.out).expect("one JSON document");
        for (key, expected) in [("x", 8.0 / 3.0), ("x'", 3.0)] {
            let value = found["end"][key].as_f64().expect("a number");
            assert!((value - expected).abs() < 1e-9, "{name}: {key} = {value}");
        }
    }
}

#[test]
fn tables_that_are_none_are_refused_with_the_line() {
    let files: [(&str, &[u8], &str, &str); 14] = [
        (
            "unsorted",
            b"t,f\n0,1\n2,3\n1,2\n",
            "E0485",
            "drive.csv:4:1",
        ),
        ("falling", b"t,f\n2,1\n0,2\n", "E0485", "drive.csv:3:1"),
        (
            "twice",
            b"t,f\n0,1\n1,1\n1,2\n2,2\n",
            "E0485",
            "drive.csv:4:1",
        ),
        ("nan", b"t,f\n0,1\n1,nan\n2,2\n", "E0485", "drive.csv:3:1"),
        (
            "infinite",
            b"t,f\n0,1\n1,inf\n2,2\n",
            "E0485",
            "drive.csv:3:1",
        ),
        ("cell", b"t,f\n0,1\n1\n2,2\n", "E0485", "drive.csv:3:1"),
        ("word", b"t,f\n0,one\n2,2\n", "E0485", "drive.csv:2:1"),
        ("column", b"t\n0\n1\n2\n", "E0486", "m.toml:8:22"),
        (
            "columns",
            b"t,f,f [kN]\n0,1,2\n2,2,3\n",
            "E0485",
            "drive.csv:1:1",
        ),
        ("empty", b"", "E0485", "drive.csv"),
        ("head", b"t,f\n", "E0485", "fewer than two rows"),
        ("row", b"t,f\n0,1\n", "E0485", "fewer than two rows"),
        ("headless", b"0,1\n2,2\n", "E0485", "drive.csv:1:1"),
        ("bytes", b"\x00\x01\xff\xfe", "E0485", "UTF-8"),
    ];
    for (name, table, code, place) in files {
        let table = String::from_utf8(table.to_vec()).map_or_else(
            |_| table.to_vec(),
            |text| {
                text.replace("t,f", "t [s],f [N]")
                    .replace("t\n0", "t [s]\n0")
                    .into_bytes()
            },
        );
        let ran = ran(name, &table);
        assert_eq!(ran.code, 1, "{name}: {}", ran.out);
        assert!(ran.err.contains(code), "{name}: {}", ran.err);
        assert!(ran.err.contains(place), "{name}: {}", ran.err);
    }
}

/// A unit that is none, one that is no force, and a table that is over before the run.
#[test]
fn tables_with_other_units_or_shorter_than_the_run_are_refused() {
    for (name, table, code, said) in [
        ("foo", "t [s],f [foo]\n0,1\n2,2\n", "E0485", "`foo`"),
        ("length", "t [s],f [m]\n0,1\n2,2\n", "E0450", "is m"),
        ("short", "t [s],f [N]\n0,1\n1,2\n", "E0487", "from 0 to 1"),
    ] {
        let ran = ran(name, table.as_bytes());
        assert_eq!(ran.code, 1, "{name}: {}", ran.out);
        assert!(ran.err.contains(code), "{name}: {}", ran.err);
        assert!(ran.err.contains(said), "{name}: {}", ran.err);
    }
}
