//! Deep, long, large and broken models.

use super::{built, found, pendulum, plane};
use dalembert_system::dimensions::{check, units_of};

#[test]
fn deep_and_long_expressions_are_walked_without_recursion() {
    let n = 50_000;
    let nested = format!("{}x{}", "(y + sqrt(".repeat(n), "^2))".repeat(n));
    let long = format!("x{}", " + y".repeat(n));
    let product = format!("m*x{}", "*y/x".repeat(n));
    let mut model = plane();
    let mut many = "1 s".to_owned();
    for i in 0..5_000 {
        let name = format!("p{i}");
        model = model.parameter(&name, "1");
        many += &format!("*{name}");
    }
    let model = model
        .definition("many", &many)
        .definition("nested", &nested)
        .definition("long", &long)
        .definition("product", &product)
        .definition("wrong", &format!("{long} + {long} + t"));
    assert_eq!(
        found(model),
        ["E0450 definitions.wrong: y + t\n\
          y is m, but t is s: they cannot be added\n\
          y is m by particle.P.position"]
    );
}

#[test]
fn exponents_out_of_range_are_not_judged() {
    let huge = plane()
        .definition("a", "((x^30000)^30000)^30000 + t")
        .definition("b", "x^0.123456789 + t")
        .definition("c", "x^(1/0) + t")
        .definition("d", "x^(2*3 - 4/2 - 3) + t");
    let errors = found(huge);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("E0450 definitions.d: x^(2*3 - 4/2 - 3) + t\n"));
}

#[test]
fn broken_files_do_no_harm() {
    let file = include_str!("../../../../dalembert-model/tests/suite/model/full.toml");
    let mut random = fastrand::Rng::with_seed(20);
    let pieces = [
        "x", "'", "^", "2", "(", ")", "m", " s", "*", "/", "+", "=", ",", "[", "sin(", "theta",
        "kg", ".", "at = ", "\"",
    ];
    let mut models = 0;
    let mut errors = 0;
    for _ in 0..4_000 {
        let mut text = file.to_owned();
        for _ in 0..random.usize(1..4) {
            let mut at = random.usize(..text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let piece = pieces[random.usize(..pieces.len())];
            match random.bool() {
                true => text.insert_str(at, piece),
                false => {
                    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
                    text.replace_range(at..end, piece);
                }
            }
        }
        if let Ok((model, _)) = dalembert_model::model::read(&text) {
            models += 1;
            errors += check(&model).len();
            let units = units_of(&model);
            assert_eq!(units.coordinates.len(), model.coordinates.len());
        }
    }
    assert!(models > 200 && errors > 100, "{models} {errors}");
}

#[test]
fn checking_twice_says_the_same() {
    let model = built(pendulum().definition("d", "theta + l + t"));
    assert_eq!(check(&model), check(&model));
    assert_eq!(check(&model).len(), 1);
}
