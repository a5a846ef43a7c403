//! Equations in symbols: read back and compared with numbers, with the papers, and with what a page can hold.
#![expect(clippy::unwrap_used, reason = "what fails in a test is to fail it")]

mod every_example;
mod identities;
mod impulse;
mod length;
mod names;
mod numbers;
mod papers;
mod refusals;
mod second_reading;
mod support;
mod writing;
