//! Steps do not allocate: a longer run with as many samples allocates as often.

use crate::support::{at_most, mechanism, names};
use dalembert::simulate::{RunOptions, simulate};
use dalembert_ode::Method;
use dalembert_program::NATIVE_AFTER;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;

thread_local! {
    /// Allocations of this thread; tests run on threads of their own.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[expect(unsafe_code, reason = "a counting allocator around the system's")]
// SAFETY: every call is handed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Not counted while a thread is being torn down.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_do_not_allocate() {
    // A change of the integrator is no step.
    // Crossing a change point is none either: the branch around it is made first.
    let crosses = |name: &String| name == "n-four-bar-iftomm-a02";
    let names: Vec<String> = names().into_iter().filter(|name| !crosses(name)).collect();
    steps_by(Method::DormandPrince8, 1e-8, &names);
    let short: Vec<String> = names
        .into_iter()
        .filter(|name| !name.contains("ivp"))
        .collect();
    steps_by(Method::Radau5, 1e-5, &short);
}

fn steps_by(method: Method, rtol: f64, names: &[String]) {
    for name in names {
        let mechanism = mechanism(name);
        mechanism.equations.make_native();
        let start = mechanism.start().unwrap();
        let (mut slips, mut happened) = (0, 0);
        let mut count = |span: f64| {
            let options = RunOptions {
                span: Some(span),
                samples: Some(2),
                rtol: Some(rtol),
                method: Some(Some(method)),
                ..RunOptions::default()
            };
            let before = ALLOCATIONS.get();
            let end = simulate(&mechanism, &start, &options, |_| ControlFlow::Continue(()));
            let end = end.unwrap();
            // Derivatives have a program of their own; where they are differences, those are evaluations, too.
            let columns = 2 * end.coordinates.len() as u64;
            let often = end.rhs_evaluations + columns * end.jacobians >= NATIVE_AFTER;
            let native = (end.native, often, end.jacobians >= NATIVE_AFTER);
            slips = slips.max(end.slips.len());
            happened = happened.max(end.happened.len());
            (ALLOCATIONS.get() - before, end.steps, native)
        };
        // The processor is looked at once, for all programs.
        let _ = count(0.1);
        // Friction may hold a system that goes on beyond its own end.
        let long = match mechanism.system.has_laws() {
            true => at_most(1.0, &mechanism),
            false => 1.0,
        };
        let (mut first, mut second) = (count(0.1 * long), count(long));
        // Compiling to native code on the way is no step.
        if first.2 != second.2 {
            (first, second) = (second, count(1.5));
        }
        let ((short, few, _), (long, many, _)) = (first, second);
        // A motion of constant acceleration takes as many steps in any span.
        assert!(many >= few, "{name}: {few} and {many} steps");
        // Where rows come near to depending on each other a change point is looked for, which is no step either.
        let looks = name == "andrews-squeezer";
        // Room for something may be made when it is first needed: a few lists, once.
        let allowed = if looks { (many - few) / 4 } else { 12 };
        // What is decided where something sticks or slips is no step, nor is what happens at an instant.
        let allowed = allowed + 400 * slips as u64 + 1500 * happened as u64;
        assert!(
            short.abs_diff(long) <= allowed as usize,
            "{name}: {short} and {long} in {few} and {many} steps"
        );
        assert!(short > 10, "the counter counts");
    }
}
