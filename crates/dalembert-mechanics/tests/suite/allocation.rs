//! Runs do not allocate in their steps.

use crate::formulation::system::System;
use dalembert_mechanics::formulation::{
    Formulation, Motion, Workspace, solve, solve_accelerations,
};
use std::alloc::{GlobalAlloc, Layout, System as Platform};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread; tests run on threads of their own.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Bytes they asked for.
    pub(crate) static BYTES: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[expect(unsafe_code, reason = "a counting allocator around the system's")]
// SAFETY: every call is handed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Not counted while a thread is being torn down.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + layout.size()));
        unsafe { Platform.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { Platform.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of this thread so far.
pub(crate) fn count() -> usize {
    ALLOCATIONS.get()
}

fn allocations_of_a_second_solution(system: &System) -> usize {
    let (nv, nc) = (system.nv(), system.nc());
    let mut workspace = Workspace::new(nv, nc);
    let (mut acceleration, mut multipliers) = (vec![0.0; nv], vec![0.0; nc]);
    let mut correction = vec![0.0; nv];
    let mut run = || {
        let before = ALLOCATIONS.get();
        let problem = system.problem();
        solve_accelerations(
            &problem,
            &mut workspace,
            &mut acceleration,
            &mut multipliers,
        )
        .unwrap();
        workspace
            .factorisation()
            .project(&system.b, &mut correction);
        ALLOCATIONS.get() - before
    };
    run();
    run()
}

#[test]
fn steps_do_not_allocate() {
    let mut rng = fastrand::Rng::with_seed(11);
    let independent = System::random(&mut rng, 9, 4, 10.0);
    let mut redundant = independent.clone();
    redundant.combine_rows(&mut rng, 3);
    let mut massless = System::random(&mut rng, 9, 4, 10.0);
    massless.remove_mass(2);
    for system in [&independent, &redundant, &massless] {
        assert_eq!(allocations_of_a_second_solution(system), 0);
    }
    let before = ALLOCATIONS.get();
    drop(vec![0u8; 10]);
    assert_eq!(ALLOCATIONS.get() - before, 1, "the counter counts");
}

#[test]
fn runs_by_a_basis_of_the_tangent_space_do_not_allocate() {
    let mut rng = fastrand::Rng::with_seed(12);
    let independent = System::random(&mut rng, 9, 4, 10.0);
    let mut redundant = independent.clone();
    redundant.combine_rows(&mut rng, 3);
    let routes = [
        Formulation::Projection,
        Formulation::Complement,
        Formulation::Independent,
    ];
    for system in [&independent, &redundant] {
        let mut workspace = Workspace::new(system.nv(), system.nc());
        let mut motion = Motion::new(system.nv(), system.nc());
        for route in routes {
            let mut run = || {
                let before = ALLOCATIONS.get();
                solve(route, &system.problem(), &mut workspace, &mut motion).unwrap();
                ALLOCATIONS.get() - before
            };
            run();
            assert_eq!(run(), 0, "{route}");
        }
    }
}
