//! Notations for people, over the table.

use super::{parameter, printed, read, table};
use dalembert_expr::print::{Derivatives, Format, Options, mathml_element, print, print_one};
use dalembert_expr::{Graph, SymbolKind};

#[test]
fn text() {
    insta::assert_snapshot!(table(Format::Text, Derivatives::Primes), @r"
    ½ m (x'² + y'²)
    ½ m x'² + ½ J θ'² - m g l cos θ
    -m g r cos θ
    -6.674·10⁻¹¹ m_A m_B/√(x² + y²)
    ((m r² + J) sin²θ + J) φ'' + (m r² + 2 J) ψ'' sin θ
    -2 (m r² + J) φ' θ' sin θ cos θ - 2 J θ' ψ' cos θ
    (m r² + 2 J) (φ'' sin θ + ψ'')
    m g/(2 l)
    a b/(c d)
    (a + b)/(c - d)
    a (c + 1)/b
    a/(b c)
    1/x²
    ½ (a + b)
    3 x/16
    x/97
    g sin(θ)/l
    1/(1 + x/(1 + x/y))
    x^(1/3) + x^(3/2) y^1.7
    2^(-x) + (-2)^x·3^x
    x^(y^z)
    (x^y)^z
    (x + y)² x²
    x^(3/2) + √(x + y)/√2
    (⅓)^x (10⁹)^y
    (a + b) sin θ + sin(θ + φ) cos(2 θ)
    cos²(θ)/sin³θ + (ln x)² + tanh¹²(x/y)
    arcsin x + arccos x arctan y + atan2(y, x)
    exp(-k t) sgn(x') - |x - abs(y)| min(a, b)² + max(a, 0)
    sin(cos(tan x))
    θ₁'² θ₁₂'' + ω_φ m_rod + speed' + Ω ϕ ε
    λ(contact.0) link.x + π λ
    0.1875 + 9.81 x - 7 y
    -7
    0.05 - ½ x
    2.1·10¹¹ x - 10⁶ + 1.5·10⁻⁷ y
    -x - y
    -x - y
    -(x + y) z
    x - y + z - a - b - c
    a + 2 (b - c) d
    sin²(x)/y
    ");
}

#[test]
fn text_with_dots() {
    let dotted = table(Format::Text, Derivatives::Dots);
    let is_dotted = |line: &&str| line.contains(['\u{307}', '\u{308}']);
    let lines: Vec<&str> = dotted.lines().filter(is_dotted).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    ½ m (ẋ² + ẏ²)
    ½ m ẋ² + ½ J θ̇² - m g l cos θ
    ((m r² + J) sin²θ + J) φ̈ + (m r² + 2 J) ψ̈ sin θ
    -2 (m r² + J) φ̇ θ̇ sin θ cos θ - 2 J θ̇ ψ̇ cos θ
    (m r² + 2 J) (φ̈ sin θ + ψ̈)
    exp(-k t) sgn(ẋ) - |x - abs(y)| min(a, b)² + max(a, 0)
    θ̇₁² θ̈₁₂ + ω_φ m_rod + speed' + Ω ϕ ε
    ");
}

#[test]
fn latex() {
    insta::assert_snapshot!(table(Format::Latex, Derivatives::Dots), @r"
    \tfrac{1}{2} m (\dot x^2 + \dot y^2)
    \tfrac{1}{2} m \dot x^2 + \tfrac{1}{2} J \dot\theta^2 - m g l \cos\theta
    -m g r \cos\theta
    -\frac{6.674 \cdot 10^{-11} m_A m_B}{\sqrt{x^2 + y^2}}
    ((m r^2 + J) \sin^2\theta + J) \ddot\varphi + (m r^2 + 2 J) \ddot\psi \sin\theta
    -2 (m r^2 + J) \dot\varphi \dot\theta \sin\theta \cos\theta - 2 J \dot\theta \dot\psi \cos\theta
    (m r^2 + 2 J) (\ddot\varphi \sin\theta + \ddot\psi)
    \frac{m g}{2 l}
    \frac{a b}{c d}
    \frac{a + b}{c - d}
    \frac{a (c + 1)}{b}
    \frac{a}{b c}
    \frac{1}{x^2}
    \tfrac{1}{2} (a + b)
    \tfrac{3}{16} x
    \tfrac{1}{97} x
    \frac{g \sin\theta}{l}
    \frac{1}{1 + \frac{x}{1 + \frac{x}{y}}}
    x^{1/3} + x^{3/2} y^{1.7}
    2^{-x} + (-2)^x \cdot 3^x
    x^{y^z}
    (x^y)^z
    (x + y)^2 x^2
    x^{3/2} + \frac{\sqrt{x + y}}{\sqrt{2}}
    (\tfrac{1}{3})^x (10^9)^y
    (a + b) \sin\theta + \sin(\theta + \varphi) \cos(2 \theta)
    \frac{\cos^2\theta}{\sin^3\theta} + (\ln x)^2 + \tanh^{12}\left(\frac{x}{y}\right)
    \arcsin x + \arccos x \arctan y + \operatorname{atan2}(y, x)
    \exp(-k t) \operatorname{sgn}(\dot x) - \left|x - \left|y\right|\right| \min(a, b)^2 + \max(a, 0)
    \sin(\cos(\tan x))
    \dot\theta_1^2 \ddot\theta_{12} + \omega_\varphi m_{\mathrm{rod}} + \dot{\mathrm{speed}} + \Omega \phi \varepsilon
    \lambda_{\mathrm{contact.0}} \, \mathrm{link.x} + \pi \lambda
    \tfrac{3}{16} + 9.81 x - 7 y
    -7
    0.05 - \tfrac{1}{2} x
    2.1 \cdot 10^{11} x - 10^6 + 1.5 \cdot 10^{-7} y
    -x - y
    -x - y
    -(x + y) z
    x - y + z - a - b - c
    a + 2 (b - c) d
    \frac{\sin^2 x}{y}
    ");
}

#[test]
fn typst() {
    insta::assert_snapshot!(table(Format::Typst, Derivatives::Dots), @r#"
    1/2 m (dot(x)^2 + dot(y)^2)
    1/2 m dot(x)^2 + 1/2 J dot(theta)^2 - m g l cos theta
    -m g r cos theta
    -frac(6.674 dot.op 10^(-11) m_A m_B, sqrt(x^2 + y^2))
    ((m r^2 + J) sin^2 theta + J) dot.double(phi) + (m r^2 + 2 J) dot.double(psi) sin theta
    -2 (m r^2 + J) dot(phi) dot(theta) sin theta cos theta - 2 J dot(theta) dot(psi) cos theta
    (m r^2 + 2 J) (dot.double(phi) sin theta + dot.double(psi))
    frac(m g, 2 l)
    frac(a b, c d)
    frac(a + b, c - d)
    frac(a (c + 1), b)
    frac(a, b c)
    frac(1, x^2)
    1/2 (a + b)
    3/16 x
    1/97 x
    frac(g sin theta, l)
    frac(1, 1 + frac(x, 1 + frac(x, y)))
    x^(1\/3) + x^(3\/2) y^1.7
    2^(-x) + (-2)^x dot.op 3^x
    x^(y^z)
    (x^y)^z
    (x + y)^2 x^2
    x^(3\/2) + frac(sqrt(x + y), sqrt(2))
    (1/3)^x (10^9)^y
    (a + b) sin theta + sin(theta + phi) cos(2 theta)
    frac(cos^2 theta, sin^3 theta) + (ln x)^2 + tanh^12 (frac(x, y))
    arcsin x + arccos x arctan y + op("atan2")(y, x)
    exp(-k t) op("sgn")(dot(x)) - abs(x - abs(y)) min(a, b)^2 + max(a, 0)
    sin(cos(tan x))
    dot(theta)_1^2 dot.double(theta)_12 + omega_phi m_"rod" + dot("speed") + Omega phi.alt epsilon
    lambda_"contact.0" "link.x" + pi lambda
    3/16 + 9.81 x - 7 y
    -7
    0.05 - 1/2 x
    2.1 dot.op 10^11 x - 10^6 + 1.5 dot.op 10^(-7) y
    -x - y
    -x - y
    -(x + y) z
    x - y + z - a - b - c
    a + 2 (b - c) d
    frac(sin^2 x, y)
    "#);
}

/// One expression for each element and for each way to group.
#[test]
fn mathml() {
    let mut graph = Graph::new();
    let texts = [
        "1/2*m*(x'^2 - theta_1''^2)",
        "-6.674e-11*m_A*m_B/sqrt(x + y)",
        "sin(theta)^2*phi'*cos(theta + phi)",
        "abs(x)^(1/2) + min(a, b)^2",
        "(x + y)^2*2^x/3^y",
        "lambda(contact.0)*pi + exp(-k*t)",
    ];
    let lines = texts.map(|text| {
        let id = read(&mut graph, text);
        printed(&graph, id, Format::MathMl)
    });
    insta::assert_snapshot!(lines.join("\n"), @r#"
    <mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>&#x2062;</mo><mi>m</mi><mo>&#x2062;</mo><mrow><mo>(</mo><msup><mover accent="true"><mi>x</mi><mo>˙</mo></mover><mn>2</mn></msup><mo>−</mo><msubsup><mover accent="true"><mi>θ</mi><mo>¨</mo></mover><mn>1</mn><mn>2</mn></msubsup><mo>)</mo></mrow></mrow>
    <mrow><mo form="prefix">−</mo><mfrac><mrow><mn>6.674</mn><mo>·</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>11</mn></mrow></msup><mo>&#x2062;</mo><msub><mi>m</mi><mi>A</mi></msub><mo>&#x2062;</mo><msub><mi>m</mi><mi>B</mi></msub></mrow><mrow><msqrt><mi>x</mi><mo>+</mo><mi>y</mi></msqrt></mrow></mfrac></mrow>
    <mrow><mover accent="true"><mi>φ</mi><mo>˙</mo></mover><mo rspace="0.167em">&#x2062;</mo><msup><mi>sin</mi><mn>2</mn></msup><mo rspace="0.167em">&#x2061;</mo><mi>θ</mi><mo rspace="0.167em">&#x2062;</mo><mi>cos</mi><mo>&#x2061;</mo><mrow><mo>(</mo><mi>θ</mi><mo>+</mo><mi>φ</mi><mo>)</mo></mrow></mrow>
    <mrow><msqrt><mrow><mo>|</mo><mrow><mi>x</mi></mrow><mo>|</mo></mrow></msqrt><mo>+</mo><msup><mrow><mi>min</mi><mo>&#x2061;</mo><mrow><mo>(</mo><mi>a</mi><mo>,</mo><mi>b</mi><mo>)</mo></mrow></mrow><mn>2</mn></msup></mrow>
    <mrow><mfrac><mrow><msup><mrow><mo>(</mo><mi>x</mi><mo>+</mo><mi>y</mi><mo>)</mo></mrow><mn>2</mn></msup><mo>·</mo><msup><mn>2</mn><mi>x</mi></msup></mrow><mrow><msup><mn>3</mn><mi>y</mi></msup></mrow></mfrac></mrow>
    <mrow><mi>π</mi><mo>&#x2062;</mo><msub><mi>λ</mi><mi>contact.0</mi></msub><mo>+</mo><mi>exp</mi><mo>&#x2061;</mo><mrow><mo>(</mo><mo form="prefix">−</mo><mi>k</mi><mo>&#x2062;</mo><mi>t</mi><mo>)</mo></mrow></mrow>
    "#);
    let id = read(&mut graph, "theta_1''");
    let options = Options {
        derivatives: Derivatives::Primes,
        ..Options::new(Format::MathMl)
    };
    let primed = print(&graph, &[id], &options).expressions.concat();
    insta::assert_snapshot!(primed, @"<mrow><msup><msub><mi>θ</mi><mn>1</mn></msub><mo>′′</mo></msup></mrow>");
}

#[test]
fn a_prime_belongs_to_the_exponent() {
    let mut graph = Graph::new();
    let id = read(&mut graph, "x^y'*z'^x");
    assert_eq!(printed(&graph, id, Format::Text), "x^(y') z'^x");
}

#[test]
fn formats_are_known_by_name() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    let unknown = "tex".parse::<Format>().expect_err("no such format");
    insta::assert_snapshot!(unknown, @"unknown format 'tex'; known are model, text, latex, typst, mathml, c, python, sympy");
}

#[test]
fn higher_derivatives() {
    let mut graph = Graph::new();
    let all = |graph: &mut Graph, format, derivatives| {
        let options = Options {
            derivatives,
            ..Options::new(format)
        };
        let text = |order| {
            let rate = graph.derivative_symbol("x_1", SymbolKind::Coordinate, order);
            print(graph, &[rate], &options).expressions.concat()
        };
        (0..6).map(text).collect::<Vec<_>>().join(" ")
    };
    let mut both = |format| {
        let primes = all(&mut graph, format, Derivatives::Primes);
        primes + "\n" + &all(&mut graph, format, Derivatives::Dots)
    };
    insta::assert_snapshot!(both(Format::Text), @r"
    x₁ x₁' x₁'' x₁''' x₁'''' x₁'''''
    x₁ ẋ₁ ẍ₁ x⃛₁ x⃜₁ x₁'''''
    ");
    insta::assert_snapshot!(both(Format::Latex), @r"
    x_1 x_1' x_1'' x_1''' x_1'''' x_1^{(5)}
    x_1 \dot x_1 \ddot x_1 \dddot x_1 \ddddot x_1 x_1^{(5)}
    ");
    insta::assert_snapshot!(both(Format::Typst), @r"
    x_1 x'_1 x''_1 x'''_1 x''''_1 x'''''_1
    x_1 dot(x)_1 dot.double(x)_1 dot.triple(x)_1 dot.quad(x)_1 x'''''_1
    ");
}

/// Two symbols never look the same, and no name breaks the notation.
#[test]
fn odd_names() {
    let mut graph = Graph::new();
    let names = [
        "theta1", "theta_1", "θ", "m_A1", "m__A", "_m", "x_", "x12y3", "a_b_c", "50%_{#&}", "a<b",
        "o", "omicron", "f(x)", "Alpha", "pi",
    ];
    let symbols: Vec<_> = names
        .iter()
        .map(|name| parameter(&mut graph, name))
        .collect();
    let all = |format| {
        print(&graph, &symbols, &Options::new(format))
            .expressions
            .join("  ")
    };
    insta::assert_snapshot!(all(Format::Text), @"θ₁  theta_1  θ  m_A1  m__A  _m  x_  x12y₃  a_b_c  50%_{#&}  a<b  o  ο  f(x)  Α  π");
    insta::assert_snapshot!(all(Format::Latex), @r"\theta_1  \mathrm{theta\_1}  \theta  m_{\mathrm{A1}}  \mathrm{m\_\_A}  \mathrm{\_m}  \mathrm{x\_}  \mathrm{x12y}_3  a_{b,c}  \mathrm{50\%\_\{\#\&\}}  \mathrm{a<b}  o  \mathrm{omicron}  f_x  \mathrm{A}  \pi");
    insta::assert_snapshot!(all(Format::Typst), @r#"theta_1  "theta_1"  theta  m_"A1"  "m__A"  "_m"  "x_"  "x12y"_3  a_(b,c)  "50%_{#&}"  "a<b"  o  omicron  f_x  Alpha  pi"#);
    assert!(all(Format::MathMl).contains("<mi>a&lt;b</mi>"));
}

#[test]
fn mathml_stands_alone() {
    let mut graph = Graph::new();
    let id = read(&mut graph, "x");
    insta::assert_snapshot!(print_one(&graph, id, Format::MathMl), @r#"<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><mi>x</mi></mrow></math>"#);
    let fragment = printed(&graph, id, Format::MathMl);
    insta::assert_snapshot!(mathml_element(&fragment, true), @r#"<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow><mi>x</mi></mrow></math>"#);
}

fn lines(format: Format, texts: &[&str]) -> String {
    let mut graph = Graph::new();
    let line = |text: &&str| {
        let id = read(&mut graph, text);
        printed(&graph, id, format)
    };
    texts.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Nothing but another function follows a bare argument.
#[test]
fn functions_come_last() {
    let texts = [
        "sin(x)*y",
        "sin(theta)*theta'",
        "m*r^2*sin(theta)*cos(theta)*phi'^2",
        "phi'*sin(theta)*theta'",
        "cos(theta)*(x + y)",
        "sqrt(1 - x^2/l^2)*l",
        "sin(theta)*log(x)^2*sqrt(2)*abs(y)",
        "atan2(y, x)*z/(sin(theta)*l)",
        "exp(-x)*2^x*y",
    ];
    insta::assert_snapshot!(lines(Format::Text, &texts), @r"
    y sin x
    θ' sin θ
    m r² φ'² sin θ cos θ
    φ' θ' sin θ
    (x + y) cos θ
    l √(1 - x²/l²)
    √2 |y| (ln x)² sin θ
    z atan2(y, x)/(l sin θ)
    2^x y exp(-x)
    ");
}

#[test]
fn equal_factors_are_collected() {
    let texts = [
        "x*y*x",
        "a/b*c*b",
        "sqrt(x + y)*a*sqrt(x + y)*b*sqrt(x + y)",
        "a/(sqrt(x^2 + y^2 + z^2)*(x^2 + y^2 + z^2))",
        "2*l*m*l*theta'",
        "exp(-k*x^2)*k*x*(2*k)",
        "A*sin(w*t)*(A*w)*cos(w*t)",
        "(2*y')^2",
        "(l*theta')^2*sin(theta)^2",
        "(9.81*x)^2*(x/2)^3",
        "(x*y)^12",
        "sqrt(x*y)*a*sqrt(x*y)/a",
        "x*(1/0)*y",
        "sqrt(2)*x*sqrt(2)",
        "x^y*z*x^y",
        "sin(x)*y*sin(x)",
    ];
    insta::assert_snapshot!(lines(Format::Text, &texts), @r"
    x² y
    a c
    (x + y)^(3/2) a b
    a/(x² + y² + z²)^(3/2)
    2 l² m θ'
    2 k² x exp(-k x²)
    A² w sin(w t) cos(w t)
    4 y'²
    l² θ'² sin²θ
    ⅛·9.81² x⁵
    (x y)¹²
    x y
    x y/0
    2 x
    (x^y)² z
    y sin²x
    ");
}

#[test]
fn fractions_of_literals() {
    let texts = [
        "3*x/2", "x/2", "x/6", "5*x/8", "pi/6", "3*pi/4", "2*pi*x/3", "3/5", "1/3", "3/2 - x",
        "1/7", "x^(3/5)", "(3/5)^x", "3/64*x/y",
    ];
    insta::assert_snapshot!(lines(Format::Text, &texts), @r"
    3 x/2
    ½ x
    x/6
    ⅝ x
    π/6
    3 π/4
    ⅔ π x
    0.6
    ⅓
    1.5 - x
    1/7
    x^(3/5)
    0.6^x
    3 x/(64 y)
    ");
    insta::assert_snapshot!(lines(Format::Latex, &texts), @r"
    \tfrac{3}{2} x
    \tfrac{1}{2} x
    \tfrac{1}{6} x
    \tfrac{5}{8} x
    \frac{\pi}{6}
    \frac{3 \pi}{4}
    \tfrac{2}{3} \pi x
    \tfrac{3}{5}
    \tfrac{1}{3}
    \tfrac{3}{2} - x
    \tfrac{1}{7}
    x^{3/5}
    (\tfrac{3}{5})^x
    \frac{3 x}{64 y}
    ");
}

#[test]
fn exponents_are_in_line() {
    let texts = ["x^(a/b)", "x^(y/2 + 1/2)", "2^(-x/(2*y))", "x^y^(a/b)"];
    insta::assert_snapshot!(lines(Format::Latex, &texts), @r"
    x^{a/b}
    x^{y/2 + 1/2}
    2^{-x/(2 y)}
    x^{y^{a/b}}
    ");
    insta::assert_snapshot!(lines(Format::Typst, &texts), @r"
    x^(a\/b)
    x^(y\/2 + 1\/2)
    2^(-x\/(2 y))
    x^(y^(a\/b))
    ");
}

#[test]
fn names_with_a_meaning() {
    let texts = [
        "I_xx*F_ext_1*hbar",
        "phi*varphi*epsilon*varepsilon",
        "mass*speed^2*a*F_1^2",
    ];
    for format in [Format::Text, Format::Latex, Format::Typst, Format::MathMl] {
        let name = format.name();
        let all = lines(format, &texts);
        match format {
            Format::Text => insta::assert_snapshot!(all, @r"
            I_xx F_ext_1 ℏ
            φ ϕ ε ϵ
            mass speed² a F₁²
            "),
            Format::Latex => insta::assert_snapshot!(all, @r"
            I_{xx} F_{\mathrm{ext},1} \hbar
            \varphi \phi \varepsilon \epsilon
            \mathrm{mass} \, \mathrm{speed}^2 a F_1^2
            "),
            Format::Typst => insta::assert_snapshot!(all, @r#"
            I_(x x) F_("ext",1) ℏ
            phi phi.alt epsilon epsilon.alt
            "mass" "speed"^2 a F_1^2
            "#),
            _ => insta::assert_snapshot!(name.to_owned() + "\n" + &all, @r#"
            mathml
            <mrow><msub><mi>I</mi><mrow><mi>x</mi><mi>x</mi></mrow></msub><mo>&#x2062;</mo><msub><mi>F</mi><mrow><mi>ext</mi><mo>,</mo><mn>1</mn></mrow></msub><mo>&#x2062;</mo><mi>ℏ</mi></mrow>
            <mrow><mi>φ</mi><mo>&#x2062;</mo><mi>ϕ</mi><mo>&#x2062;</mo><mi>ε</mi><mo>&#x2062;</mo><mi>ϵ</mi></mrow>
            <mrow><mi>mass</mi><mo>&#x2062;</mo><mspace width="0.167em"/><msup><mi>speed</mi><mn>2</mn></msup><mo>&#x2062;</mo><mspace width="0.167em"/><mi>a</mi><mo>&#x2062;</mo><msubsup><mi>F</mi><mn>1</mn><mn>2</mn></msubsup></mrow>
            "#),
        }
    }
    // Two exponents at one name are an error in LaTeX.
    let mut graph = Graph::new();
    let rate = graph.derivative_symbol("x", SymbolKind::Coordinate, 5);
    let square = graph.powi(rate, 2);
    assert_eq!(printed(&graph, square, Format::Latex), "{x^{(5)}}^2");
}
