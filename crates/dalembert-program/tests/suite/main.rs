//! Tests of the public interface, in one binary.
#![expect(unsafe_code, reason = "loads and calls compiled C")]

mod agreement;
mod c_library;
mod compile;
mod every_table;
mod native;
mod native_agreement;
mod random;
mod reference;
mod sincos;
mod tables;
