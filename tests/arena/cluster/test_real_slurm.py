"""The batch script in a real Slurm: slurmctld, munged and three slurmd on this host."""

import signal
from pathlib import Path

import psutil

from arena.cluster.slurm import BATCH_FILE, LOGS_FOLDER, SlurmJob, submit_job
from tests.arena.cluster.slurm_host import SlurmHost
from tests.arena.cluster.tournaments import Tournament


def submit(tournament: Tournament, shards: int = 3, **values: object) -> str:
    """Submit a job that asks for a node of the host for each shard."""
    values = {"nodes": 3, "gpus_per_node": 2, "time": "01:00:00", **values}
    job = SlurmJob(out=tournament.out, command=tournament.command, shards=shards, **values)  # pyright: ignore[reportArgumentType]
    return submit_job(job)


def wait_until_begun(slurm: SlurmHost, tournament: Tournament, *shards: int) -> None:
    for shard in shards:
        slurm.wait_for(f"shard {shard} begins", lambda one=shard: tournament.has_begun(one))


def log(tournament: Tournament, shard: int) -> str:
    return (tournament.out / LOGS_FOLDER / f"{shard}.log").read_text()


def finish(slurm: SlurmHost, tournament: Tournament, job: str, shards: int = 3) -> None:
    """Let the shards end, and check that Slurm saw all of them do so."""
    tournament.release()
    slurm.wait_for_tasks(job, {str(one): "COMPLETED" for one in range(shards)})
    assert all(tournament.is_finished(one) for one in range(shards))


def test_an_array_plays_every_shard_on_no_more_nodes_than_it_may_use(
    slurm: SlurmHost, tournament: Tournament
) -> None:
    job = submit(tournament, shards=4, nodes=2)
    wait_until_begun(slurm, tournament, 0, 1)
    states = slurm.tasks(job)
    assert [states[str(one)] for one in range(4)] == ["RUNNING", "RUNNING", "PENDING", "PENDING"]
    hosts = {slurm.show(f"{job}_{one}")["BatchHost"] for one in (0, 1)}
    assert len(hosts) == 2
    finish(slurm, tournament, job, shards=4)
    for shard in range(4):
        lines = log(tournament, shard)
        assert f"shard {shard} of 4 on node" in lines
        assert f"shard {shard}: the worker ended with status 0" in lines


def test_a_task_that_receives_term_is_requeued_alone_and_goes_on(
    slurm: SlurmHost, tournament: Tournament
) -> None:
    job = submit(tournament)
    wait_until_begun(slurm, tournament, 0, 1, 2)
    # One task has the array's number for its own: what is done to that number is done to all.
    [shard] = [one for one in range(3) if slurm.show(f"{job}_{one}")["JobId"] == job]
    slurm.run("scancel", "--signal=TERM", "--batch", f"{job}_{shard}")
    slurm.wait_for("the task is requeued", lambda: restarts(slurm, job, shard) == 1)
    assert f"shard {shard}: more to do, requeued" in log(tournament, shard)
    others = [one for one in range(3) if one != shard]
    assert [restarts(slurm, job, one) for one in others] == [0, 0]
    finish(slurm, tournament, job)
    assert "restart 0" in log(tournament, shard)
    assert "restart 1" in log(tournament, shard)


def test_a_cancelled_task_ends_and_is_not_requeued(
    slurm: SlurmHost, tournament: Tournament
) -> None:
    job = submit(tournament)
    wait_until_begun(slurm, tournament, 0, 1, 2)
    slurm.run("scancel", f"{job}_1")
    slurm.wait_for_tasks(job, {"0": "RUNNING", "1": "CANCELLED", "2": "RUNNING"})
    assert "shard 1: the worker ended with status" in log(tournament, 1)
    assert "requeued" not in log(tournament, 1)
    tournament.release()
    slurm.wait_for_tasks(job, {"0": "COMPLETED", "1": "CANCELLED", "2": "COMPLETED"})
    assert restarts(slurm, job, 1) == 0


def test_preempted_tasks_receive_term_and_go_on_when_the_nodes_are_free(
    slurm: SlurmHost, tournament: Tournament
) -> None:
    job = submit(tournament)
    wait_until_begun(slurm, tournament, 0, 1, 2)
    urgent = take_all_nodes(slurm)
    slurm.wait_for("the urgent job ends", lambda: "COMPLETED" in slurm.tasks(urgent).values())
    finish(slurm, tournament, job)
    # Slurm requeues them: no script has done it a second time.
    assert [restarts(slurm, job, one) for one in range(3)] == [1, 1, 1]
    assert all("the worker ended with status" in log(tournament, one) for one in range(3))


def test_with_a_time_of_grace_tasks_leave_their_nodes_as_soon_as_they_can(
    slurm: SlurmHost, tournament: Tournament
) -> None:
    job = submit(tournament, partition="patient")
    wait_until_begun(slurm, tournament, 0, 1, 2)
    urgent = take_all_nodes(slurm)
    slurm.wait_for("the urgent job ends", lambda: "COMPLETED" in slurm.tasks(urgent).values())
    finish(slurm, tournament, job)
    for shard in range(3):
        assert f"shard {shard}: more to do, requeued" in log(tournament, shard)
        assert "DUE TO PREEMPTION" not in log(tournament, shard)


def test_a_requeue_by_hand_runs_the_same_shard_again(
    slurm: SlurmHost, tournament: Tournament
) -> None:
    job = submit(tournament)
    wait_until_begun(slurm, tournament, 0, 1, 2)
    slurm.run("scontrol", "requeue", f"{job}_2")
    slurm.wait_for("a second start", lambda: "restart 1" in log(tournament, 2))
    finish(slurm, tournament, job)
    assert [restarts(slurm, job, one) for one in range(3)] == [0, 0, 1]


def test_a_worker_that_is_killed_fails_its_task_which_can_be_submitted_again(
    slurm: SlurmHost, tournament: Tournament
) -> None:
    job = submit(tournament)
    wait_until_begun(slurm, tournament, 0, 1, 2)
    worker_of(tournament, 1).send_signal(signal.SIGKILL)
    slurm.wait_for_tasks(job, {"0": "RUNNING", "1": "FAILED", "2": "RUNNING"})
    assert slurm.show(f"{job}_1")["ExitCode"] == "137:0"
    assert "shard 1: the worker ended with status 137" in log(tournament, 1)
    tournament.release()
    again = slurm.submit("--array=1", str(tournament.out / BATCH_FILE))
    slurm.wait_for_tasks(again, {"1": "COMPLETED"})
    assert tournament.is_finished(1)


def test_the_tasks_of_a_node_that_fails_go_on_on_another_one(
    slurm: SlurmHost, tournament: Tournament
) -> None:
    job = submit(tournament, shards=2)
    wait_until_begun(slurm, tournament, 0, 1)
    node = slurm.show(f"{job}_0")["BatchHost"]
    slurm.kill_node(node)
    slurm.wait_for("a second start", lambda: "restart 1" in log(tournament, 0), seconds=120)
    assert slurm.show(f"{job}_0")["BatchHost"] != node
    finish(slurm, tournament, job, shards=2)
    assert [restarts(slurm, job, one) for one in range(2)] == [1, 0]


def restarts(slurm: SlurmHost, job: str, shard: int) -> int:
    return int(slurm.show(f"{job}_{shard}")["Restarts"])


def take_all_nodes(slurm: SlurmHost) -> str:
    """Submit a short array that needs all nodes, from a partition that may preempt."""
    options = ("--partition=urgent", "--nodes=3", "--exclusive", "--array=0", "--output=/dev/null")
    return slurm.submit(*options, "--wrap=sleep 2")


def worker_of(tournament: Tournament, shard: int) -> psutil.Process:
    """Return the worker's process of a shard, which names the folder and the shard."""
    [found] = [one for one in psutil.process_iter() if is_worker(one, tournament, shard)]
    return found


def is_worker(process: psutil.Process, tournament: Tournament, shard: int) -> bool:
    try:
        words = process.cmdline()
    except psutil.Error:
        return False
    named = str(tournament.out) in words and any(one.startswith(f"{shard}/") for one in words)
    return named and Path(words[0]).name.startswith("python")
