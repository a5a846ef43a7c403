//! Exact numbers: rounding against the standard library, arithmetic against identities.
use dalembert_expr::{LiteralError, Rational};
use fastrand::Rng;

fn decimal(text: &str) -> Rational {
    Rational::parse_decimal(text).unwrap()
}

/// The standard library rounds decimal text correctly by another algorithm.
#[test]
fn rounding_agrees_with_the_standard_library() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..20_000 {
        let digits: String = (0..rng.usize(1..40)).map(|_| rng.digit(10)).collect();
        let text = format!("{digits}.{}e{}", rng.u32(..), rng.i32(-340..280));
        let expected: f64 = text.parse().unwrap();
        match Rational::parse_decimal(&text) {
            Ok(value) => assert_eq!(value.to_f64(), expected, "{text}"),
            Err(error) => {
                assert_eq!(error, LiteralError::OutOfRange);
                assert!(expected == 0.0 || expected.is_infinite(), "{text}");
            }
        }
    }
}

#[test]
fn doubles_go_there_and_back() {
    let mut rng = Rng::with_seed(12);
    let special = [
        0.0,
        5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        -f64::MAX,
        1.0 / 3.0,
        2f64.powi(-1074),
    ];
    let random = (0..20_000)
        .map(|_| f64::from_bits(rng.u64(..)))
        .filter(|x| x.is_finite());
    for x in special.into_iter().chain(random) {
        assert_eq!(Rational::from_f64(x).unwrap().to_f64(), x);
    }
    assert_eq!(Rational::from_f64(f64::NAN), None);
}

/// Halfway between two doubles goes to the even one, a hair beyond does not.
#[test]
fn ties_go_to_even() {
    let halfway = Rational::from_f64(9_007_199_254_740_992.0).unwrap(); // 2^53
    let add = |n: &str| halfway.checked_add(&decimal(n)).unwrap().to_f64();
    assert_eq!(add("1"), 9_007_199_254_740_992.0);
    assert_eq!(
        add("1.0000000000000000000000000000000001"),
        9_007_199_254_740_994.0
    );
    assert_eq!(add("3"), 9_007_199_254_740_996.0);
}

#[test]
fn arithmetic_is_that_of_fractions() {
    let third = Rational::new(1, 3).unwrap();
    let sixth = Rational::new(-2, -12).unwrap();
    assert_eq!(third.checked_add(&sixth), Rational::new(1, 2));
    assert_eq!(third.checked_mul(&sixth), Rational::new(1, 18));
    assert_eq!(third.reciprocal(), Some(Rational::integer(3)));
    assert_eq!(third.checked_pow(-3), Some(Rational::integer(27)));
    assert_eq!(
        Rational::integer(-1).checked_pow(i64::MAX),
        Some(Rational::integer(-1))
    );
    assert_eq!(
        Rational::integer(-1).checked_pow(i64::MIN),
        Some(Rational::ONE)
    );
    assert_eq!(Rational::ZERO.checked_pow(i64::MAX), Some(Rational::ZERO));
    assert_eq!(Rational::ZERO.checked_pow(-1), None);
    assert_eq!(
        Rational::integer(i64::MIN).negated().to_string(),
        "9223372036854775808"
    );
    assert_eq!(
        Rational::integer(i64::MIN).negated().negated().as_integer(),
        Some(i64::MIN)
    );
    assert!(sixth < third && third < Rational::ONE);
    assert_eq!(Rational::new(1, 0), None);
}

/// Small and large numbers are equal exactly when their values are.
#[test]
fn large_results_come_back_small() {
    let large = decimal("123456789012345678901234567890");
    let inverse = large.reciprocal().unwrap();
    assert_eq!(large.checked_mul(&inverse), Some(Rational::ONE));
    assert!(large.checked_add(&large.negated()).unwrap().is_zero());
    assert!(inverse < large);
    assert_eq!(large.exact_sqrt(), None);
    assert_eq!(large.checked_mul(&large).unwrap().exact_sqrt(), Some(large));
}

#[test]
fn decimals_print_as_they_were_written() {
    for text in ["9.81", "0.1", "12", "0.000125", "1234567.5"] {
        assert_eq!(decimal(text).terminating_decimal(20).as_deref(), Some(text));
    }
    assert_eq!(
        Rational::new(-1, 8)
            .unwrap()
            .terminating_decimal(3)
            .as_deref(),
        Some("-0.125")
    );
    assert_eq!(Rational::new(1, 8).unwrap().terminating_decimal(2), None);
    assert_eq!(Rational::new(1, 3).unwrap().terminating_decimal(20), None);
}

#[test]
fn literals_out_of_bounds_are_refused() {
    for (text, error) in [
        ("1e309", LiteralError::OutOfRange),
        ("1e-400", LiteralError::OutOfRange),
        ("1e99999999999999999999", LiteralError::OutOfRange),
        ("", LiteralError::Malformed),
        (".", LiteralError::Malformed),
        ("1e", LiteralError::Malformed),
        ("1.2.3", LiteralError::Malformed),
        ("-1", LiteralError::Malformed),
    ] {
        assert_eq!(Rational::parse_decimal(text), Err(error), "{text}");
    }
    let long = "7".repeat(1001);
    assert_eq!(
        Rational::parse_decimal(&long),
        Err(LiteralError::TooManyDigits)
    );
    assert_eq!(decimal(&format!("0.{}", "0".repeat(5000))), Rational::ZERO);
    assert_eq!(
        decimal(&format!("1{}e-5000", "0".repeat(5000))),
        Rational::ONE
    );
}
