//! Notations for programs.

use super::{parameter, printed, read, table};
use dalembert_expr::print::{C_PRELUDE, Derivatives, Format, Options, PYTHON_PRELUDE, print};
use dalembert_expr::{Graph, Rational, SymbolKind};

#[test]
fn model() {
    insta::assert_snapshot!(table(Format::Model, Derivatives::Primes), @r"
    1/2*m*(x'^2 + y'^2)
    1/2*m*x'^2 + 1/2*J*theta'^2 - m*g*l*cos(theta)
    -m*g*r*cos(theta)
    -6.674e-11*m_A*m_B/sqrt(x^2 + y^2)
    ((m*r^2 + J)*sin(theta)^2 + J)*phi'' + (m*r^2 + 2*J)*sin(theta)*psi''
    -2*(m*r^2 + J)*sin(theta)*cos(theta)*phi'*theta' - 2*J*cos(theta)*theta'*psi'
    (m*r^2 + 2*J)*(sin(theta)*phi'' + psi'')
    1/2*m*g/l
    a*b/(c*d)
    (a + b)/(c - d)
    a/(b/(c + 1))
    a/b/c
    1/x^2
    1/2*(a + b)
    3/16*x
    1/97*x
    g*sin(theta)/l
    1/(1 + x/(1 + x/y))
    x^(1/3) + x^(3/2)*y^1.7
    2^(-x) + (-2)^x*3^x
    x^y^z
    (x^y)^z
    (x + y)^2*x^2
    sqrt(x)^3 + sqrt(x + y)/sqrt(2)
    (1/3)^x*1e9^y
    sin(theta)*(a + b) + sin(theta + phi)*cos(2*theta)
    cos(theta)^2/sin(theta)^3 + log(x)^2 + tanh(x/y)^12
    asin(x) + acos(x)*atan(y) + atan2(y, x)
    exp(-k*t)*sign(x') - abs(x - abs(y))*min(a, b)^2 + max(a, 0)
    sin(cos(tan(x)))
    theta1'^2*theta_12'' + omega_phi*m_rod + speed' + Omega*varphi*epsilon
    lambda(contact.0)*link.x + lambda*pi
    3/16 + 9.81*x - 7*y
    -7
    0.05 - 1/2*x
    2.1e11*x - 1e6 + 1.5e-7*y
    -x - y
    -(x + y)
    -(x + y)*z
    x - (y - (z - a)) - (b + c)
    a + 2*(b - c)*d
    sin(x)^2/y
    ");
}

#[test]
fn c() {
    insta::assert_snapshot!(table(Format::C, Derivatives::Primes), @r"
    0.5*(m*(x_dot*x_dot + y_dot*y_dot))
    0.5*(m*(x_dot*x_dot)) + 0.5*(J*(theta_dot*theta_dot)) - m*g*l*cos(theta)
    -m*g*r*cos(theta)
    -6.674e-11*m_A*m_B/sqrt(x*x + y*y)
    ((m*(r*r) + J)*pow(sin(theta), 2.0) + J)*phi_ddot + (m*(r*r) + 2.0*J)*sin(theta)*psi_ddot
    -2.0*((m*(r*r) + J)*sin(theta)*cos(theta)*phi_dot*theta_dot) - 2.0*(J*cos(theta)*theta_dot*psi_dot)
    (m*(r*r) + 2.0*J)*(sin(theta)*phi_ddot + psi_ddot)
    0.5*(m*g/l)
    a*b/(c*d)
    (a + b)/(c - d)
    a/(b/(c + 1.0))
    a/b/c
    1.0/(x*x)
    0.5*(a + b)
    0.1875*x
    0.010309278350515464*x
    g*sin(theta)/l
    1.0/(1.0 + x/(1.0 + x/y))
    pow(x, 0.3333333333333333) + pow(x, 1.5)*pow(y, 1.7)
    pow(2.0, -x) + pow(-2.0, x)*pow(3.0, x)
    pow(x, pow(y, z))
    pow(pow(x, y), z)
    pow(x + y, 2.0)*(x*x)
    pow(sqrt(x), 3.0) + sqrt(x + y)/sqrt(2.0)
    pow(0.3333333333333333, x)*pow(1000000000.0, y)
    sin(theta)*(a + b) + sin(theta + phi)*cos(2.0*theta)
    pow(cos(theta), 2.0)/pow(sin(theta), 3.0) + pow(log(x), 2.0) + pow(tanh(x/y), 12.0)
    asin(x) + acos(x)*atan(y) + atan2(y, x)
    exp(-k*t)*dalembert_sign(x_dot) - fabs(x - fabs(y))*pow(dalembert_min(a, b), 2.0) + dalembert_max(a, 0.0)
    sin(cos(tan(x)))
    theta1_dot*theta1_dot*theta_12_ddot + omega_phi*m_rod + speed_dot + Omega*varphi*epsilon
    lambda_contact_0*link_x + lambda*3.141592653589793
    0.1875 + 9.81*x - 7.0*y
    -7.0
    0.05 - 0.5*x
    210000000000.0*x - 1000000.0 + 1.5e-7*y
    -x - y
    -(x + y)
    -(x + y)*z
    x - (y - (z - a)) - (b + c)
    a + 2.0*((b - c)*d)
    pow(sin(x), 2.0)/y
    ");
}

#[test]
fn python() {
    insta::assert_snapshot!(table(Format::Python, Derivatives::Primes), @r"
    0.5*(m*(x_dot**2 + y_dot**2))
    0.5*(m*x_dot**2) + 0.5*(J*theta_dot**2) - m*g*l*math.cos(theta)
    -m*g*r*math.cos(theta)
    -6.674e-11*m_A*m_B/math.sqrt(x**2 + y**2)
    ((m*r**2 + J)*math.sin(theta)**2 + J)*phi_ddot + (m*r**2 + 2.0*J)*math.sin(theta)*psi_ddot
    -2.0*((m*r**2 + J)*math.sin(theta)*math.cos(theta)*phi_dot*theta_dot) - 2.0*(J*math.cos(theta)*theta_dot*psi_dot)
    (m*r**2 + 2.0*J)*(math.sin(theta)*phi_ddot + psi_ddot)
    0.5*(m*g/l)
    a*b/(c*d)
    (a + b)/(c - d)
    a/(b/(c + 1.0))
    a/b/c
    1.0/x**2
    0.5*(a + b)
    0.1875*x
    0.010309278350515464*x
    g*math.sin(theta)/l
    1.0/(1.0 + x/(1.0 + x/y))
    x**0.3333333333333333 + x**1.5*y**1.7
    2.0**(-x) + (-2.0)**x*3.0**x
    x**y**z
    (x**y)**z
    (x + y)**2*x**2
    math.sqrt(x)**3 + math.sqrt(x + y)/math.sqrt(2.0)
    0.3333333333333333**x*1000000000.0**y
    math.sin(theta)*(a + b) + math.sin(theta + phi)*math.cos(2.0*theta)
    math.cos(theta)**2/math.sin(theta)**3 + math.log(x)**2 + math.tanh(x/y)**12
    math.asin(x) + math.acos(x)*math.atan(y) + math.atan2(y, x)
    math.exp(-k*t)*dalembert_sign(x_dot) - abs(x - abs(y))*dalembert_min(a, b)**2 + dalembert_max(a, 0.0)
    math.sin(math.cos(math.tan(x)))
    theta1_dot**2*theta_12_ddot + omega_phi*m_rod + speed_dot + Omega*varphi*epsilon
    lambda_contact_0*link_x + lambda_*math.pi
    0.1875 + 9.81*x - 7.0*y
    -7.0
    0.05 - 0.5*x
    210000000000.0*x - 1000000.0 + 1.5e-7*y
    -x - y
    -(x + y)
    -(x + y)*z
    x - (y - (z - a)) - (b + c)
    a + 2.0*((b - c)*d)
    math.sin(x)**2/y
    ");
}

#[test]
fn sympy() {
    insta::assert_snapshot!(table(Format::Sympy, Derivatives::Primes), @r"
    Rational(1, 2)*m*(Derivative(x(t), t)**2 + Derivative(y(t), t)**2)
    Rational(1, 2)*m*Derivative(x(t), t)**2 + Rational(1, 2)*J*Derivative(theta(t), t)**2 - m*g*l*cos(theta(t))
    -m*g*r*cos(theta(t))
    Rational(-3337, 50000000000000)*m_A*m_B/sqrt(x(t)**2 + y(t)**2)
    ((m*r**2 + J)*sin(theta(t))**2 + J)*Derivative(phi(t), (t, 2)) + (m*r**2 + 2*J)*sin(theta(t))*Derivative(psi(t), (t, 2))
    -2*(m*r**2 + J)*sin(theta(t))*cos(theta(t))*Derivative(phi(t), t)*Derivative(theta(t), t) - 2*J*cos(theta(t))*Derivative(theta(t), t)*Derivative(psi(t), t)
    (m*r**2 + 2*J)*(sin(theta(t))*Derivative(phi(t), (t, 2)) + Derivative(psi(t), (t, 2)))
    Rational(1, 2)*m*g/l
    a*b/(c*d)
    (a + b)/(c - d)
    a/(b/(c + 1))
    a/b/c
    1/x(t)**2
    Rational(1, 2)*(a + b)
    Rational(3, 16)*x(t)
    Rational(1, 97)*x(t)
    g*sin(theta(t))/l
    1/(1 + x(t)/(1 + x(t)/y(t)))
    x(t)**Rational(1, 3) + x(t)**Rational(3, 2)*y(t)**Rational(17, 10)
    2**(-x(t)) + (-2)**x(t)*3**x(t)
    x(t)**y(t)**z(t)
    (x(t)**y(t))**z(t)
    (x(t) + y(t))**2*x(t)**2
    sqrt(x(t))**3 + sqrt(x(t) + y(t))/sqrt(2)
    Rational(1, 3)**x(t)*1000000000**y(t)
    sin(theta(t))*(a + b) + sin(theta(t) + phi(t))*cos(2*theta(t))
    cos(theta(t))**2/sin(theta(t))**3 + log(x(t))**2 + tanh(x(t)/y(t))**12
    asin(x(t)) + acos(x(t))*atan(y(t)) + atan2(y(t), x(t))
    exp(-k*t)*sign(Derivative(x(t), t)) - Abs(x(t) - Abs(y(t)))*Min(a, b)**2 + Max(a, 0)
    sin(cos(tan(x(t))))
    Derivative(theta1(t), t)**2*Derivative(theta_12(t), (t, 2)) + omega_phi*m_rod + Derivative(speed(t), t) + Omega(t)*varphi(t)*epsilon(t)
    lambda_contact_0*link_x + lambda_(t)*pi
    Rational(3, 16) + Rational(981, 100)*x(t) - 7*y(t)
    -7
    Rational(1, 20) - Rational(1, 2)*x(t)
    210000000000*x(t) - 1000000 + Rational(3, 20000000)*y(t)
    -x(t) - y(t)
    -(x(t) + y(t))
    -(x(t) + y(t))*z(t)
    x(t) - (y(t) - (z(t) - a)) - (b + c)
    a + 2*(b - c)*d
    sin(x(t))**2/y(t)
    ");
}

/// Every name that could be mistaken for another, for a keyword or for no name at all.
#[test]
fn identifiers_are_valid_and_distinct() {
    let names = [
        "x.dot", "x_dot", "x(dot)", "double", "lambda", "if", "exp", "sin", "math", "Rational",
        "θ", "theta", "2x", "_", "s1", "t", "a<b", "a>b", "pi",
    ];
    let mut graph = Graph::new();
    let mut sum = graph.derivative_symbol("x", SymbolKind::Coordinate, 1);
    for order in [0, 2, 3, 4, 9] {
        let rate = graph.derivative_symbol("x", SymbolKind::Coordinate, order);
        sum = graph.add(sum, rate);
    }
    for name in names {
        let symbol = parameter(&mut graph, name);
        sum = graph.add(sum, symbol);
    }
    let identifiers = |format| {
        let printed = print(&graph, &[sum], &Options::new(format));
        let mut texts: Vec<String> = printed.symbols.into_iter().map(|(_, text)| text).collect();
        let list = texts.join(" ");
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), names.len() + 6);
        list
    };
    insta::assert_snapshot!(identifiers(Format::C), @"x_dot x x_ddot x_dddot x_d4 x_d9 x_dot_2 x_dot_3 x_dot_4 double_ lambda if_ exp_ sin_ math Rational theta theta_2 v2x v_ s1 t a_b a_b_2 pi");
    insta::assert_snapshot!(identifiers(Format::Python), @"x_dot x x_ddot x_dddot x_d4 x_d9 x_dot_2 x_dot_3 x_dot_4 double lambda_ if_ exp sin math_ Rational theta theta_2 v2x v_ s1 t a_b a_b_2 pi");
    insta::assert_snapshot!(identifiers(Format::Sympy), @"Derivative(x(t), t) x(t) Derivative(x(t), (t, 2)) Derivative(x(t), (t, 3)) Derivative(x(t), (t, 4)) Derivative(x(t), (t, 9)) x_dot x_dot_2 x_dot_3 double lambda_ if_ exp_ sin_ math Rational_ theta theta_2 v2x v_ s1 t_2 a_b a_b_2 pi_");
}

#[test]
fn time_is_the_argument_of_coordinates() {
    let mut graph = Graph::new();
    let t = graph.symbol("lambda", SymbolKind::Time);
    let w = graph.derivative_symbol("w", SymbolKind::Speed, 1);
    let id = graph.mul(t, w);
    let text = printed(&graph, id, Format::Sympy);
    insta::assert_snapshot!(text, @"lambda_*Derivative(w(lambda_), lambda_)");
}

/// A literal factor in front would change the rounding.
#[test]
fn doubles_are_multiplied_in_the_order_of_the_graph() {
    let mut graph = Graph::new();
    let id = read(&mut graph, "-a*(3*b*(c*d))");
    assert_eq!(printed(&graph, id, Format::C), "-3.0*(a*(b*(c*d)))");
    assert_eq!(printed(&graph, id, Format::Model), "-3*a*(b*(c*d))");
}

#[test]
fn doubles_are_the_nearest() {
    let mut graph = Graph::new();
    for (text, double) in [
        ("0.1", "0.1"),
        ("1e22", "1e22"),
        ("123456789012345678", "1.2345678901234568e17"),
    ] {
        let id = read(&mut graph, text);
        assert_eq!(printed(&graph, id, Format::C), double);
        assert_eq!(printed(&graph, id, Format::Python), double);
    }
    let huge = Rational::integer(10)
        .checked_pow(400)
        .expect("not too long");
    let id = graph.number(huge.negated());
    assert_eq!(printed(&graph, id, Format::C), "-1e100*1e300");
    assert_eq!(printed(&graph, id, Format::Python), "-1e100*1e300");
    assert_eq!(printed(&graph, id, Format::Model), "-10^400");
    let tiny = Rational::integer(10)
        .checked_pow(-400)
        .expect("not too long");
    let (tiny, x) = (graph.number(tiny), parameter(&mut graph, "x"));
    let id = graph.pow(x, tiny);
    assert_eq!(printed(&graph, id, Format::C), "pow(x, 1e-100*1e-300)");
    assert_eq!(printed(&graph, id, Format::Python), "x**(1e-100*1e-300)");
    assert_eq!(printed(&graph, id, Format::Model), "x^(1/10^400)");
}

/// 1/0 in Python is an error; SymPy knows the answer.
#[test]
fn a_literal_divisor_is_a_sympy_number() {
    let mut graph = Graph::new();
    let id = read(&mut graph, "1/0");
    assert_eq!(printed(&graph, id, Format::Sympy), "1/Integer(0)");
}

#[test]
fn preludes_define_what_expressions_call() {
    for name in ["dalembert_sign(", "dalembert_min(", "dalembert_max("] {
        assert!(C_PRELUDE.contains(name) && PYTHON_PRELUDE.contains(name));
    }
}

/// What `from sympy import *` brings is not redefined.
#[test]
fn names_of_sympy_are_left_alone() {
    let names = "I E S N O Q oo zoo nan gamma beta zeta Symbol Rational m J";
    let mut graph = Graph::new();
    let ids: Vec<_> = names
        .split(' ')
        .map(|name| parameter(&mut graph, name))
        .collect();
    let printed = |format| {
        print(&graph, &ids, &Options::new(format))
            .expressions
            .join(" ")
    };
    insta::assert_snapshot!(printed(Format::Sympy), @"I_ E_ S_ N_ O_ Q_ oo_ zoo_ nan_ gamma_ beta_ zeta_ Symbol_ Rational_ m J");
    assert_eq!(printed(Format::Python), names);
}
