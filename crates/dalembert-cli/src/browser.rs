//! What the system opens pages with.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Opens a file or an address; whether there is something to open it with.
pub(crate) fn open(what: &OsStr) -> bool {
    let mut command = match () {
        () if cfg!(target_os = "macos") => Command::new("open"),
        () if cfg!(windows) => Command::new("explorer"),
        () => Command::new("xdg-open"),
    };
    let quiet = command.arg(what).stdin(Stdio::null());
    let quiet = quiet.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().is_ok()
}
