//! After set-up a run allocates nothing.
#![allow(unsafe_code, reason = "a global allocator that counts needs it")]

mod problems;

use dalembert_ode::{Events, Samples};
use problems::{METHODS, Pendulums, integrator, tolerance};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: hands everything to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

#[test]
fn a_run_with_samples_and_events_does_not_allocate() {
    for method in METHODS {
        let mut system = Pendulums {
            frequency: [1.0, 2.0, 30.0, 4.0],
            fails_after: [1e9, 1e9, 1e9, 3.0],
        };
        let mut integrator = integrator(2, &tolerance(method, 1e-8));
        let times: Vec<f64> = (0..500).map(|i| f64::from(i) * 0.02).collect();
        let mut samples = Samples::new([&times[..]; 4]).projected();
        let mut events = Events::new(2, 2);
        let (mut sum, mut found) = (0.0, 0);
        let before = allocations();
        let report = integrator.run(
            &mut system,
            [0.0; 4],
            [10.0; 4],
            &[[1.0; 4], [0.0; 4]],
            |step| {
                for lane in step.lanes() {
                    let crossings =
                        events.locate(step, lane, |_, _, y, g| (g[0], g[1]) = (y[0], -y[1]));
                    found += crossings.len();
                }
                samples.deliver(step, |_, sample| {
                    sum += sample.y[0][0];
                    ControlFlow::Continue(())
                })
            },
        );
        let after = allocations();
        assert_eq!(after - before, 0, "{method:?}");
        assert!(report.lanes[0].statistics.steps > 10 && found > 10 && sum != 0.0);
    }
}

#[test]
fn the_counter_counts() {
    let before = allocations();
    let boxed = std::hint::black_box(Box::new(1));
    assert!(allocations() > before);
    drop(boxed);
}
