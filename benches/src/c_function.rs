//! Emitted C, compiled by the system's compiler and called in this process.
#![expect(
    unsafe_code,
    reason = "calls a function of a library made from our own C source"
)]

use libloading::Library;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A function `void NAME(const double *in, double *out)`.
pub struct CFunction {
    function: unsafe extern "C" fn(*const f64, *mut f64),
    _library: Library,
    directory: PathBuf,
}

impl CFunction {
    /// Compiles C source with `cc -O3 -march=native` and loads the function.
    ///
    /// # Errors
    /// The compiler is missing or refuses the source.
    pub fn compile(source: &str, name: &str) -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory =
            std::env::temp_dir().join(format!("dalembert-bench-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
        let (c, so) = (directory.join("function.c"), directory.join("function.so"));
        std::fs::write(&c, source).map_err(|error| error.to_string())?;
        let status = Command::new("cc")
            .args(["-std=c99", "-O3", "-march=native", "-shared", "-fPIC", "-o"])
            .args([&so, &c])
            .arg("-lm")
            .status()
            .map_err(|error| format!("cannot run cc: {error}"))?;
        if !status.success() {
            return Err(format!("cc refuses {}", c.display()));
        }
        // SAFETY: the library is made of the source above and has no initialisers.
        let library = unsafe { Library::new(&so) }.map_err(|error| error.to_string())?;
        // SAFETY: the emitted function has this signature.
        let symbol = unsafe { library.get(name.as_bytes()) };
        let function = *symbol.map_err(|error| error.to_string())?;
        Ok(Self {
            function,
            _library: library,
            directory,
        })
    }

    /// Calls the function; the slices are as long as its inputs and outputs.
    pub fn call(&self, inputs: &[f64], outputs: &mut [f64]) {
        // SAFETY: the caller passes as many values as the program has inputs and outputs.
        unsafe { (self.function)(inputs.as_ptr(), outputs.as_mut_ptr()) }
    }
}

impl Drop for CFunction {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
