//! Evaluation does not allocate, whatever the number of lanes.

#![expect(unsafe_code, reason = "a global allocator that counts")]

use dalembert_expr::{Graph, SymbolKind};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all requests go to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn evaluation_does_not_allocate() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Coordinate);
    let (sine, power, two) = (g.sin(x), g.powi(x, 5), g.integer(2));
    let root = g.sqrt(two);
    let product = g.mul(sine, root);
    let sum = g.add(product, power);
    let inputs = [g.as_symbol(x).expect("a symbol")];
    let program = dalembert_program::compile(&g, &inputs, &[sum]).expect("all is given");
    // One argument takes the slow way through the sine.
    let states = [0.1, 0.2, 0.3, 1e22, 0.5, 0.6, 0.7, 0.8];
    let mut outputs = [0.0; 8];
    for native in [false, true] {
        if native {
            assert_eq!(program.make_native(), cfg!(feature = "jit"));
        }
        let mut workspace = program.workspace();
        // Native code for lanes is made when they are first asked for.
        program.eval::<8>(&mut workspace, &states, &mut outputs);
        let mut workspace = program.workspace();
        let before = COUNT.get();
        assert!(before > 0, "the counter counts");
        program.eval::<1>(&mut workspace, &states[3..4], &mut outputs[..1]);
        program.eval::<8>(&mut workspace, &states, &mut outputs);
        assert_eq!(COUNT.get(), before, "native: {native}");
    }
}
