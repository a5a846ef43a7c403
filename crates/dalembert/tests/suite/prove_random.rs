//! Random equations made by hand from a surface y = f(x): half of them true, half of them false by very little, on the other
//! side of a jump, or on another branch. None that is false is proved, none that is true is refuted.

use crate::prove::{mechanism, proof};
use dalembert::prove::Verdict;
use fastrand::Rng;

/// y = f(x).
struct Curve {
    /// f, f' and f''.
    texts: [&'static str; 3],
    /// f, with the parameter a.
    value: fn(f64, f64) -> f64,
}

const CURVES: [Curve; 6] = [
    Curve {
        texts: ["(x^2/2 - x/3)", "(x - 1/3)", "1"],
        value: |x, _| x * x / 2.0 - x / 3.0,
    },
    Curve {
        texts: ["sin(x)", "cos(x)", "(-sin(x))"],
        value: |x, _| x.sin(),
    },
    Curve {
        texts: ["(a*cos(2*x) + x)", "(1 - 2*a*sin(2*x))", "(-4*a*cos(2*x))"],
        value: |x, a| a * (2.0 * x).cos() + x,
    },
    Curve {
        texts: ["exp(x/2)", "(exp(x/2)/2)", "(exp(x/2)/4)"],
        value: |x, _| (x / 2.0).exp(),
    },
    Curve {
        texts: [
            "(1/(1 + x^2))",
            "(-2*x/(1 + x^2)^2)",
            "((6*x^2 - 2)/(1 + x^2)^3)",
        ],
        value: |x, _| 1.0 / (1.0 + x * x),
    },
    Curve {
        texts: ["(a*x^3)", "(3*a*x^2)", "(6*a*x)"],
        value: |x, a| a * x.powi(3),
    },
];
/// V and its derivatives by x and y.
const POTENTIALS: [[&str; 3]; 4] = [
    ["g*y", "0", "g"],
    ["(k*x^2/2 + k*y^2/2)", "k*x", "k*y"],
    ["(k*x*y)", "k*y", "k*x"],
    ["(g*sin(y) + k*x)", "k", "g*cos(y)"],
];
/// What is not zero where an equation is multiplied by it.
const FACTORS: [&str; 5] = ["1", "(2 + sin(y))", "(x^2 + 1)", "exp(x')", "(m + k)/g"];
/// What is zero, also where it jumps.
const NOTHING: [&str; 6] = [
    "0",
    "(abs(x)*sign(x) - x)",
    "(sign(x')*abs(x') - x')",
    "(max(x, y) + min(x, y) - x - y)",
    "(sign(1 + x^2) - 1)*x''",
    "(abs(y'')^2 - y''^2)",
];
/// What is not zero somewhere: everywhere, or far away only.
const SOMETHING: [&str; 8] = [
    "x",
    "1",
    "x'*y'",
    "lambda(wire)",
    "x''",
    "(1 + sign(x - 50))",
    "(1 - sign(x' + 30))*y",
    "(abs(y'' - 1000) + y'' - 1000)",
];

struct Case {
    model: String,
    right: Vec<String>,
    wrong: Vec<String>,
}

fn case(rng: &mut Rng) -> Case {
    let curve = &CURVES[rng.usize(..CURVES.len())];
    let [f, slope, bend] = curve.texts;
    let [v, by_x, by_y] = POTENTIALS[rng.usize(..POTENTIALS.len())];
    let branched = rng.u8(..4) == 0;
    // A second branch that is elsewhere at the start.
    let row = match branched {
        true => format!("(y - {f})*(y - {f} - 3 - x) = 0"),
        false => format!("y = {f}"),
    };
    let start = 0.3 + 0.5 * rng.f64();
    let [a, m] = [0.2 + rng.f64(), 0.5 + rng.f64()];
    let near = (curve.value)(start, a);
    let model = format!(
        "dalembert = 1\n[parameters]\nm = {m:.3}\na = {a}\nk = 1.7\ng = 9.8\n[coordinates]\n\
         x = {start}\ny = {{ value = {near}, priority = \"guess\" }}\n[start]\n\
         \"x'\" = 0.7\n\"y'\" = \"?\"\n[energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"{v}\"\n\
         [constraint.wire]\nholds = \"{row}\"\n"
    );
    // On the wire y = f(x), by hand.
    let motion =
        format!("m*(1 + {slope}^2)*x'' + m*{slope}*{bend}*x'^2 + {by_x} + {slope}*({by_y})");
    let rates = format!("y' - {slope}*x'");
    let bent = format!("y'' - {slope}*x'' - {bend}*x'^2");
    let across = match branched {
        // λ belongs to the product.
        true => format!("m*y'' + {by_y} - lambda(wire)*({f} - {f} - 3 - x)"),
        false => format!("m*y'' + {by_y} - lambda(wire)"),
    };
    let energy = format!("m*x'*x'' + m*y'*y'' + ({by_x})*x' + ({by_y})*y'");
    let place = format!("y - {f}");
    let zeros = [motion, rates, bent, across, energy, place];
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for zero in &zeros {
        let factor = FACTORS[rng.usize(..FACTORS.len())];
        let nothing = NOTHING[rng.usize(..NOTHING.len())];
        right.push(format!("({zero})*{factor} = {nothing}"));
        let something = SOMETHING[rng.usize(..SOMETHING.len())];
        let size = ["1", "1e-3", "1e-9", "1e-14", "1e-20"][rng.usize(..5)];
        wrong.push(format!(
            "({zero})*{factor} = {size}*{something} + {nothing}"
        ));
    }
    if branched {
        wrong.push(format!("y - {f} = 3 + x"));
    }
    Case {
        model,
        right,
        wrong,
    }
}

#[test]
fn no_random_equation_is_proved_or_refuted_wrongly() {
    let mut rng = Rng::with_seed(2026);
    let (mut proved, mut refuted, mut asked) = (0, 0, 0);
    for _ in 0..16 {
        let case = case(&mut rng);
        let mechanism = mechanism(&case.model);
        let all = [case.right.as_slice(), &case.wrong].concat().join("\n");
        let found = proof(&mechanism, &all);
        for (at, verdict) in found.verdicts.iter().enumerate() {
            let is_right = at < case.right.len();
            let line = all.lines().nth(at).unwrap_or_default();
            asked += 1;
            match verdict {
                Verdict::Proved(_) => {
                    assert!(is_right, "proved: {line}\n{}", case.model);
                    proved += 1;
                }
                Verdict::Refuted { counterexample, .. } => {
                    assert!(
                        !is_right,
                        "refuted: {line}\n{counterexample:?}\n{}",
                        case.model
                    );
                    assert!(counterexample.difference != 0.0);
                    refuted += 1;
                }
                Verdict::NotProved { .. } => {}
            }
        }
    }
    // Most are decided; what is not holds min, max or |λ|, or is far away.
    assert!(
        2 * (proved + refuted) > asked,
        "{proved} and {refuted} of {asked}"
    );
}
