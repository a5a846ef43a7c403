//! Forms become expressions.

use super::super::GeneratorId;
use super::super::write::{WrittenGenerators, name_of};
use super::form::{Factor, Form, Term};
use super::{Class, Presenter};
use crate::graph::{ExprId, Graph};

impl Presenter<'_> {
    /// The forms as expressions.
    pub(super) fn write(&self, graph: &mut Graph, forms: &[Form]) -> Vec<ExprId> {
        let mut used: Vec<GeneratorId> = Vec::new();
        for form in forms {
            generators(form, &mut used);
        }
        used.sort_unstable();
        used.dedup();
        let known = self.field.kinds.len();
        let (of_field, extra): (Vec<_>, Vec<_>) =
            used.into_iter().partition(|g| usize::from(g.0) < known);
        let mut wanted = of_field;
        for &g in &extra {
            wanted.extend(self.kind(g).parts());
        }
        let mut names = self.field.names(graph, &wanted);
        for g in extra {
            let name = name_of(graph, self.kind(g), &names);
            names.insert(g, name);
        }
        forms
            .iter()
            .map(|form| self.sum_in(graph, form, &names))
            .collect()
    }

    /// Nesting is bounded by the degree of a polynomial that was short enough to be searched.
    fn sum_in(&self, graph: &mut Graph, form: &Form, names: &WrittenGenerators) -> ExprId {
        let mut total = graph.integer(0);
        // A sum does not begin with a minus if that can be helped.
        let first = form.terms.iter().position(|t| !t.coefficient.is_negative());
        let order = first
            .into_iter()
            .chain((0..form.terms.len()).filter(|&i| Some(i) != first));
        for term in order.map(|i| &form.terms[i]) {
            let product = self.product_in(graph, term, names);
            total = if term.coefficient.is_negative() {
                graph.sub(total, product)
            } else {
                graph.add(total, product)
            };
        }
        total
    }

    /// The product without its sign.
    fn product_in(&self, graph: &mut Graph, term: &Term, names: &WrittenGenerators) -> ExprId {
        let mut factors: Vec<(Class, u64, ExprId, i32)> = Vec::new();
        for (factor, n) in &term.factors {
            let (class, place, base) = match factor {
                Factor::Generator(g) => {
                    let base = match names.get(g) {
                        Some(&name) => name,
                        None => unreachable!("all generators of a form were named"),
                    };
                    (self.classes[usize::from(g.0)], u64::from(g.0), base)
                }
                Factor::Sum(form) => {
                    let base = self.sum_in(graph, form, names);
                    let (class, first) = self.place_of(form);
                    (class, first, base)
                }
            };
            factors.push((class, place, base, *n));
        }
        factors.sort_by_key(|&(class, place, ..)| (class, place));
        let one = graph.integer(1);
        let (mut above, mut below) = (one, one);
        for (_, _, base, n) in factors {
            let power = graph.powi(base, i64::from(n.abs()));
            let side = if n < 0 { &mut below } else { &mut above };
            *side = graph.mul(*side, power);
        }
        let quotient = graph.div(above, below);
        let size = graph.number(term.coefficient.abs());
        graph.mul(size, quotient)
    }

    /// Where a sum stands in a product: with the last class of what is in it, and before all names if
    /// it begins with a name that would be: (m₁ + m₂) l, but l (a x + b).
    fn place_of(&self, form: &Form) -> (Class, u64) {
        let mut used = Vec::new();
        generators(form, &mut used);
        let classes = used.iter().map(|g| self.classes[usize::from(g.0)]);
        let class = classes.max().unwrap_or(Class::Parameter);
        let first = used.iter().min().map_or(0, |g| u64::from(g.0));
        let first = match class {
            Class::Parameter => first,
            _ => u64::MAX,
        };
        (class, first)
    }
}

fn generators(form: &Form, found: &mut Vec<GeneratorId>) {
    for (factor, _) in form.terms.iter().flat_map(|term| &term.factors) {
        match factor {
            Factor::Generator(g) => found.push(*g),
            Factor::Sum(form) => generators(form, found),
        }
    }
}
