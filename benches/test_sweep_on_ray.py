"""A sweep on a Ray cluster that loses a node ends in the same table as on one machine.

    python3 -m venv /tmp/ray && /tmp/ray/bin/pip install ray pytest
    cargo build --example cradle
    /tmp/ray/bin/python -m pytest benches/test_sweep_on_ray.py

The cluster is two nodes on this machine, each a set of processes of its own. Takes a minute.
"""

import os
import pathlib
import subprocess

import pytest
import ray
from ray.cluster_utils import Cluster

import sweep_on_ray

TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", pathlib.Path(__file__).parent.parent / "target"))
PROGRAM = TARGET / "debug" / "examples" / "cradle"

# A run takes a good part of a second, so that a node that is killed is at work on one.
SWEEP = """
[grid]
hz = [240, 1000]
seed = { from = 1, to = 12 }
seconds = 30
"""
RUNS = 24


@pytest.fixture
def cluster():
    # The driver and the head stay; each node makes one run at a time.
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_a_lost_node_leaves_no_trace_in_the_table(cluster, tmp_path):
    sweep = tmp_path / "sweep.toml"
    sweep.write_text(SWEEP)
    alone = tmp_path / "alone.csv"
    subprocess.run([PROGRAM, "--sweep", sweep, "--sweep-table", alone], check=True)

    [lost] = cluster.worker_nodes
    lost_id = lost.node_id

    def lose_a_node(done, _):
        if done == RUNS // 3:
            cluster.remove_node(lost, allow_graceful=False)

    table = tmp_path / "ray.csv"
    nodes = sweep_on_ray.make_runs(PROGRAM, sweep, table, lose_a_node)
    # Ray made every run, and both nodes took part, though one of them not to the end.
    assert sum(nodes.values()) == RUNS
    assert len(nodes) == 2
    assert 0 < nodes[lost_id] < RUNS // 2
    assert not sweep_on_ray.missing_runs(PROGRAM, sweep, table)

    assert sweep_on_ray.write_table(PROGRAM, sweep, table) == 0
    assert table.read_bytes() == alone.read_bytes()
    assert len(table.read_text().splitlines()) == 1 + RUNS
