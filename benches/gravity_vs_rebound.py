"""Times this crate's self-gravity and REBOUND's tree on the same bodies, and measures the force error of both.

    python3 -m venv /tmp/rebound && /tmp/rebound/bin/pip install rebound numpy
    /tmp/rebound/bin/python benches/gravity_vs_rebound.py

Builds the `gravity` program of this folder, runs it, and then REBOUND on the bodies that it wrote. REBOUND walks its tree on
one thread, with an opening angle of 0.5; a step of its leapfrog evaluates the forces once. With collisions, its tree finds
them too, as "hard spheres". All times are medians. Errors are |a - a_direct|/|a_direct| against a direct sum in f64: of all
bodies for this crate, of a sample of them for REBOUND.
"""

import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np
import rebound

FOLDER = pathlib.Path(__file__).parent


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--balls", default="1000,10000,100000", help="numbers of balls")
    parser.add_argument("--threads", default="2", help="threads for this crate")
    parser.add_argument("--opening-angle", help="for this crate [default: the crate's]")
    parser.add_argument("--steps", type=int, default=5, help="timed steps of REBOUND")
    parser.add_argument("--sample", type=int, default=1000, help="bodies that REBOUND's error is measured on")
    return parser.parse_args()


def run_crate(options, folder):
    """Tree time in ms, median error and 99th percentile for each number of balls."""
    command = ["cargo", "run", "--release", "--quiet", "--manifest-path", FOLDER / "Cargo.toml", "--bin", "gravity", "--"]
    command += ["--balls", options.balls, "--threads", options.threads, "--write-bodies", folder]
    if options.opening_angle:
        command += ["--opening-angle", options.opening_angle]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names, *rows = (line.split() for line in output.splitlines())
    rows = [dict(zip(names, row)) for row in rows]
    return {int(row["balls"]): [float(row[name]) for name in ("tree_ms", "median_error", "error_99")] for row in rows}


def simulation(bodies, collisions):
    sim = rebound.Simulation()
    sim.G = 1.0
    sim.integrator = "leapfrog"
    sim.gravity = "tree"
    sim.opening_angle2 = 0.5**2
    sim.root_size = 4.0 * np.abs(bodies[:, :3]).max()
    # So short that the bodies stay where they are.
    sim.dt = 1e-9
    if collisions:
        sim.collision = "tree"
        sim.collision_resolve = "hardsphere"
    for x, y, z, r, m in bodies:
        sim.add(x=x, y=y, z=z, r=r, m=m)
    return sim


def run_rebound(bodies, collisions, steps):
    """Median time of a step in ms, and the simulation."""
    sim = simulation(bodies, collisions)
    sim.steps(1)
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        sim.steps(1)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times), sim


def rebound_error(sim, sample):
    """Median and 99th percentile over a sample of the bodies."""
    particles = list(sim.particles)
    x = np.array([[p.x, p.y, p.z] for p in particles])
    a = np.array([[p.ax, p.ay, p.az] for p in particles])
    mass = np.array([p.m for p in particles])
    errors = []
    for i in range(0, len(x), max(1, len(x) // sample)):
        d = x - x[i]
        cube = np.einsum("ij,ij->i", d, d) ** 1.5
        cube[i] = np.inf
        direct = (mass / cube) @ d
        errors.append(np.linalg.norm(a[i] - direct) / np.linalg.norm(direct))
    return np.median(errors), np.percentile(errors, 99)


def main():
    options = parse_options()
    print(f"REBOUND {rebound.__version__}; this crate on {options.threads} threads. Times in ms a step.")
    print("|   balls | crate | its median error | its 99 % | REBOUND, gravity | its median error | its 99 % | times | and collisions | times |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for balls, (crate, median, error_99) in run_crate(options, folder).items():
            bodies = np.loadtxt(pathlib.Path(folder) / f"bodies_{balls}.txt")
            gravity, sim = run_rebound(bodies, False, options.steps)
            other_median, other_99 = rebound_error(sim, options.sample)
            both, _ = run_rebound(bodies, True, options.steps)
            print(
                f"| {balls:,} | {crate:.2f} | {median:.1e} | {error_99:.1e} | {gravity:.1f} | {other_median:.1e} | {other_99:.1e} "
                f"| {gravity / crate:.0f} | {both:.1f} | {both / crate:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
