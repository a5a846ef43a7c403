//! The models of `examples/`, against published numbers, closed forms and second derivations.
#![expect(clippy::unwrap_used, reason = "what fails in a test is to fail it")]

mod allocation;
mod asked_wrongly;
mod bicycle;
mod branches;
mod chain;
mod constant;
mod degenerate;
mod deletion;
mod derivations;
mod derivatives;
mod duplicates;
mod every_example;
mod formulations;
mod friction;
mod iftomm;
mod ledger;
mod links;
mod long_runs;
mod mechanisms;
mod orders;
mod published;
mod recorded;
mod reduced;
mod references;
mod relative;
mod rest;
mod servo;
mod stiff;
mod support;
mod switching;
mod units;
mod unrolled;
mod verdict;
mod wheelset;
mod witnesses;
