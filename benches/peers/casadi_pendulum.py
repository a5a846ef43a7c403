"""The planar N-link pendulum by CasADi: accelerations with the solve unrolled, as C.

Reads one JSON object from standard input: masses, lengths, gravity, states (each all angles, then all
rates), cc (the compiler and its options), seconds (how long to measure). Writes one JSON object:
build_s (from the Lagrangian to a function loaded), ns (one evaluation), operations, accelerations
(at the first state). Times are the least of several.
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

import casadi

# Evaluations are timed in C, a sweep over all states at a time.
SWEEP = r"""
#include <time.h>
typedef int (*evaluate)(const double **, double **, long long *, double *, int);
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
double sweep(evaluate f, const double *states, int count, int size, const double *parameters,
             double *result, long long *iw, double *w, double seconds) {
    const double *arguments[8] = {0, parameters};
    double *results[8] = {result};
    double begin = now(), least = 1e300;
    long rounds = 1;
    do {
        double start = now();
        for (long round = 0; round < rounds; round++)
            for (int i = 0; i < count; i++) {
                arguments[0] = states + i * size;
                f(arguments, results, iw, w, 0);
            }
        double each = (now() - start) / (rounds * count);
        if (each < least) least = each;
        rounds = 20e-6 / (least * count) + 1;  /* so that reading the clock does not count */
    } while (now() - begin < seconds);
    return least;
}
"""


def compiled(cc, source, name, folder):
    """A library from C source."""
    c, library = (os.path.join(folder, name + end) for end in (".c", ".so"))
    with open(c, "w") as file:
        file.write(source)
    subprocess.run([*cc, "-o", library, c, "-lm"], check=True)
    return ctypes.CDLL(library)


def accelerations(links):
    """q'' as a function of the state and the parameters (masses, lengths, gravity)."""
    state = casadi.SX.sym("state", 2 * links)
    parameters = casadi.SX.sym("parameters", 2 * links + 1)
    q, v = state[:links], state[links:]
    m, l, g = parameters[:links], parameters[links : 2 * links], parameters[2 * links]
    x, y = casadi.cumsum(l * casadi.cos(q)), casadi.cumsum(l * casadi.sin(q))
    vx, vy = casadi.jtimes(x, q, v), casadi.jtimes(y, q, v)
    kinetic = casadi.dot(m, vx**2 + vy**2) / 2
    potential = -g * casadi.dot(m, x)
    momenta = casadi.gradient(kinetic, v)
    mass = casadi.jacobian(momenta, v)
    force = casadi.gradient(kinetic - potential, q) - casadi.jtimes(momenta, q, v)
    diagonal, upper, order = casadi.ldl(mass, False)
    solution = casadi.ldl_solve(force, diagonal, upper, order)
    return casadi.Function("acceleration", [state, parameters], [casadi.densify(solution)])


def main():
    case = json.load(sys.stdin)
    links = len(case["masses"])
    with tempfile.TemporaryDirectory() as folder:
        builds, began = [], time.perf_counter()
        while len(builds) < 3 and (not builds or time.perf_counter() - began < 2):
            start = time.perf_counter()
            function = accelerations(links)
            code = casadi.CodeGenerator("generated", {"with_header": False})
            code.add(function)
            library = compiled(case["cc"], code.dump(), f"generated{len(builds)}", folder)
            builds.append(time.perf_counter() - start)
        sweep = compiled(case["cc"], SWEEP, "sweep", folder).sweep
        sweep.restype = ctypes.c_double
        states = case["states"]

        def doubles(values):
            return (ctypes.c_double * max(1, len(values)))(*values)

        parameters = doubles([*case["masses"], *case["lengths"], case["gravity"]])
        result = doubles([0.0] * links)
        iw = (ctypes.c_longlong * max(1, function.sz_iw()))()
        w = doubles([0.0] * function.sz_w())

        def run(some, seconds):
            flat = doubles([value for state in some for value in state])
            return sweep(
                ctypes.cast(library.acceleration, ctypes.c_void_p), flat, len(some), 2 * links,
                parameters, result, iw, w, ctypes.c_double(seconds),
            )

        seconds = run(states, case["seconds"])
        run(states[:1], 0)
        print(json.dumps({
            "build_s": min(builds),
            "ns": seconds * 1e9,
            "operations": function.n_instructions() - function.nnz_in() - function.nnz_out(),
            "accelerations": list(result),
        }))


main()
