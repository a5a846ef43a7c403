//! Systems whose answers are known: from textbooks (Neimark and Fufaev 1972; Bryant et al. 1991; Murray, Li, Sastry 1994; Bloch 2003), or by
//! a line of arithmetic.

use super::{Rows, integrals, letters};

/// Name, coordinates, rows of positions, rows of velocities; verdicts; dimension that is reached; integrals that are found.
pub(super) type Known = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    usize,
    &'static [&'static str],
);

#[rustfmt::skip] // One line for each system.
pub(super) const SYSTEMS: &[Known] = &[
    // One form that is integrable: exact, or with a factor.
    ("constants", "x y z", "", "x' + 2*y'", "h", 2, &["x + 2*y"]),
    ("a disk's height", "z a", "", "z' + r*sin(a)*a'", "h", 1, &["z - r*cos(a)"]),
    ("a product", "x y z", "", "y*x' + x*y'", "h", 2, &["x*y"]),
    ("an angle in the plane", "x y", "", "y*x' - x*y'", "h", 1, &[]),
    ("a sphere", "x y z", "", "x*x' + y*y' + z*z'", "h", 2, &[]),
    ("three factors", "x y z", "", "y*z*x' + x*z*y' + x*y*z'", "h", 2, &["x*y*z"]),
    ("a quotient", "x y z", "", "z*x' + z*y' - (x + y)*z'", "h", 2, &[]),
    ("an exponential", "x y", "", "exp(x)*y' + y*exp(x)*x'", "h", 1, &[]),
    ("a factor that is an exponential", "x y z", "", "y' + (y + z)*x' + z'", "h", 2, &[]),
    ("an exponential of a parameter", "x y z", "", "y' + k*(y + z)*x' + z'", "h", 2, &[]),
    ("a factor that is a cosine", "x a y", "", "x' + y' + (x + y)*tan(a)*a'", "h", 2, &[]),
    ("a lever", "x a", "", "cos(a)*x' - x*sin(a)*a'", "h", 1, &["x*cos(a)"]),
    ("a factor that says nothing", "x y z", "", "(x^2 + y^2)*z'", "h", 2, &["z"]),
    ("another such", "x y z", "", "(1 + x^2)*(z' - y')", "h", 2, &[]),
    ("an arc", "x y", "", "x'/(1 + x^2) + y'", "h", 1, &[]),
    ("a polar angle", "x y z", "", "(x*y' - y*x')/(x^2 + y^2) + z'", "h", 2, &[]),
    ("a distance", "x y z", "", "(x*x' + y*y')/sqrt(x^2 + y^2) + z'", "h", 2, &[]),
    ("logarithms", "x y", "", "x'/x + y'/y", "h", 1, &[]),
    ("powers", "x y", "", "2*y*x' + 3*x*y'", "h", 1, &[]),
    ("powers of parameters", "x y", "", "k*y*x' + w*x*y'", "h", 1, &[]),
    ("a cycloid", "x a", "", "x' - r*(1 + cos(a))*a'", "h", 1, &[]),
    ("two angles", "a c", "", "cos(a)*sin(c)*a' + sin(a)*cos(c)*c'", "h", 1, &["sin(a)*sin(c)"]),
    ("squares of sines", "x a", "", "x' + sin(a)^2*cos(a)*a'", "h", 1, &[]),
    ("a sum of angles", "x a c", "", "x' - r*sin(a + c)*(a' + c')", "h", 2, &[]),
    ("a scaled product", "x y z", "", "sin(x + z)*(y*z*x' + x*z*y' + x*y*z')", "h", 2, &[]),
    ("a runner in a slot", "x y", "", "sin(b)*x' - cos(b)*y'", "h", 1, &[]),
    ("x sin x", "x y", "", "x*sin(x)*x' + y'", "h", 1, &[]),
    // Contact forms.
    ("contact form in three", "x y z", "", "z' - y*x'", "n", 3, &[]),
    ("contact form, symmetric", "x y z", "", "z' + x*y' - y*x'", "n", 3, &[]),
    ("contact form in five", "x y z p q", "", "z' - p*x' - q*y'", "n", 5, &[]),
    ("contact form in seven", "x y u z p q s", "", "z' - p*x' - q*y' - s*u'", "n", 7, &[]),
    ("four variables", "x y z u", "", "x*y' + z*u'", "n", 4, &[]),
    ("an exponential contact form", "x y z", "", "exp(y)*x' + z'", "n", 3, &[]),
    ("a skate", "x y a", "", "sin(a)*x' - cos(a)*y'", "n", 3, &[]),
    ("a skate, times a function", "x y a", "", "exp(x*y)*(sin(a)*x' - cos(a)*y')", "n", 3, &[]),
    // Several forms, integrable only together, or in part.
    ("two forms in three", "x y z", "", "z' - y*x'; y' - w*x'", "hh", 1, &[]),
    ("only together", "x y z u", "", "x' + y*(z' - u'); z' - u'", "hh", 2, &[]),
    ("a turned frame", "x y a", "", "cos(a)*x' + sin(a)*y'; -sin(a)*x' + cos(a)*y'", "hh", 1, &[]),
    ("one of two", "x y z u", "", "z' - y*x'; u'", "nh", 3, &["u"]),
    ("one of two, mixed", "x y z u", "", "z' - y*x' + x*u'; z' - y*x' + y*u'", "nn", 3, &["u"]),
    ("a coin that cannot turn", "x y p s", "", "x' - r*cos(p)*s'; y' - r*sin(p)*s'; p'", "hhh", 1, &[]),
    ("wheels on an axle", "x y a f g", "", "-sin(a)*x' + cos(a)*y'; cos(a)*x' + sin(a)*y' + b*a' - r*f'; cos(a)*x' + sin(a)*y' - b*a' - r*g'", "nnn", 4, &[]),
    ("Engel", "x y z u", "", "y' - z*x'; z' - u*x'", "nn", 4, &[]),
    ("Engel, by powers", "x y z u", "", "z' - x*y'; u' - x^2*y'", "nn", 4, &[]),
    ("Cartan's two, three, five", "x y u v z", "", "y' - u*x'; u' - v*x'; z' - v^2*x'", "nnn", 5, &[]),
    ("Goursat in six", "x y p q s u", "", "y' - p*x'; p' - q*x'; q' - s*x'; s' - u*x'", "nnnn", 6, &[]),
    ("two contact forms", "x y z u v q", "", "x' - y*z'; u' - v*q'", "nn", 6, &[]),
    ("an integrable and a contact form", "x y u v q", "", "x*y' + y*x'; u' - v*q'", "hn", 4, &["x*y"]),
    ("the same twice", "x y z", "", "z' - y*x'; 2*z' - 2*y*x'", "nn", 3, &[]),
    ("an exact one twice", "x y z", "", "x*y' + y*x'; 3*x*y' + 3*y*x'", "hh", 2, &[]),
    // Vehicles and balls.
    ("a coin", "x y p s", "", "x' - r*cos(p)*s'; y' - r*sin(p)*s'", "nn", 4, &[]),
    ("a disk that leans", "x y z p a s", "", "x' - r*cos(p)*(s' + sin(a)*p') + r*sin(p)*cos(a)*a'; y' - r*sin(p)*(s' + sin(a)*p') - r*cos(p)*cos(a)*a'; z' + r*sin(a)*a'", "nnh", 5, &["z - r*cos(a)"]),
    ("a ball on a plane", "x y c a f", "", "x' - r*(sin(c)*a' - cos(c)*sin(a)*f'); y' + r*(cos(c)*a' + sin(c)*sin(a)*f')", "nn", 5, &[]),
    ("a ball that does not pivot", "x y c a f", "", "x' - r*(sin(c)*a' - cos(c)*sin(a)*f'); y' + r*(cos(c)*a' + sin(c)*sin(a)*f'); c' + cos(a)*f'", "nnn", 5, &[]),
    ("a ball along a line", "x a", "", "x' - r*a'", "h", 1, &[]),
    ("a car", "x y a d", "", "sin(a)*x' - cos(a)*y'; sin(a + d)*x' - cos(a + d)*y' - l*cos(d)*a'", "nn", 4, &[]),
    ("a tractor and a trailer", "x y a c", "", "sin(a)*x' - cos(a)*y'; sin(c)*x' - cos(c)*y' + l*c'", "nn", 4, &[]),
    ("a car and a trailer", "x y a d c", "", "sin(a)*x' - cos(a)*y'; sin(a + d)*x' - cos(a + d)*y' - l*cos(d)*a'; sin(c)*x' - cos(c)*y' + l*c'", "nnn", 5, &[]),
    ("a tractor and two trailers", "x y a c e", "", "sin(a)*x' - cos(a)*y'; sin(c)*x' - cos(c)*y' + l*c'; sin(e)*x' - cos(e)*y' + l*cos(c - e)*c' + l*e'", "nnn", 5, &[]),
    ("a tractor and three trailers", "x y a c e g", "", "sin(a)*x' - cos(a)*y'; sin(c)*x' - cos(c)*y' + l*c'; sin(e)*x' - cos(e)*y' + l*cos(c - e)*c' + l*e'; sin(g)*x' - cos(g)*y' + l*cos(c - g)*c' + l*cos(e - g)*e' + l*g'", "nnnn", 6, &[]),
    ("a snakeboard", "x y a f s", "", "-sin(a + f)*x' + cos(a + f)*y' - l*cos(f)*a'; -sin(a - f)*x' + cos(a - f)*y' + l*cos(f)*a'", "nn", 5, &[]),
    ("a roller racer", "x y a f", "", "-sin(a)*x' + cos(a)*y'; -sin(a + f)*x' + cos(a + f)*y' - (l*cos(f) + b)*a' - b*f'", "nn", 4, &[]),
    ("a car that cannot steer", "x y a d", "", "sin(a)*x' - cos(a)*y'; sin(a + d)*x' - cos(a + d)*y' - l*cos(d)*a'; d'", "hhh", 1, &["d"]),
    // Rows that depend on time.
    ("a moving slot", "x y", "", "x' - w*t", "h", 1, &[]),
    ("a drift along another", "x y", "", "x' - w*y", "n", 2, &[]),
    ("growth", "x y", "", "x' - w*x", "h", 1, &[]),
    ("a growing lever", "x y", "", "(1 + t)*x' + x", "h", 1, &[]),
    ("a skate steered by time", "x y", "", "sin(t)*x' - cos(t)*y'", "n", 2, &[]),
    ("pursuit", "x y", "", "(y - t)*x' - x*y'", "n", 2, &[]),
    // On the surface of rows of positions.
    ("integrable where y = x", "x y z", "y - x", "z' - y*x'", "h", 1, &[]),
    ("integrable where y is held", "x y z", "y - b", "z' - y*x'", "h", 1, &[]),
    ("any form on a sphere", "x y z", "x^2 + y^2 + z^2 - 1", "x*z' - y*x' + r*y'", "h", 1, &[]),
    ("a wheel on a circle", "x y s", "x^2 + y^2 - 1", "x*y' - y*x' - r*s'", "h", 1, &[]),
    ("a contact form where time moves", "x y z", "y - w*t", "z' - y*x'", "n", 2, &[]),
    ("a skate on a cylinder", "x y z a", "x^2 + y^2 - 1", "cos(a)*z' - sin(a)*(x*y' - y*x')", "n", 3, &[]),
    ("integrable only where q vanishes", "x y z q", "q", "z' - q*y*x'", "h", 2, &[]),
    ("integrable only on a sphere", "x y z u v", "x^2 + y^2 + z^2 - 1", "u' - (x^2 + y^2 + z^2)*z' - (x^2 + y^2 + z^2 - 1)*v*y'", "h", 3, &[]),
    ("nothing but the surface", "x y z u", "x^2 + y^2 + z^2 - 1", "x*x' + y*y' + z*z' + (x^2 + y^2 + z^2 - 1)*u*x'; u' - z'", "hh", 2, &["u - z"]),
    ("integrable only on a parabola", "x y z u", "y - x^2", "z' - u*(y - x^2)*x' + (y - x^2)*z*u' - y*x'", "h", 2, &[]),
    ("a contact form on a parabola", "x y z u", "y - x^2", "z' - u*y*x' + (y - x^2)*z*u'", "n", 3, &[]),
    ("a ball in a bowl", "x y z c a f", "x^2 + y^2 + z^2 - 1", "x' - r*(sin(c)*a' - cos(c)*sin(a)*f'); y' + r*(cos(c)*a' + sin(c)*sin(a)*f')", "nn", 5, &[]),
];

#[test]
fn every_system_gets_its_verdict() {
    let mut wrong = Vec::new();
    for &(name, coordinates, positions, velocities, verdicts, reached, expected) in SYSTEMS {
        let doctor = Rows::of(coordinates, positions, velocities).examined();
        let (found, shown) = (letters(&doctor), integrals(&doctor));
        let diagnosis = &doctor.diagnosis;
        let met = found == verdicts
            && diagnosis.reached == Some(reached)
            && expected
                .iter()
                .all(|it| shown.iter().any(|found| found == it));
        if !met {
            wrong.push(format!(
                "{name}: {found} for {verdicts}, {:?} for {reached}, growth {:?}, {shown:?}",
                diagnosis.reached, diagnosis.growth
            ));
        }
    }
    assert!(SYSTEMS.len() >= 60);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
