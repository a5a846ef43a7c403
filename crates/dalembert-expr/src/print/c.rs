//! C99 expressions in doubles.

use super::infix::{Choice, Dialect, Power, double};
use crate::op::{Binary, Unary};

/// What emitted expressions use beyond `<math.h>`: unlike `fmin` and `fmax`, these hand a NaN on.
pub const C_PRELUDE: &str = "\
#include <math.h>

static inline double dalembert_sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }
static inline double dalembert_min(double x, double y) { return (x < y || x != x) ? x : y; }
static inline double dalembert_max(double x, double y) { return (x > y || x != x) ? x : y; }
static inline double dalembert_above(double x, double y) { return x > 0.0 ? y : x <= 0.0 ? 0.0 : x; }
static inline double dalembert_not_above(double x, double y) { return x <= 0.0 ? y : x > 0.0 ? 0.0 : x; }
";

pub(super) const DIALECT: Dialect = Dialect {
    number: |value, _| double(value),
    pi: "3.141592653589793",
    unary,
    binary,
    power: Power::Call,
    choice: Choice::Call,
    exact: false,
    words: &[WORDS],
};

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Abs => "fabs",
        Unary::Sign => "dalembert_sign",
        other => other.name(),
    }
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Min => "dalembert_min",
        Binary::Max => "dalembert_max",
        Binary::Above => "dalembert_above",
        Binary::NotAbove => "dalembert_not_above",
        other => other.name(),
    }
}

/// Keywords of C99 to C23, macros of `<math.h>`, of other headers and of compilers, and `pow`.
const WORDS: &str = "
    alignas alignof asm auto bool break case char const constexpr continue default do double else enum
    extern false float for goto if inline int long nullptr register restrict return short signed sizeof
    static static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned
    void volatile while
    DOMAIN HUGE MAXFLOAT M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4
    M_SQRT1_2 M_SQRT2 OVERFLOW PLOSS SING TLOSS UNDERFLOW i386 linux unix
    EOF HUGE_VAL INFINITY NAN NULL errno
    pow
";
