//! Functions made of tables: knots and coefficients in memory, and a search in them.

use super::{Body, cell};
use crate::code::number;
use dalembert_expr::table::{Beyond, Table, TableFunction, Taken};
use std::sync::Arc;
use wasm_encoder::{BlockType, ValType};

/// Integer locals: knots up to x, the end of the search, its middle, the address of a piece's knot.
const AFTER: u32 = 1;
const END: u32 = 2;
const MIDDLE: u32 = 3;
const PIECE: u32 = 4;

/// The numbers of tables, each table once.
#[derive(Default)]
pub(super) struct Data {
    numbers: Vec<f64>,
    placed: Vec<(Arc<Table>, u32)>,
}

impl Data {
    /// The first byte behind them.
    pub(super) fn end(&self) -> u32 {
        8 * number(self.numbers.len())
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    /// The address of a table's knots; its coefficients follow, four for a piece.
    fn place(&mut self, table: &Arc<Table>) -> u32 {
        let placed = self.placed.iter().find(|it| Arc::ptr_eq(&it.0, table));
        if let Some((_, address)) = placed {
            return *address;
        }
        let address = self.end();
        self.numbers.extend_from_slice(table.knots());
        self.numbers.extend(table.pieces().iter().flatten());
        self.placed.push((Arc::clone(table), address));
        address
    }
}

/// The operations of [`TableFunction::value`] in their order.
pub(super) fn function(function: &TableFunction, data: &mut Data) -> Body {
    let table = &*function.table;
    let (knots, n) = (data.place(&function.table), number(table.knots().len()));
    let mut body = Body::with_integers(1, (4, ValType::I32));
    body.code()
        .local_get(0)
        .local_get(0)
        .f64_ne()
        .if_(BlockType::Empty)
        .local_get(0)
        .return_()
        .end();
    match function.taken {
        Taken::Derivative(order) => {
            let [first, last] = table.limits();
            for (end, at) in [(0, first), (1, last)] {
                let mut code = body.code();
                code.local_get(0).f64_const(at.into());
                match end {
                    0 => code.f64_lt(),
                    _ => code.f64_gt(),
                };
                code.if_(BlockType::Empty);
                beyond(&mut body, function, (order, end));
                body.code().return_().end();
            }
            search(&mut body, [knots, n]);
            piece(&mut body, [knots, n], order);
        }
        Taken::Sides => {
            search(&mut body, [knots, n]);
            sides(&mut body, [knots, n]);
        }
    }
    body
}

/// Puts what is beyond an end on the stack.
fn beyond(body: &mut Body, function: &TableFunction, (order, end): (u8, usize)) {
    let table = &*function.table;
    let ([value, slope], at) = (table.ends()[end], table.range()[end]);
    let mut code = body.code();
    match (table.label.beyond, order) {
        (Beyond::Refused, _) => code.f64_const(f64::NAN.into()),
        (Beyond::Hold | Beyond::Line, 2..) | (Beyond::Hold, 1) => code.f64_const(0.0.into()),
        (Beyond::Hold, 0) => code.f64_const(value.into()),
        (Beyond::Line, 1) => code.f64_const(slope.into()),
        (Beyond::Line, 0) => code
            .f64_const(value.into())
            .f64_const(slope.into())
            .local_get(0)
            .f64_const(at.into())
            .f64_sub()
            .f64_mul()
            .f64_add(),
    };
}

/// Counts the knots up to x.
fn search(body: &mut Body, [knots, n]: [u32; 2]) {
    body.code()
        .i32_const(n.cast_signed())
        .local_set(END)
        .block(BlockType::Empty)
        .loop_(BlockType::Empty)
        .local_get(AFTER)
        .local_get(END)
        .i32_ge_u()
        .br_if(1)
        .local_get(AFTER)
        .local_get(END)
        .local_get(AFTER)
        .i32_sub()
        .i32_const(1)
        .i32_shr_u()
        .i32_add()
        .local_tee(MIDDLE)
        .i32_const(3)
        .i32_shl()
        .f64_load(cell(knots))
        .local_get(0)
        .f64_le()
        .if_(BlockType::Empty)
        .local_get(MIDDLE)
        .i32_const(1)
        .i32_add()
        .local_set(AFTER)
        .else_()
        .local_get(MIDDLE)
        .local_set(END)
        .end()
        .br(0)
        .end()
        .end();
}

/// A derivative of the polynomial that x is in.
fn piece(body: &mut Body, [knots, n]: [u32; 2], order: u8) {
    let last = n.cast_signed() - 2;
    let way = body.local();
    // The piece is one less than the knots up to x, but there is one for every x.
    body.code()
        .local_get(AFTER)
        .i32_const(1)
        .i32_sub()
        .i32_const(0)
        .local_get(AFTER)
        .select()
        .local_tee(PIECE)
        .i32_const(last)
        .local_get(PIECE)
        .i32_const(last)
        .i32_lt_s()
        .select()
        .local_set(PIECE)
        .local_get(0)
        .local_get(PIECE)
        .i32_const(3)
        .i32_shl()
        .f64_load(cell(knots))
        .f64_sub()
        .local_set(way)
        .local_get(PIECE)
        .i32_const(5)
        .i32_shl()
        .local_set(PIECE);
    let coefficient = |body: &mut Body, power: u32| {
        let at = cell(knots + 8 * (n + power));
        body.code().local_get(PIECE).f64_load(at);
    };
    // Factors that derivatives bring to the third power, the second, and so on.
    let factors: &[Option<f64>] = match order {
        0 => &[None, None, None, None],
        1 => &[Some(3.0), Some(2.0), None],
        2 => &[Some(6.0), Some(2.0)],
        3 => &[Some(6.0)],
        _ => &[],
    };
    if factors.is_empty() {
        body.code().f64_const(0.0.into());
    }
    for (index, &factor) in factors.iter().enumerate() {
        if index > 0 {
            body.code().local_get(way).f64_mul();
        }
        coefficient(body, 3 - number(index));
        if let Some(factor) = factor {
            body.code().f64_const(factor.into()).f64_mul();
        }
        if index > 0 {
            body.code().f64_add();
        }
    }
}

/// The distance to the nearest knot, with a sign that changes at each.
fn sides(body: &mut Body, [knots, n]: [u32; 2]) {
    let size = body.local();
    let knot = |body: &mut Body, back: i32| {
        body.code()
            .local_get(AFTER)
            .i32_const(back)
            .i32_sub()
            .i32_const(3)
            .i32_shl()
            .f64_load(cell(knots));
    };
    body.code()
        .local_get(AFTER)
        .if_(BlockType::Result(ValType::F64))
        .local_get(0);
    knot(body, 1);
    body.code()
        .f64_sub()
        .else_()
        .f64_const(f64::INFINITY.into())
        .end()
        .local_get(AFTER)
        .i32_const(n.cast_signed())
        .i32_lt_u()
        .if_(BlockType::Result(ValType::F64));
    knot(body, 0);
    body.code()
        .local_get(0)
        .f64_sub()
        .else_()
        .f64_const(f64::INFINITY.into())
        .end()
        .f64_min()
        .local_set(size)
        .local_get(size)
        .f64_neg()
        .local_get(size)
        .local_get(AFTER)
        .i32_const(1)
        .i32_and()
        .select();
}
