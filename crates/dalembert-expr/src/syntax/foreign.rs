//! What other languages and papers write, and how it is written here.

use super::function::Function;
use super::suggest::ascii_spelling;

/// Longest text repeated in a cure, in bytes.
pub(super) const MAX_REPEATED: usize = 60;

/// Modules of other languages that functions are taken from.
const MODULES: [&str; 8] = ["math", "np", "numpy", "sp", "sympy", "cmath", "Math", "jnp"];

/// The arguments as a cure repeats them: long ones are called x and y.
fn repeated<'a>(arguments: &[&'a str], at: usize) -> &'a str {
    let fallback = if at == 0 { "x" } else { "y" };
    let text = arguments.get(at).map_or(fallback, |text| text.trim());
    if text.is_empty() || text.len() > MAX_REPEATED {
        fallback
    } else {
        text
    }
}

/// Whether a text is one name.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// An operand of a power or a product: in parentheses unless it is one word.
fn grouped(text: &str) -> String {
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'\'');
    if text.bytes().all(word) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// How a call of a function that exists elsewhere is written here; the arguments are texts.
///
/// ```
/// use dalembert_expr::syntax::function_cure;
/// assert_eq!(function_cure("square", &["x + 1"]).as_deref(), Some("write (x + 1)^2"));
/// assert_eq!(function_cure("sin", &["x"]), None);
/// ```
#[must_use]
pub fn function_cure(name: &str, arguments: &[&str]) -> Option<String> {
    let (a, b) = (repeated(arguments, 0), repeated(arguments, 1));
    let (group_a, group_b) = (grouped(a), grouped(b));
    let cure = match name {
        "ln" => return Some(format!("log is the natural logarithm: write log({a})")),
        "log10" | "lg" => format!("log({a})/log(10)"),
        "log2" | "ld" => format!("log({a})/log(2)"),
        "pow" | "power" => format!("{group_a}^{group_b}"),
        // Pascal's square, or a root without its last letter.
        "sqr" => format!("{group_a}^2 for the square, sqrt({a}) for the root"),
        "square" => format!("{group_a}^2"),
        "cbrt" => format!("{group_a}^(1/3)"),
        "sec" => format!("1/cos({a})"),
        "csc" | "cosec" => format!("1/sin({a})"),
        "cot" | "cotan" | "ctg" => format!("1/tan({a})"),
        "tg" => format!("tan({a})"),
        "arcsin" => format!("asin({a})"),
        "arccos" => format!("acos({a})"),
        "arctan" | "arctg" => format!("atan({a})"),
        "arctan2" => format!("atan2({a}, {b})"),
        "sh" => format!("sinh({a})"),
        "ch" => format!("cosh({a})"),
        "th" => format!("tanh({a})"),
        "asinh" | "arcsinh" | "arsinh" => format!("log({a} + sqrt({group_a}^2 + 1))"),
        "acosh" | "arccosh" | "arcosh" => format!("log({a} + sqrt({group_a}^2 - 1))"),
        "atanh" | "arctanh" | "artanh" => format!("log((1 + {group_a})/(1 - {group_a}))/2"),
        "hypot" => format!("sqrt({group_a}^2 + {group_b}^2)"),
        "heaviside" | "Heaviside" => format!("step({a})"),
        "Piecewise" | "piecewise" | "where" | "select" | "ifelse" | "ite" => {
            return Some(choice_cure(arguments));
        }
        "interp" | "interp1" | "interp1d" | "lookup" | "CubicSpline" => {
            return Some("write table(\"file.csv\", x) for values from a file".to_owned());
        }
        "clip" | "clamp" => format!("min(max({a}, {b}), {})", repeated_or(arguments, 2, "upper")),
        "sgn" | "signum" => format!("sign({a})"),
        "fabs" => format!("abs({a})"),
        "radians" | "deg2rad" => format!("{group_a}*pi/180"),
        "degrees" | "rad2deg" => format!("{group_a}*180/pi"),
        "diff" | "Derivative" | "derivative" | "der" | "ddt" => {
            return Some(derivative_cure(arguments));
        }
        "transpose" | "inv" | "Matrix" | "rot" => {
            return Some(
                "an attitude is written as rotations one after the other, Rz(a) Rx(b), as quat(q0, q1, q2, q3), or as the rows of a matrix"
                    .to_owned(),
            );
        }
        "dot" | "ddot" if arguments.len() == 1 && is_name(a) => prime(a, name),
        _ => return None,
    };
    Some(format!("write {cure}"))
}

fn repeated_or<'a>(arguments: &[&'a str], at: usize, fallback: &'a str) -> &'a str {
    match arguments.get(at) {
        Some(text) if text.trim().len() <= MAX_REPEATED => text.trim(),
        _ => fallback,
    }
}

/// How a choice between two values is written.
fn choice_cure(arguments: &[&str]) -> String {
    match arguments {
        [condition, a, b] if condition.len() + a.len() + b.len() <= MAX_REPEATED => {
            format!("write if({condition}, {a}, {b})")
        }
        _ => "write if(condition, a, b), and for more pieces if(x < 1, a, if(x < 2, b, c))"
            .to_owned(),
    }
}

fn prime(name: &str, mark: &str) -> String {
    let primes = if mark == "ddot" { "''" } else { "'" };
    format!("{name}{primes}")
}

fn derivative_cure(arguments: &[&str]) -> String {
    match arguments {
        [name, time] if is_name(name) && *time == "t" => format!("write {name}'"),
        _ => "a prime is the time derivative: write x', or x'' for the second, vel(P) and acc(P) of points; `dalembert calc` differentiates by --diff".to_owned(),
    }
}

/// How texts that stand side by side are written, with a sign between them or otherwise.
#[must_use]
pub fn product_cure(texts: &[&str]) -> String {
    let cure = match texts {
        [name, mark @ ("dot" | "ddot")] if is_name(name) => prime(name, mark),
        [function, argument] if Function::named(function).is_some() => {
            format!("{function}({argument})")
        }
        texts => texts.join("*"),
    };
    match cure.len() <= MAX_REPEATED {
        true => format!("there is no implicit multiplication: write {cure}"),
        false => "there is no implicit multiplication: write * between them".to_owned(),
    }
}

/// How `of.member(arguments)` is written here.
pub(super) fn method_cure(of: &str, member: &str, arguments: &[&str]) -> String {
    if is_name(of) && matches!(member, "diff" | "dt" | "derivative" | "dot" | "ddot") {
        return format!("write {}", prime(of, member));
    }
    let mut all = arguments.to_vec();
    if !MODULES.contains(&of) {
        all.insert(0, of);
    }
    if Function::named(member).is_some() {
        let list: Vec<&str> = (0..all.len().max(1)).map(|at| repeated(&all, at)).collect();
        return format!("write {member}({})", list.join(", "));
    }
    function_cure(member, &all)
        .unwrap_or_else(|| "call functions by their name alone, such as sin(x)".to_owned())
}

/// How a name with a dot in it is written where names have no members, as in `math.pi` and `x.dot`.
///
/// ```
/// use dalembert_expr::syntax::undotted;
/// assert_eq!(undotted("math.pi"), "pi");
/// assert_eq!(undotted("x.dot"), "x'");
/// assert_eq!(undotted("link.x"), "link_x");
/// ```
#[must_use]
pub fn undotted(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((_, "pi")) => "pi".to_owned(),
        Some((of, "e")) if MODULES.contains(&of) => "exp(1)".to_owned(),
        Some((of, mark @ ("dot" | "ddot"))) => prime(&of.replace('.', "_"), mark),
        Some((_, function)) if Function::named(function).is_some() => format!("{function}(x)"),
        _ => name.replace('.', "_"),
    }
}

/// What a LaTeX command means.
pub(super) enum Command {
    /// So many groups in braces follow and belong to it.
    Groups(usize),
    /// An operator or relation, as it is written here.
    Operator(&'static str),
    /// Only makes things look good.
    Layout,
    /// A name or function, written without its backslash.
    Name,
}

pub(super) fn command(name: &str) -> Command {
    match name {
        "frac" | "dfrac" | "tfrac" => Command::Groups(2),
        "dot" | "ddot" | "sqrt" | "mathrm" | "mathbf" | "text" | "operatorname" | "vec" => {
            Command::Groups(1)
        }
        "cdot" | "times" | "ast" => Command::Operator("*"),
        "div" => Command::Operator("/"),
        "le" | "leq" => Command::Operator("<="),
        "ge" | "geq" => Command::Operator(">="),
        "left" | "right" | "quad" | "big" | "Big" => Command::Layout,
        _ => Command::Name,
    }
}

/// How a command with its groups is written here. Groups that are long or LaTeX themselves are
/// called x and y.
pub(super) fn command_cure(name: &str, groups: &[&str]) -> String {
    let plain: Vec<&str> = groups
        .iter()
        .map(|group| if group.contains('\\') { "" } else { *group })
        .collect();
    let (a, b) = (repeated(&plain, 0), repeated(&plain, 1));
    match name {
        "frac" | "dfrac" | "tfrac" => format!("({a})/({b})"),
        "dot" | "ddot" => prime(a, name),
        "sqrt" => format!("sqrt({a})"),
        _ => a.to_owned(),
    }
}

/// A name spelled in ASCII; `None` if one of its letters has no spelling. Lowered digits become an
/// index: θ₁ is `theta_1`.
pub(super) fn spelled(name: &str) -> Option<String> {
    let mut spelled = String::new();
    let mut in_index = false;
    for c in name.chars() {
        if c.is_ascii() {
            spelled.push(c);
            in_index = false;
            continue;
        }
        let spelling = ascii_spelling(c)?;
        let lowered = is_lowered_digit(c);
        if lowered && !in_index && !spelled.is_empty() && !spelled.ends_with('_') {
            spelled.push('_');
        }
        in_index = lowered;
        spelled.push_str(spelling);
    }
    Some(spelled)
}

pub(super) fn is_lowered_digit(c: char) -> bool {
    ('₀'..='₉').contains(&c)
}
