"""Makes the runs of a sweep on a Ray cluster. The table has the same bytes as that of the scene's own `--sweep`.

    python3 -m venv /tmp/ray && /tmp/ray/bin/pip install ray
    cargo build --example pile
    /tmp/ray/bin/python benches/sweep_on_ray.py target/debug/examples/pile assets/sweeps/heap.toml

Without `--address`, Ray starts on this machine alone; `--address auto` joins the cluster that this machine is a node of. Every node
needs the same build of the program, at the same path; file names in the sweep's file must be absolute. A run whose node is lost is
made again on another node.

The program itself says which runs are missing (`--sweep-list`), makes one of them (`--sweep-run N`), and writes the table
(`--sweep`). This script only hands out the numbers, and adds the lines that come back to the journal of the sweep. So a sweep that
was begun here can go on without Ray, and the other way round. Do not run both at the same time.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import ray

# A lost node loses all its runs; a run that has been lost so often is left to this machine.
RETRIES = 10


@ray.remote(num_cpus=1, max_retries=RETRIES)
def make_run(program, sweep, number):
    """The journal's line of one run, and the node that made it. `sweep` is the text of the sweep's file."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "sweep.toml"
        file.write_text(sweep)
        command = [program, "--sweep", file, "--sweep-run", str(number), "--stop-with-stdin"]
        # The pipe to standard input closes when Ray ends this process. The run then stops too.
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
            line = run.stdout.read()
            if run.wait() != 0:
                raise RuntimeError(f"{program} --sweep-run {number} ended with {run.returncode}")
    return line, ray.get_runtime_context().get_node_id()


def journal_of(table):
    return table.with_name(table.name + ".partial")


def missing_runs(program, sweep, table):
    """Numbers of the runs that have no report yet. The journal exists from then on."""
    command = [program, "--sweep", sweep, "--sweep-table", table, "--sweep-list"]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line)["run"] for line in listed.splitlines()]


def finished(tasks):
    """Lines and nodes in the order in which the runs end. A run that Ray gives up is left out."""
    while tasks:
        done, tasks = ray.wait(tasks)
        try:
            yield ray.get(done[0])
        except ray.exceptions.RayError as problem:
            print(f"left to this machine: {problem}", file=sys.stderr)


def make_runs(program, sweep, table, on_progress):
    """Makes all missing runs on the cluster, and returns how many each node made."""
    numbers = missing_runs(program, sweep, table)
    text = pathlib.Path(sweep).read_text()
    tasks = [make_run.remote(str(program), text, number) for number in numbers]
    nodes = {}
    with open(journal_of(table), "a", encoding="utf-8") as journal:
        for line, node in finished(tasks):
            journal.write(line)
            journal.flush()
            nodes[node] = nodes.get(node, 0) + 1
            on_progress(sum(nodes.values()), len(numbers))
    return nodes


def write_table(program, sweep, table):
    """Has the program write the table. Runs that are still missing are made on this machine."""
    return subprocess.run([program, "--sweep", sweep, "--sweep-table", table], check=False).returncode


def print_progress(done, count):
    if done % 10 == 0 or done == count:
        print(f"{done}/{count} runs", file=sys.stderr)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="a scene's program")
    parser.add_argument("sweep", type=pathlib.Path, help="the sweep's file")
    parser.add_argument("--table", type=pathlib.Path, help="the table [default: the name of the sweep's file with the ending .csv]")
    parser.add_argument("--address", help="a cluster, as ray.init takes it [default: this machine alone]")
    return parser.parse_args()


def main():
    options = parse_options()
    program = options.program.resolve()
    table = options.table or pathlib.Path(options.sweep.name).with_suffix(".csv")
    ray.init(address=options.address or "local")
    nodes = make_runs(program, options.sweep, table, print_progress)
    print(f"{sum(nodes.values())} runs on {len(nodes)} nodes", file=sys.stderr)
    return write_table(program, options.sweep, table)


if __name__ == "__main__":
    sys.exit(main())
