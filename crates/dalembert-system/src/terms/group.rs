//! Elements of one form, and the size of the terms of each.

use dalembert_expr::table::TableFunction;
use dalembert_expr::{Binary, ExprId, Form, Graph, Node, SymbolId, Unary};
use std::f64::consts::PI;

/// Elements that are measured at once.
const LANES: usize = 8;

/// Elements of one form.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Operands come first.
    steps: Vec<Step>,
    /// Places of the expressions of an element among the steps.
    outputs: Vec<u32>,
    /// How many symbols an element has.
    width: usize,
    /// The symbols of one element after the other.
    symbols: Vec<SymbolId>,
    /// Where the expressions of each element stand among all.
    starts: Vec<u32>,
    /// Functions made of tables.
    tables: Vec<TableFunction>,
}

/// One node of the expressions; operands by their places.
#[derive(Clone, Copy, Debug)]
enum Step {
    Number(f64),
    /// By its number among the symbols of an element.
    Symbol(u32),
    Unary(Unary, u32),
    Binary(Binary, u32, u32),
    /// The function of this number among those of the terms.
    Table(u32, u32),
    /// A power whose exponent is written, hence exact.
    Power(u32, u32),
}

impl Group {
    /// A form, by an element of it that is still to be added.
    pub(super) fn new(graph: &Graph, form: &Form, element: &[ExprId]) -> Self {
        let place = |id: ExprId| {
            let place = form.position(id);
            place.expect("operands of nodes of a form are in it") as u32
        };
        let mut tables = Vec::new();
        let mut symbols = 0;
        let step = |&id: &ExprId| match graph.node(id) {
            Node::Table(table, a) => {
                tables.push(graph.table_function(table).clone());
                Step::Table(tables.len() as u32 - 1, place(a))
            }
            Node::Number(n) => Step::Number(graph.number_value(n).to_f64()),
            Node::Pi => Step::Number(PI),
            Node::Symbol(_) => {
                symbols += 1;
                Step::Symbol(symbols - 1)
            }
            Node::Unary(op, a) => Step::Unary(op, place(a)),
            Node::Binary(Binary::Pow, a, b) if matches!(graph.node(b), Node::Number(_)) => {
                Step::Power(place(a), place(b))
            }
            Node::Binary(op, a, b) => Step::Binary(op, place(a), place(b)),
        };
        Self {
            steps: form.nodes().iter().map(step).collect(),
            outputs: element.iter().map(|&id| place(id)).collect(),
            width: form.symbols().len(),
            symbols: Vec::new(),
            starts: Vec::new(),
            tables,
        }
    }

    /// Adds an element by its symbols, and where its expressions stand among all.
    pub(super) fn add(&mut self, symbols: &[SymbolId], start: usize) {
        self.symbols.extend(symbols);
        self.starts.push(start as u32);
    }

    /// Writes value and size of the expressions of all elements.
    pub(super) fn measure(
        &self,
        value_of: &mut impl FnMut(SymbolId) -> f64,
        nodes: &mut [Vec<f64>; 2],
        found: &mut [(f64, f64)],
    ) {
        let mut first = 0;
        while first < self.starts.len() {
            let rest = self.starts.len() - first;
            match rest < LANES {
                true => self.measure_some::<1>(first, value_of, nodes, found),
                false => self.measure_some::<LANES>(first, value_of, nodes, found),
            }
            first += if rest < LANES { 1 } else { LANES };
        }
    }

    fn measure_some<const L: usize>(
        &self,
        first: usize,
        value_of: &mut impl FnMut(SymbolId) -> f64,
        nodes: &mut [Vec<f64>; 2],
        found: &mut [(f64, f64)],
    ) {
        let [values, sizes] = nodes;
        for list in [&mut *values, &mut *sizes] {
            list.clear();
            list.reserve(L * self.steps.len());
        }
        for step in &self.steps {
            let (value, size): ([f64; L], [f64; L]) = {
                let at = |place: u32| (lanes::<L>(values, place), lanes::<L>(sizes, place));
                match *step {
                    Step::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                        let ((a, own_a), (b, own_b)) = (at(a), at(b));
                        each(|lane| {
                            let value = op.value(a[lane], b[lane]);
                            (value, value.abs() + own_a[lane] + own_b[lane])
                        })
                    }
                    Step::Binary(Binary::Mul, a, b) => {
                        let ((a, own_a), (b, own_b)) = (at(a), at(b));
                        each(|lane| {
                            let value = a[lane] * b[lane];
                            let by_a = product(b[lane].abs(), own_a[lane]);
                            let by_b = product(a[lane].abs(), own_b[lane]);
                            (value, value.abs() + by_a + by_b)
                        })
                    }
                    Step::Symbol(number) => each(|lane| {
                        let value = value_of(self.symbol(first + lane, number));
                        (value, value.abs())
                    }),
                    step => each(|lane| {
                        let at = |place: u32| {
                            let place = place as usize * L + lane;
                            (values[place], sizes[place])
                        };
                        self.measured(step, at)
                    }),
                }
            };
            values.extend(value);
            sizes.extend(size);
        }
        for lane in 0..L {
            let start = self.starts[first + lane] as usize;
            for (found, &place) in found[start..].iter_mut().zip(&self.outputs) {
                let place = place as usize * L + lane;
                *found = (values[place], sizes[place]);
            }
        }
    }

    /// Value and size of a step that is no symbol, from those of its operands.
    fn measured(&self, step: Step, at: impl Fn(u32) -> (f64, f64)) -> (f64, f64) {
        let value = self.value(step, |_| f64::NAN, |place| at(place).0);
        let own = value.abs();
        let size = match step {
            Step::Number(_) | Step::Symbol(_) => own,
            Step::Unary(Unary::Neg, a) => at(a).1,
            Step::Table(table, a) => {
                let (a, size) = at(a);
                own + product(self.steepness(table, a), size)
            }
            Step::Unary(op, a) => {
                let (a, size) = at(a);
                own + product(slope(op, a, value), size)
            }
            Step::Binary(op, a, b) => {
                let ((a, own_a), (b, own_b)) = (at(a), at(b));
                let (by_a, by_b) = slopes(op, a, b, value);
                own + product(by_a, own_a) + product(by_b, own_b)
            }
            Step::Power(a, b) => {
                let ((a, own_a), (b, _)) = (at(a), at(b));
                let (by_a, _) = slopes(Binary::Pow, a, b, value);
                own + product(by_a, own_a)
            }
        };
        (value, size)
    }

    fn symbol(&self, element: usize, number: u32) -> SymbolId {
        self.symbols[element * self.width + number as usize]
    }

    /// The value of a step, from those of its operands.
    fn value(
        &self,
        step: Step,
        mut symbol: impl FnMut(u32) -> f64,
        at: impl Fn(u32) -> f64,
    ) -> f64 {
        match step {
            Step::Number(value) => value,
            Step::Symbol(number) => symbol(number),
            Step::Unary(op, a) => op.value(at(a)),
            Step::Binary(op, a, b) => op.value(at(a), at(b)),
            Step::Power(a, b) => Binary::Pow.value(at(a), at(b)),
            Step::Table(table, a) => self.tables[table as usize].value(at(a)),
        }
    }

    /// How steep the steepest argument of a sine or the like is in each symbol, if it is steeper than what is known.
    pub(super) fn steepest(
        &self,
        value_of: &mut impl FnMut(SymbolId) -> f64,
        by_symbol: &mut [f64],
    ) {
        let mut values: Vec<f64> = Vec::with_capacity(self.steps.len());
        let mut steepest = vec![0.0_f64; self.steps.len()];
        for element in 0..self.starts.len() {
            values.clear();
            for &step in &self.steps {
                let symbol = |number| value_of(self.symbol(element, number));
                let value = self.value(step, symbol, |place| values[place as usize]);
                values.push(value);
            }
            steepest.fill(0.0);
            let value = |place: u32| values[place as usize];
            let raise = |steepest: &mut [f64], place: u32, slope: f64| {
                let known = &mut steepest[place as usize];
                *known = known.max(slope);
            };
            for (k, step) in self.steps.iter().enumerate().rev() {
                let above = steepest[k];
                match *step {
                    Step::Symbol(number) => {
                        let known = &mut by_symbol[self.symbol(element, number).index()];
                        *known = known.max(above);
                    }
                    Step::Unary(op, a) => {
                        let slope = match is_transcendental(op) {
                            true => 1.0,
                            false => product(slope(op, value(a), values[k]), above),
                        };
                        raise(&mut steepest, a, slope);
                    }
                    Step::Table(table, a) if above > 0.0 => {
                        let slope = product(self.steepness(table, value(a)), above);
                        raise(&mut steepest, a, slope);
                    }
                    Step::Binary(op, a, b) if above > 0.0 => {
                        let (by_a, by_b) = slopes(op, value(a), value(b), values[k]);
                        raise(&mut steepest, a, product(by_a, above));
                        raise(&mut steepest, b, product(by_b, above));
                    }
                    Step::Power(a, b) if above > 0.0 => {
                        let (by_a, _) = slopes(Binary::Pow, value(a), value(b), values[k]);
                        raise(&mut steepest, a, product(by_a, above));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Writes for the expressions of all elements whether they are analytic functions.
    pub(super) fn analytic(&self, all: &mut [bool]) {
        let mut analytic: Vec<bool> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            analytic.push(match *step {
                Step::Number(_) | Step::Symbol(_) => true,
                Step::Unary(Unary::Abs | Unary::Sign | Unary::Asin | Unary::Acos, _)
                | Step::Binary(
                    Binary::Atan2 | Binary::Min | Binary::Max | Binary::Above | Binary::NotAbove,
                    ..,
                ) => false,
                Step::Table(..) => false,
                Step::Unary(_, a) => analytic[a as usize],
                Step::Binary(_, a, b) | Step::Power(a, b) => {
                    analytic[a as usize] && analytic[b as usize]
                }
            });
        }
        for &start in &self.starts {
            for (all, &place) in all[start as usize..].iter_mut().zip(&self.outputs) {
                *all = analytic[place as usize];
            }
        }
    }

    /// |f'(x)| of a function made of a table.
    fn steepness(&self, table: u32, x: f64) -> f64 {
        let slope = self.tables[table as usize].derivative();
        slope.map_or(0.0, |slope| slope.value(x).abs())
    }
}

/// The numbers of a step, one for each element.
fn lanes<const L: usize>(list: &[f64], place: u32) -> &[f64; L] {
    let (lanes, _) = list.as_chunks::<L>();
    &lanes[place as usize]
}

/// Values and sizes, one for each element.
fn each<const L: usize>(mut of: impl FnMut(usize) -> (f64, f64)) -> ([f64; L], [f64; L]) {
    let (mut values, mut sizes) = ([0.0; L], [0.0; L]);
    for lane in 0..L {
        (values[lane], sizes[lane]) = of(lane);
    }
    (values, sizes)
}

/// Functions with a scale of their own.
fn is_transcendental(op: Unary) -> bool {
    use Unary::{Cos, Cosh, Exp, Sin, Sinh, Tan, Tanh};
    matches!(op, Sin | Cos | Tan | Sinh | Cosh | Tanh | Exp)
}

/// Slope times size, where an exact zero has no error however steep the function is.
fn product(slope: f64, size: f64) -> f64 {
    if size == 0.0 || slope == 0.0 {
        0.0
    } else {
        slope * size
    }
}

/// |f'(a)|.
fn slope(op: Unary, a: f64, f: f64) -> f64 {
    let slope = match op {
        Unary::Neg | Unary::Abs => 1.0,
        Unary::Sqrt => 0.5 / f,
        Unary::Sin => Unary::Cos.value(a),
        Unary::Cos => Unary::Sin.value(a),
        Unary::Tan => 1.0 + f * f,
        Unary::Asin | Unary::Acos => 1.0 / (1.0 - a * a).sqrt(),
        Unary::Atan => 1.0 / (1.0 + a * a),
        Unary::Sinh => Unary::Cosh.value(a),
        Unary::Cosh => Unary::Sinh.value(a),
        Unary::Tanh => 1.0 - f * f,
        Unary::Exp => f,
        Unary::Log => 1.0 / a,
        Unary::Sign => 0.0,
    };
    slope.abs()
}

/// |∂f/∂a| and |∂f/∂b|.
fn slopes(op: Binary, a: f64, b: f64, f: f64) -> (f64, f64) {
    let (by_a, by_b) = match op {
        Binary::Add | Binary::Sub => (1.0, 1.0),
        Binary::Mul => (b, a),
        Binary::Div => (1.0 / b, f / b),
        Binary::Pow => (
            b * Binary::Pow.value(a, b - 1.0),
            if a > 0.0 {
                f * Unary::Log.value(a)
            } else {
                0.0
            },
        ),
        Binary::Atan2 => (b / (a * a + b * b), a / (a * a + b * b)),
        Binary::Min => (f64::from(a <= b), f64::from(b < a)),
        Binary::Max => (f64::from(a >= b), f64::from(b > a)),
        Binary::Above => (0.0, f64::from(a > 0.0)),
        Binary::NotAbove => (0.0, f64::from(a <= 0.0)),
    };
    (by_a.abs(), by_b.abs())
}
