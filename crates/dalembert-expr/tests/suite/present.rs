//! Forms for the eye: short, and of the same value.

use crate::equal::{Verdict, equal};
use crate::formula::{Formula, symbols};
use crate::normal::compare;
use crate::scope::read;
use dalembert_expr::calculus::{partial, time_derivative};
use dalembert_expr::normal::{Field, Limits, Outside, Style, shorthands};
use dalembert_expr::print::{Format, print_one};
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind, evaluate, substitute};
use fastrand::Rng;

/// Lagrange's equations, left side minus right side, as they come out of the calculus.
pub(crate) struct System {
    pub(crate) graph: Graph,
    pub(crate) equations: Vec<ExprId>,
    pub(crate) style: Style,
}

impl System {
    fn new(mut graph: Graph, names: &[&str], kinetic: ExprId, potential: ExprId) -> Self {
        let g = &mut graph;
        let lagrangian = g.sub(kinetic, potential);
        let mut symbols = |order| -> Vec<SymbolId> {
            let ids = names
                .iter()
                .map(|name| g.derivative_symbol(name, SymbolKind::Coordinate, order));
            let ids: Vec<ExprId> = ids.collect();
            ids.iter().filter_map(|&id| g.as_symbol(id)).collect()
        };
        let (positions, rates, accelerations) = (symbols(0), symbols(1), symbols(2));
        let mut equations = Vec::new();
        for (&q, &v) in positions.iter().zip(&rates) {
            let momentum = partial(g, kinetic, v);
            let change = time_derivative(g, &[momentum]).unwrap()[0];
            let slope = partial(g, lagrangian, q);
            equations.push(g.sub(change, slope));
        }
        let style = Style {
            collect: vec![accelerations, rates],
        };
        Self {
            graph,
            equations,
            style,
        }
    }

    fn from_energies(names: &[&str], kinetic: &str, potential: &str) -> Self {
        let mut g = Graph::new();
        for name in ["M", "m", "J", "A", "C", "g", "k", "l"] {
            g.symbol(name, SymbolKind::Parameter);
        }
        let (t, v) = (read(&mut g, kinetic), read(&mut g, potential));
        Self::new(g, names, t, v)
    }

    /// A planar chain of links with point masses at their ends, in angles relative to the link before.
    pub(crate) fn chain(links: usize, relative: bool) -> Self {
        let mut g = Graph::new();
        let names: Vec<String> = (1..=links).map(|i| format!("q{i}")).collect();
        let zero = g.integer(0);
        let (mut angle, mut x, mut y) = (zero, zero, zero);
        let (mut kinetic, mut potential) = (zero, zero);
        for name in ["m", "g", "l"] {
            for i in 1..=if name == "g" { 0 } else { links } {
                g.symbol(&format!("{name}{i}"), SymbolKind::Parameter);
            }
            if name == "g" {
                g.symbol(name, SymbolKind::Parameter);
            }
        }
        let gravity = g.symbol("g", SymbolKind::Parameter);
        for (i, name) in names.iter().enumerate() {
            let q = g.symbol(name, SymbolKind::Coordinate);
            angle = if relative { g.add(angle, q) } else { q };
            let m = g.symbol(&format!("m{}", i + 1), SymbolKind::Parameter);
            let l = g.symbol(&format!("l{}", i + 1), SymbolKind::Parameter);
            let (s, c) = (g.sin(angle), g.cos(angle));
            let (dx, dy) = (g.mul(l, s), g.mul(l, c));
            (x, y) = (g.add(x, dx), g.sub(y, dy));
            let v = time_derivative(&mut g, &[x, y]).unwrap();
            let (vx, vy) = (g.powi(v[0], 2), g.powi(v[1], 2));
            let square = g.add(vx, vy);
            let energy = g.mul(m, square);
            kinetic = g.add(kinetic, energy);
            let weight = g.mul(m, gravity);
            let height = g.mul(weight, y);
            potential = g.add(potential, height);
        }
        let two = g.integer(2);
        kinetic = g.div(kinetic, two);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Self::new(g, &names, kinetic, potential)
    }

    fn present(&mut self) -> Vec<ExprId> {
        let mut field = Field::new();
        let values: Vec<_> = field
            .take_all(&self.graph, &self.equations)
            .into_iter()
            .map(Result::unwrap)
            .collect();
        field.present(&mut self.graph, &values, &self.style)
    }
}

/// The greatest difference of two expressions at random points, relative to the size of the values.
fn difference(g: &Graph, a: ExprId, b: ExprId, rng: &mut Rng) -> f64 {
    let mut largest: f64 = 0.0;
    for _ in 0..5 {
        let x: Vec<f64> = (0..g.symbol_count())
            .map(|_| rng.f64() * 3.0 - 1.0)
            .collect();
        let values = evaluate(g, &[a, b], |s| x[s.index()]);
        let size = values[0].abs().max(values[1].abs()).max(1.0);
        largest = largest.max((values[0] - values[1]).abs() / size);
    }
    largest
}

fn systems() -> Vec<(&'static str, System)> {
    let energies = System::from_energies;
    vec![
        (
            "pendulum",
            energies(&["theta"], "m*l^2*theta'^2/2", "-m*g*l*cos(theta)"),
        ),
        ("double pendulum", System::chain(2, false)),
        ("double pendulum, relative", System::chain(2, true)),
        (
            "spherical pendulum",
            energies(
                &["theta", "phi"],
                "m*l^2*(theta'^2 + sin(theta)^2*phi'^2)/2",
                "-m*g*l*cos(theta)",
            ),
        ),
        (
            "top",
            energies(
                &["phi", "theta", "psi"],
                "A*(theta'^2 + sin(theta)^2*phi'^2)/2 + C*(psi' + cos(theta)*phi')^2/2",
                "m*g*l*cos(theta)",
            ),
        ),
        (
            "cart",
            energies(
                &["x", "theta"],
                "M*x'^2/2 + J*theta'^2/2 \
                 + m*((x' + l*theta'*cos(theta))^2 + (l*theta'*sin(theta))^2)/2",
                "m*g*l*cos(theta) + k*x^2/2",
            ),
        ),
        (
            "elastic pendulum",
            energies(
                &["x", "theta"],
                "m*((x'*sin(theta) + x*theta'*cos(theta))^2 \
                 + (x'*cos(theta) - x*theta'*sin(theta))^2)/2",
                "k*(x - l)^2/2 - m*g*x*cos(theta)",
            ),
        ),
    ]
}

#[test]
fn equations_read_as_an_author_would_write_them() {
    let mut text = String::new();
    for (name, mut system) in systems() {
        text += &format!("{name}\n");
        for form in system.present() {
            text += &format!("  {} = 0\n", print_one(&system.graph, form, Format::Text));
        }
    }
    insta::assert_snapshot!(text, @r"
    pendulum
      m l² θ'' + m g l sin θ = 0
    double pendulum
      (m₁ + m₂) l₁² q₁'' + m₂ l₁ l₂ q₂'' cos(q₁ - q₂) + m₂ l₁ l₂ q₂'² sin(q₁ - q₂) + (m₁ + m₂) g l₁ sin q₁ = 0
      m₂ l₁ l₂ q₁'' cos(q₁ - q₂) + m₂ l₂² q₂'' - m₂ l₁ l₂ q₁'² sin(q₁ - q₂) + m₂ g l₂ sin q₂ = 0
    double pendulum, relative
      ((m₁ + m₂) l₁² + m₂ l₂ (2 l₁ cos q₂ + l₂)) q₁'' + m₂ l₂ (l₁ cos q₂ + l₂) q₂'' - m₂ l₁ l₂ q₂' (2 q₁' + q₂') sin q₂ + (m₁ + m₂) g l₁ sin q₁ + m₂ g l₂ sin(q₁ + q₂) = 0
      m₂ l₂ (l₁ cos q₂ + l₂) q₁'' + m₂ l₂² q₂'' + m₂ l₁ l₂ q₁'² sin q₂ + m₂ g l₂ sin(q₁ + q₂) = 0
    spherical pendulum
      m l² θ'' - m l² φ'² sin θ cos θ + m g l sin θ = 0
      m l² φ'' sin²θ + 2 m l² θ' φ' sin θ cos θ = 0
    top
      ((A - C) sin²θ + C) φ'' + C ψ'' cos θ + θ' (2 (A - C) φ' cos θ - C ψ') sin θ = 0
      A θ'' - φ' ((A - C) φ' cos θ - C ψ') sin θ - m g l sin θ = 0
      C φ'' cos θ + C ψ'' - C θ' φ' sin θ = 0
    cart
      (M + m) x'' + m l θ'' cos θ - m l θ'² sin θ + k x = 0
      m l x'' cos θ + (m l² + J) θ'' - m g l sin θ = 0
    elastic pendulum
      m x'' - m x θ'² - m g cos θ - k l + k x = 0
      m x² θ'' + 2 m x x' θ' + m g x sin θ = 0
    ");
}

/// Blajer's disk in independent speeds, from the terms as they come out of the projection.
#[test]
fn the_rolling_disk_is_collected_and_factored() {
    let rows = [
        "m*r^2*sin(theta)^2*phi'' + J*sin(theta)^2*phi'' + J*(sin(theta)^2 + cos(theta)^2)*phi'' \
         + m*r^2*sin(theta)*psi'' + 2*J*sin(theta)*psi'' + 2*m*r^2*sin(theta)*cos(theta)*phi'*theta' \
         + J*sin(2*theta)*phi'*theta' + 2*J*cos(theta)*theta'*psi'",
        "(m*r^2 + J)*theta'' - m*r^2*sin(theta)*cos(theta)*phi'^2 - J*sin(theta)*cos(theta)*phi'^2 \
         - (m*r^2 + 2*J)*cos(theta)*phi'*psi' - m*g*r*sin(theta)",
        "m*r^2*(sin(theta)*phi'' + psi'') + 2*J*sin(theta)*phi'' + 2*J*psi'' \
         + 2*(m*r^2 + J)*cos(theta)*phi'*theta'",
    ];
    let mut g = Graph::new();
    for name in ["m", "r", "J", "g"] {
        g.symbol(name, SymbolKind::Parameter);
    }
    let ids = rows.map(|row| read(&mut g, row));
    let mut symbols = |order| -> Vec<SymbolId> {
        ["phi", "theta", "psi"]
            .map(|name| g.derivative_symbol(name, SymbolKind::Coordinate, order))
            .iter()
            .filter_map(|&id| g.as_symbol(id))
            .collect()
    };
    let style = Style {
        collect: vec![symbols(2), symbols(1)],
    };
    let mut field = Field::new();
    let values = ids.map(|id| field.take(&g, id).unwrap());
    let short = field.present(&mut g, &values, &style);
    let print = |format| short.iter().map(move |&id| (id, format));
    let lines: Vec<String> = print(Format::Text)
        .map(|(id, format)| print_one(&g, id, format))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    ((m r² + J) sin²θ + J) φ'' + (m r² + 2 J) ψ'' sin θ + 2 θ' ((m r² + J) φ' sin θ + J ψ') cos θ
    (m r² + J) θ'' - φ' ((m r² + J) φ' sin θ + (m r² + 2 J) ψ') cos θ - m r g sin θ
    (m r² + 2 J) (φ'' sin θ + ψ'') + 2 (m r² + J) φ' θ' cos θ
    ");
    let latex: usize = print(Format::Latex)
        .map(|(id, format)| print_one(&g, id, format).len())
        .sum();
    assert!(latex <= 600, "{latex}");
    for (a, b) in ids.into_iter().zip(short) {
        assert_eq!(equal(&g, a, b), Verdict::Proved);
    }
}

#[test]
fn forms_have_the_values_of_the_expressions_and_can_be_read_back() {
    let mut rng = Rng::with_seed(63);
    let chains = [(3, true), (4, true), (5, true), (10, false)];
    let chains = chains.map(|(links, relative)| ("chain", System::chain(links, relative)));
    for (name, mut system) in systems().into_iter().chain(chains) {
        let forms = system.present();
        let g = &mut system.graph;
        for (&equation, form) in system.equations.iter().zip(forms) {
            let error = difference(g, equation, form, &mut rng);
            assert!(error < 1e-12, "{name}: {error}");
            let text = print_one(g, form, Format::Model);
            assert_eq!(read(g, &text), form, "{name}");
        }
    }
}

#[test]
fn lengths_stay_within_the_targets() {
    for (links, relative, most) in [(2, false, 700), (5, true, 12_000), (10, false, 13_000)] {
        let mut system = System::chain(links, relative);
        let forms = system.present();
        let latex = forms
            .iter()
            .map(|&f| print_one(&system.graph, f, Format::Latex).len());
        let total: usize = latex.sum();
        assert!(total <= most, "{links} links: {total} characters");
    }
}

const SHORT: [(&str, &str); 16] = [
    (
        "0.001*m*x + 0.25*k*x + 0.000001*x^2",
        "x*(0.001*m + 0.25*k + 0.000001*x)",
    ),
    ("cos(x)*cos(y) + sin(x)*sin(y)", "cos(x - y)"),
    ("m*sin(x)^2 + m*cos(x)^2 + J", "m + J"),
    ("(x + y)^2 - (x - y)^2", "4*x*y"),
    ("x^2*m + 2*m*x*y + m*y^2", "m*(x + y)^2"),
    ("x^2*m - m*y^2 + k*x^2 - k*y^2", "(m + k)*(x + y)*(x - y)"),
    (
        "m*(sin(x)*cos(y) - cos(x)*sin(y))^2 + k",
        "m*sin(x - y)^2 + k",
    ),
    (
        "m*r^2*sin(x)^2 + J*sin(x)^2 + J",
        "(J + m*r^2)*sin(x)^2 + J",
    ),
    ("1 - sin(x)^2", "cos(x)^2"),
    ("m - m*sin(x)^2 + k*cos(x)", "(m*cos(x) + k)*cos(x)"),
    ("x/(x^2 + x*y) + 1/(x + y)", "2/(x + y)"),
    ("sin(x)*cos(x)", "sin(x)*cos(x)"),
    ("2*sin(x)*cos(x)*m*l", "2*m*l*sin(x)*cos(x)"),
    ("(1 - cos(x)^2)/sin(x)", "sin(x)"),
    ("x*sqrt(x^2 + y^2)/(x^2 + y^2)", "x/sqrt(x^2 + y^2)"),
    ("(x - y)/(y - x)", "-1"),
];

#[test]
fn short_forms_are_found() {
    for (long, short) in SHORT {
        let mut g = Graph::new();
        let (long, short) = (read(&mut g, long), read(&mut g, short));
        let mut field = Field::new();
        let value = field.take(&g, long).unwrap();
        let found = field.present(&mut g, &[value], &Style::default())[0];
        let text = |id| print_one(&g, id, Format::Latex);
        let (found, wanted) = (text(found), text(short));
        assert!(found.len() <= wanted.len(), "{found} for {wanted}");
    }
}

#[test]
fn random_formulas_keep_their_values() {
    let mut rng = Rng::with_seed(64);
    let mut compared = 0;
    for _ in 0..2000 {
        let mut g = Graph::new();
        symbols(&mut g);
        let operations = rng.usize(3..14);
        let id = Formula::random(&mut rng, operations, false).build(&mut g);
        let mut field = Field::with_limits(Limits {
            terms: 300,
            steps: 100_000,
        });
        let Ok(value) = field.take(&g, id) else {
            continue;
        };
        let short = field.present(&mut g, &[value], &Style::default())[0];
        compared += compare(&g, id, short, &mut rng);
    }
    assert!(compared > 2000, "only {compared} values compared");
}

#[test]
fn what_is_too_large_does_not_keep_others_from_being_written() {
    let mut g = Graph::new();
    let mut product = g.integer(1);
    for i in 0..40 {
        let factor = read(&mut g, &format!("x{i} + y{i}*sin(x)"));
        product = g.mul(product, factor);
    }
    let easy = read(&mut g, "x + x*m/m");
    let mut field = Field::with_limits(Limits {
        terms: 1000,
        steps: 100_000,
    });
    let [large, easy] = &field.take_all(&g, &[product, easy])[..] else {
        panic!("two expressions were taken");
    };
    assert_eq!(*large, Err(Outside::TooLarge));
    let short = field.present(&mut g, &[easy.clone().unwrap()], &Style::default())[0];
    assert_eq!(print_one(&g, short, Format::Text), "2 x");
}

#[test]
fn long_and_high_polynomials_are_written_in_bounded_depth() {
    let mut g = Graph::new();
    let x = read(&mut g, "x");
    let mut sum = g.integer(1);
    for n in 1..2500 {
        let power = g.powi(x, n);
        sum = g.add(sum, power);
    }
    let mut field = Field::new();
    let value = field.take(&g, sum).unwrap();
    let form = field.present(&mut g, &[value], &Style::default())[0];
    let values = evaluate(&g, &[sum, form], |_| 0.5);
    assert!((values[0] - values[1]).abs() < 1e-12);
}

#[test]
fn shorthands_give_the_same_values_and_come_in_order() {
    let mut system = System::chain(5, true);
    let forms = system.present();
    let g = &mut system.graph;
    let (names, short) = shorthands(g, &forms, |n| format!("A_{n}"));
    assert!(names.len() > 3);
    let length = |ids: &[ExprId]| -> usize {
        ids.iter()
            .map(|&id| print_one(g, id, Format::Latex).len())
            .sum()
    };
    let definitions: Vec<ExprId> = names.iter().map(|n| n.definition).collect();
    assert!(length(&short) + length(&definitions) < length(&forms) * 4 / 5);
    // Putting the definitions back in, last first, gives the forms again.
    let mut back = short;
    for name in names.iter().rev() {
        back = substitute(g, &back, &[(name.symbol, name.definition)]);
    }
    let mut rng = Rng::with_seed(65);
    for (&a, &b) in forms.iter().zip(&back) {
        assert!(difference(g, a, b, &mut rng) < 1e-12);
    }
}

#[test]
fn products_are_seen_as_such() {
    let cases: [(&str, &[(&str, u16)]); 6] = [
        ("x*y - y^2", &[("y", 1), ("x - y", 1)]),
        ("x^2 - 2*x*y + y^2", &[("x - y", 2)]),
        (
            "3*(x^2 - y^2)*x^3/y",
            &[("x", 3), ("x + y", 1), ("x - y", 1)],
        ),
        ("cos(x)*y - sin(x)*y", &[("y", 1), ("cos(x) - sin(x)", 1)]),
        ("x^2 - 2*y^2", &[("x^2 - 2*y^2", 1)]),
        ("m*(x + y)", &[("m", 1), ("x + y", 1)]),
    ];
    for (product, expected) in cases {
        let mut graph = Graph::new();
        let mut field = Field::new();
        let mut take = |graph: &mut Graph, text: &str| {
            let read = read(graph, text);
            field.take(graph, read).unwrap()
        };
        let whole = take(&mut graph, product);
        let expected = expected.iter();
        let expected: Vec<_> = expected
            .map(|&(factor, n)| (take(&mut graph, factor), n))
            .collect();
        let found = field.factors(&whole).unwrap();
        assert_eq!(found.len(), expected.len(), "{product}: {found:?}");
        for (factor, n) in expected {
            // But for its sign.
            let is_it = |it: &&(_, u16)| {
                let sum = field.add(&it.0, &factor).unwrap();
                let same = field.is_equal(&it.0, &factor) == Ok(true) || sum.is_zero();
                same && it.1 == n
            };
            assert!(found.iter().any(|it| is_it(&it)), "{product}: {found:?}");
        }
    }
}
