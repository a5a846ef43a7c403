//! C sources compiled by gcc and loaded, in a directory that goes away afterwards.

use libloading::Library;
use std::path::PathBuf;
use std::process::Command;

/// A function made by `Tape::to_c`.
pub(crate) type Function = unsafe extern "C" fn(*const f64, *mut f64);

/// A directory removed when dropped.
struct Directory(PathBuf);

impl Drop for Directory {
    fn drop(&mut self) {
        // What is left of a temporary directory that cannot be removed is not worth a panic.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A loaded library.
pub(crate) struct CLibrary {
    library: Library,
    _directory: Directory,
}

impl CLibrary {
    /// Compiles with all warnings being errors.
    pub(crate) fn new(name: &str, source: &str) -> Self {
        let directory = format!("dalembert-{name}-{}", std::process::id());
        let directory = Directory(std::env::temp_dir().join(directory));
        std::fs::create_dir_all(&directory.0).expect("a temporary directory");
        let (source_file, library) = (directory.0.join("f.c"), directory.0.join("f.so"));
        std::fs::write(&source_file, source).expect("a file in the temporary directory");
        let gcc = Command::new("gcc")
            .args(
                "-std=c99 -Wall -Wextra -Werror -O2 -ffp-contract=off -shared -fPIC -o".split(' '),
            )
            .args([&library, &source_file])
            .arg("-lm")
            .output()
            .unwrap_or_else(|error| panic!("this test needs gcc on the PATH: {error}"));
        let messages = String::from_utf8_lossy(&gcc.stderr);
        assert!(gcc.status.success(), "gcc refuses our C:\n{messages}");
        // SAFETY: we wrote the source, and it runs no code when loaded.
        let library = unsafe { Library::new(&library) }.expect("the library gcc just made");
        Self {
            library,
            _directory: directory,
        }
    }

    /// The outputs of a function at a point.
    pub(crate) fn eval(&self, name: &str, inputs: &[f64], outputs: &mut [f64]) {
        // SAFETY: functions of `to_c` have this type, and read and write as many numbers as their tape.
        unsafe {
            let function = self
                .library
                .get::<Function>(name)
                .expect("a function of the source");
            function(inputs.as_ptr(), outputs.as_mut_ptr());
        }
    }

    /// Fills a table of function pointers.
    pub(crate) fn set<F: Copy>(&self, table: &str, functions: &[F]) {
        // SAFETY: the caller's source has such a table, of this type and length.
        unsafe {
            let table = self
                .library
                .get::<*mut F>(table)
                .expect("a table of the source");
            std::ptr::copy_nonoverlapping(functions.as_ptr(), *table, functions.len());
        }
    }
}
