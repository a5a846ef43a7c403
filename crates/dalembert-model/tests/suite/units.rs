//! Units against their definitions, dimensions against the laws of powers.

use dalembert_expr::Rational;
use dalembert_expr::syntax::{Kind, parse_value};
use dalembert_model::units::{Base, Dimension, Exponent, lookup, names, suggestion};

#[test]
fn factors_are_exact() {
    for (name, numerator, denominator, pi_power, dimension) in [
        ("kg", 1, 1, 0, "kg"),
        ("g", 1, 1000, 0, "kg"),
        ("mg", 1, 1_000_000, 0, "kg"),
        ("mm", 1, 1000, 0, "m"),
        ("cm", 1, 100, 0, "m"),
        ("km", 1000, 1, 0, "m"),
        ("ms", 1, 1000, 0, "s"),
        ("us", 1, 1_000_000, 0, "s"),
        ("min", 60, 1, 0, "s"),
        ("h", 3600, 1, 0, "s"),
        ("kN", 1000, 1, 0, "kg*m/s^2"),
        ("MN", 1_000_000, 1, 0, "kg*m/s^2"),
        ("mN", 1, 1000, 0, "kg*m/s^2"),
        ("GPa", 1_000_000_000, 1, 0, "kg/m/s^2"),
        ("kJ", 1000, 1, 0, "kg*m^2/s^2"),
        ("kW", 1000, 1, 0, "kg*m^2/s^3"),
        ("Hz", 1, 1, 0, "1/s"),
        ("rad", 1, 1, 0, "1"),
        ("mrad", 1, 1000, 0, "1"),
        ("deg", 1, 180, 1, "1"),
        ("rev", 2, 1, 1, "1"),
        ("rpm", 1, 30, 1, "1/s"),
        ("V", 1, 1, 0, "kg*m^2/s^3/A"),
        ("ohm", 1, 1, 0, "kg*m^2/s^3/A^2"),
        ("mbar", 100, 1, 0, "kg/m/s^2"),
        ("L", 1, 1000, 0, "m^3"),
        ("in", 127, 5000, 0, "m"),
        ("ft", 381, 1250, 0, "m"),
        ("lb", 45_359_237, 100_000_000, 0, "kg"),
        ("cd", 1, 1, 0, "cd"),
        ("daN", 10, 1, 0, "kg*m/s^2"),
    ] {
        let unit = lookup(name).expect(name);
        let expected = Rational::new(numerator, denominator);
        assert_eq!(Some(unit.factor), expected, "{name}");
        assert_eq!(unit.pi_power, pi_power, "{name}");
        assert_eq!(unit.dimension.to_string(), dimension, "{name}");
    }
}

#[test]
fn derived_units_are_what_they_are_defined_to_be() {
    // One unit as a product of others with powers: factors and dimensions must agree.
    for (name, product) in [
        ("N", &[("kg", 1), ("m", 1), ("s", -2)][..]),
        ("J", &[("N", 1), ("m", 1)]),
        ("W", &[("J", 1), ("s", -1)]),
        ("Pa", &[("N", 1), ("m", -2)]),
        ("Hz", &[("s", -1)]),
        ("C", &[("A", 1), ("s", 1)]),
        ("V", &[("W", 1), ("A", -1)]),
        ("ohm", &[("V", 1), ("A", -1)]),
        ("F", &[("C", 1), ("V", -1)]),
        ("Wb", &[("V", 1), ("s", 1)]),
        ("H", &[("Wb", 1), ("A", -1)]),
        ("T", &[("Wb", 1), ("m", -2)]),
        ("L", &[("dm", 3)]),
        ("yd", &[("ft", 1), ("m", 0)]),
        ("rpm", &[("rev", 1), ("min", -1)]),
        ("lbf", &[("lb", 1), ("kgf", 1), ("kg", -1)]),
    ] {
        let unit = lookup(name).expect(name);
        let mut factor = Rational::ONE;
        let mut dimension = Dimension::NONE;
        let mut pi_power = 0;
        for &(part, power) in product {
            let part = lookup(part).expect(part);
            factor = factor
                .checked_mul(&part.factor.checked_pow(power).unwrap())
                .unwrap();
            let powered = part.dimension.checked_pow(power, 1).unwrap();
            dimension = dimension.checked_mul(&powered).unwrap();
            pi_power += i64::from(part.pi_power) * power;
        }
        if name == "yd" {
            factor = factor.checked_mul(&Rational::integer(3)).unwrap();
        }
        assert_eq!(unit.factor, factor, "{name}");
        assert_eq!(unit.dimension, dimension, "{name}");
        assert_eq!(i64::from(unit.pi_power), pi_power, "{name}");
    }
}

#[test]
fn prefixes_never_shadow_names_and_are_not_stacked() {
    assert_eq!(lookup("min").unwrap().dimension, Dimension::TIME);
    assert_eq!(lookup("Pa").unwrap().dimension.unit_name(), Some("Pa"));
    for name in [
        "kkg", "mdeg", "kmin", "kft", "k", "", "Kg", "KM", "x", "mmm", "t",
    ] {
        assert!(lookup(name).is_none(), "{name}");
    }
}

#[test]
fn known_names_are_units_and_differ() {
    let names = names();
    for (at, name) in names.iter().enumerate() {
        assert!(lookup(name).is_some(), "{name}");
        assert!(!names[..at].contains(name), "{name}");
    }
    assert!(names.contains(&"kg".to_owned()) && names.contains(&"mm".to_owned()));
}

#[test]
fn suggestions_guess_what_was_meant() {
    for (name, expected) in [
        ("Nm", "N*m"),
        ("kgm", "kg*m"),
        ("degrees", "deg"),
        ("Degree", "deg"),
        ("meters", "m"),
        ("inches", "in"),
        ("Kg", "kg"),
        ("sec", "s"),
        ("RPM", "rpm"),
        ("radians", "rad"),
    ] {
        assert_eq!(suggestion(name).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(suggestion("furlongs"), None);
    assert_eq!(suggestion(""), None);
    assert_eq!(suggestion("θ"), None);
}

#[test]
fn powers_obey_their_laws() {
    let mut dimensions: Vec<Dimension> = Vec::new();
    for dimension in names().iter().map(|name| lookup(name).unwrap().dimension) {
        if !dimensions.contains(&dimension) {
            dimensions.push(dimension);
        }
    }
    assert!(dimensions.len() > 15);
    for a in &dimensions {
        let root = a.checked_pow(1, 2).unwrap();
        assert_eq!(root.checked_mul(&root), Some(*a));
        assert_eq!(a.checked_pow(6, 4), a.checked_pow(3, 2));
        assert_eq!(a.checked_pow(0, 1), Some(Dimension::NONE));
        assert_eq!(a.checked_pow(1, 0), None);
        assert_eq!(a.checked_pow(-1, 1), Dimension::NONE.checked_div(a));
        for b in &dimensions {
            let product = a.checked_mul(b).unwrap();
            assert_eq!(Some(product), b.checked_mul(a));
            assert_eq!(product.checked_div(b), Some(*a));
            let cube = |d: &Dimension| d.checked_pow(1, 3).unwrap();
            assert_eq!(cube(a).checked_mul(&cube(b)), Some(cube(&product)));
        }
    }
}

#[test]
fn exponents_out_of_range_are_refused() {
    assert_eq!(Dimension::LENGTH.checked_pow(40_000, 1), None);
    assert_eq!(Dimension::LENGTH.checked_pow(1, i64::MIN), None);
    assert_eq!(
        Dimension::NONE.checked_pow(i64::MAX, 3),
        Some(Dimension::NONE)
    );
    let large = Dimension::LENGTH.checked_pow(30_000, 1).unwrap();
    assert_eq!(large.checked_mul(&large), None);
    assert_eq!(
        Exponent::new(i64::MIN, i64::MIN).map(Exponent::numerator),
        None
    );
    let half = Exponent::new(-3, -6).unwrap();
    assert_eq!((half.numerator(), half.denominator()), (1, 2));
}

#[test]
fn dimensions_are_written_as_units_that_can_be_read() {
    for (dimension, expected, described) in [
        (Dimension::NONE, "1", "1"),
        (Dimension::FORCE, "kg*m/s^2", "N = kg*m/s^2"),
        (Dimension::ENERGY, "kg*m^2/s^2", "J = kg*m^2/s^2"),
        (
            Dimension::LENGTH.checked_pow(1, 2).unwrap(),
            "m^(1/2)",
            "m^(1/2)",
        ),
        (Dimension::TIME.checked_pow(-1, 1).unwrap(), "1/s", "1/s"),
        (
            Dimension::TIME.checked_pow(-3, 2).unwrap(),
            "1/s^(3/2)",
            "1/s^(3/2)",
        ),
    ] {
        assert_eq!(dimension.to_string(), expected);
        assert_eq!(dimension.described(), described);
    }
    for name in names() {
        let dimension = lookup(&name).unwrap().dimension;
        let text = format!("2 {dimension}");
        if text.starts_with("2 1") {
            continue;
        }
        let tree = parse_value(&text).unwrap();
        let Kind::Quantity { unit, .. } = &tree[tree.root()].kind else {
            panic!("{text}");
        };
        let mut read = Dimension::NONE;
        for factor in unit {
            let base = lookup(&factor.name.text).unwrap().dimension;
            let power = base.checked_pow(i64::from(factor.power), 1).unwrap();
            read = read.checked_mul(&power).unwrap();
        }
        assert_eq!(read, dimension, "{text}");
    }
    assert_eq!(Base::ALL.map(Base::name).join(" "), "kg m s A K mol cd");
    for (at, base) in Base::ALL.into_iter().enumerate() {
        assert_eq!(base as usize, at);
    }
}
