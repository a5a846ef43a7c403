//! Elementary functions by address: exactly those of the operation table, which the tape uses too.

use dalembert_expr::table::TableFunction;
use dalembert_expr::{Binary, Unary};

/// A function of one number.
type Function = extern "C" fn(f64) -> f64;
/// A function of two numbers.
type Function2 = extern "C" fn(f64, f64) -> f64;

/// A C function for each operation of a table.
macro_rules! addresses {
    ($table:ident, $of:ident, $arguments:tt, [$($name:ident)*]) => {
        match $of {
            $($table::$name => addresses!(one $table::$name, $arguments),)*
        }
    };
    (one $operation:path, ($($x:ident),*)) => {{
        extern "C" fn call($($x: f64),*) -> f64 {
            $operation.value($($x),*)
        }
        call
    }};
}

/// The address of a function of one number.
pub(super) fn unary(function: Unary) -> usize {
    let address: Function = addresses!(Unary, function, (x), [
        Neg Sqrt Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Exp Log Abs Sign
    ]);
    address as usize
}

/// The address of a function that takes a number and the address of a function made of a table.
pub(super) fn table() -> usize {
    type OfTable = unsafe extern "C" fn(f64, *const TableFunction) -> f64;
    #[expect(unsafe_code, reason = "native code hands an address on")]
    unsafe extern "C" fn call(x: f64, function: *const TableFunction) -> f64 {
        // SAFETY: the address is that of a function which the plan of this code keeps.
        unsafe { (*function).value(x) }
    }
    let address: OfTable = call;
    address as usize
}

/// The address of a function of two numbers.
pub(super) fn binary(function: Binary) -> usize {
    let address: Function2 =
        addresses!(Binary, function, (x, y), [Add Sub Mul Div Pow Atan2 Min Max Above NotAbove]);
    address as usize
}
