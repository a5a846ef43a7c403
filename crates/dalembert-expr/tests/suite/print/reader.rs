//! A small reader of the model's language: an independent witness of its grammar for these tests.
//!
//! ```text
//! sum = product {("+" | "-") product}      product = unary {("*" | "/") unary}
//! unary = "-" unary | power                power = atom ["^" power]
//! ```

use dalembert_expr::{Binary, ExprId, Graph, Rational, SymbolKind, Unary};

/// The Greek letters that the tests write.
const GREEK: [&str; 8] = [
    "theta", "phi", "psi", "lambda", "omega", "epsilon", "varphi", "Omega",
];

/// Builds the expression that `text` says. `x y z` and Greek names are coordinates, `t` is time,
/// `lambda(…)` a multiplier, other names are parameters.
pub(super) fn read(graph: &mut Graph, text: &str) -> ExprId {
    let mut reader = Reader { graph, rest: text };
    let id = reader.sum();
    assert_eq!(reader.rest.trim(), "", "left over in {text}");
    id
}

struct Reader<'a> {
    graph: &'a mut Graph,
    rest: &'a str,
}

impl Reader<'_> {
    fn eat(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take(&mut self, length: usize) -> &str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn sum(&mut self) -> ExprId {
        let mut sum = self.product();
        loop {
            if self.eat('+') {
                let term = self.product();
                sum = self.graph.add(sum, term);
            } else if self.eat('-') {
                let term = self.product();
                sum = self.graph.sub(sum, term);
            } else {
                return sum;
            }
        }
    }

    fn product(&mut self) -> ExprId {
        let mut product = self.unary();
        loop {
            if self.eat('*') {
                let factor = self.unary();
                product = self.graph.mul(product, factor);
            } else if self.eat('/') {
                let factor = self.unary();
                product = self.graph.div(product, factor);
            } else {
                return product;
            }
        }
    }

    fn unary(&mut self) -> ExprId {
        if self.eat('-') {
            let x = self.unary();
            return self.graph.neg(x);
        }
        let base = self.atom();
        if self.eat('^') {
            let exponent = self.power();
            return self.graph.pow(base, exponent);
        }
        base
    }

    fn power(&mut self) -> ExprId {
        let base = self.atom();
        if self.eat('^') {
            let exponent = self.power();
            return self.graph.pow(base, exponent);
        }
        base
    }

    fn atom(&mut self) -> ExprId {
        if self.eat('(') {
            let inside = self.sum();
            assert!(self.eat(')'), "no ) before {}", self.rest);
            return inside;
        }
        self.rest = self.rest.trim_start();
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let length = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        assert!(length > 0, "no operand at {}", self.rest);
        let name = self.take(length).to_owned();
        if self.rest.starts_with('(') {
            return self.call(name);
        }
        let primes = self.rest.len() - self.rest.trim_start_matches('\'').len();
        self.take(primes);
        let kind = match name.as_str() {
            "pi" => return self.graph.pi(),
            "t" => SymbolKind::Time,
            "x" | "y" | "z" => SymbolKind::Coordinate,
            _ if primes > 0 || GREEK.contains(&name.as_str()) => SymbolKind::Coordinate,
            _ => SymbolKind::Parameter,
        };
        let order = u8::try_from(primes).unwrap_or(u8::MAX);
        self.graph.derivative_symbol(&name, kind, order)
    }

    fn number(&mut self) -> ExprId {
        let mantissa = |c: char| c.is_ascii_digit() || c == '.';
        let mut length = self.rest.find(|c| !mantissa(c)).unwrap_or(self.rest.len());
        if let Some(exponent) = self.rest[length..].strip_prefix('e') {
            let digits = exponent.trim_start_matches('-');
            let digits = digits.trim_start_matches(|c: char| c.is_ascii_digit());
            length = self.rest.len() - digits.len();
        }
        let value = Rational::parse_decimal(self.take(length)).expect("a literal");
        self.graph.number(value)
    }

    fn call(&mut self, name: String) -> ExprId {
        if name == "lambda" {
            let length = self.rest.find(')').expect("a closing parenthesis") + 1;
            let name = format!("lambda{}", self.take(length));
            return self.graph.symbol(&name, SymbolKind::Multiplier);
        }
        assert!(self.eat('('));
        let a = self.sum();
        let id = if self.eat(',') {
            let b = self.sum();
            let op = Binary::ALL.into_iter().find(|op| op.name() == name);
            self.graph.binary(op.expect("a function"), a, b)
        } else {
            let op = Unary::ALL.into_iter().find(|op| op.name() == name);
            self.graph.unary(op.expect("a function"), a)
        };
        assert!(self.eat(')'), "no ) before {}", self.rest);
        id
    }
}
