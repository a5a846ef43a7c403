//! Emitted C, compiled by the system's compiler and called in this process.
#![expect(
    unsafe_code,
    reason = "calls a function of a library made from our own C source"
)]

use libloading::Library;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// How C is compiled, ours and CasADi's alike. No `-std`: so gcc may join a·b + c into one rounding.
pub(crate) const CC: [&str; 5] = ["cc", "-O3", "-march=native", "-shared", "-fPIC"];

/// A folder that goes away with its owner.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("dalembert-bench-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)
            .map_err(|error| format!("cannot make {}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A function `void NAME(const double *in, double *out)`.
pub struct CFunction {
    function: unsafe extern "C" fn(*const f64, *mut f64),
    inputs: usize,
    outputs: usize,
    _library: Library,
    _folder: Folder,
}

impl CFunction {
    /// Compiles the C of a program with `cc -O3 -march=native` and loads it.
    ///
    /// # Errors
    /// The compiler is missing or refuses the source.
    pub fn compile(program: &dalembert_program::Program) -> Result<Self, String> {
        let folder = Folder::new()?;
        let so = build(&folder.0, &program.to_c("evaluate"))?;
        // SAFETY: the library is made of the source above and has no initialisers.
        let library = unsafe { Library::new(&so) }.map_err(|error| error.to_string())?;
        // SAFETY: the emitted function has this signature.
        let symbol = unsafe { library.get(b"evaluate") };
        let function = *symbol.map_err(|error| error.to_string())?;
        Ok(Self {
            function,
            inputs: program.input_count(),
            outputs: program.output_count(),
            _library: library,
            _folder: folder,
        })
    }

    /// Calls the function.
    ///
    /// # Panics
    /// If the slices are shorter than the program's inputs and outputs.
    pub fn call(&self, inputs: &[f64], outputs: &mut [f64]) {
        assert!(inputs.len() >= self.inputs && outputs.len() >= self.outputs);
        // SAFETY: the function reads and writes as many values as the program has inputs and outputs.
        unsafe { (self.function)(inputs.as_ptr(), outputs.as_mut_ptr()) }
    }
}

/// Writes and compiles a source; the path of the library.
fn build(folder: &Path, source: &str) -> Result<PathBuf, String> {
    let (c, so) = (folder.join("function.c"), folder.join("function.so"));
    std::fs::write(&c, source).map_err(|error| format!("cannot write {}: {error}", c.display()))?;
    let output = Command::new(CC[0])
        .args(&CC[1..])
        .arg("-o")
        .args([&so, &c])
        .arg("-lm")
        .output()
        .map_err(|error| format!("cannot run cc: {error}"))?;
    if output.status.success() {
        return Ok(so);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    Err(format!("cc refuses the C we emit:\n{}", message.trim_end()))
}
