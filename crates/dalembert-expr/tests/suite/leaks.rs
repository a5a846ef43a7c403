//! Graphs give back all their memory: there is no global table.

use dalembert_expr::calculus::gradient;
use dalembert_expr::{Graph, SymbolKind, simplify};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes this thread holds; tests run on threads of their own.
    static HELD: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn count(bytes: isize) {
    // Not counted while a thread is being torn down.
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

#[expect(unsafe_code, reason = "a counting allocator around the system's")]
// SAFETY: every call is handed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn build_one(i: usize) {
    let mut g = Graph::new();
    let x = g.symbol(&format!("x{i}"), SymbolKind::Coordinate);
    let mut value = x;
    for n in 0..20 {
        let n = g.integer(n);
        let term = g.mul(n, value);
        let sine = g.sin(term);
        value = g.add(sine, x);
    }
    let name = g.as_symbol(x).unwrap();
    let slopes = gradient(&mut g, value, &[name]);
    simplify(&mut g, &slopes);
}

#[test]
fn ten_thousand_graphs_leave_nothing_behind() {
    build_one(0);
    let before = HELD.get();
    (0..10_000).for_each(build_one);
    assert_eq!(HELD.get() - before, 0, "bytes left behind");
    let kept = vec![0u8; 1000];
    assert_eq!(HELD.get() - before, 1000, "the counter counts");
    drop(kept);
}
