"""The log of a worker: one line a match, which says when, how many, and who played."""

from datetime import datetime

from arena.cli.console.match_log import MatchLog, WorkerLog
from arena.core.state import MatchState
from arena.run.observer import PlannedMatch
from tests.arena.cli.tiny import LAMP, paper, summary

PLAN = tuple(PlannedMatch(match=name, requests=9) for name in ("m1", "m2", "m3"))


def noon() -> datetime:
    return datetime.fromisoformat("2026-11-24T12:00:07+00:00")


def test_a_line_says_when_how_many_and_who() -> None:
    console, stream = paper(40)
    log = MatchLog(console, clock=noon)
    log.on_log("the engine starts")
    log.on_plan(PLAN)
    log.on_match_end(summary(match="m1"))
    log.on_resume("m2", MatchState(script=LAMP))
    log.on_match_end(summary(match="m2"))
    [line] = stream.getvalue().splitlines()
    one = summary(match="m2")
    assert line.startswith(
        f"12:00:07 2/3 {one.civilians} (civilians) against {one.murderer} (murderer); m2"
    )


def test_a_match_that_could_not_begin_is_told() -> None:
    console, stream = paper(40)
    log = WorkerLog(console, clock=noon)
    log.on_plan(PLAN)
    log.on_log("no server at http://a")
    log.on_match_end(summary(match="m1", outcome="error", error_cause="no server"))
    first, second = stream.getvalue().splitlines()
    assert first == "12:00:07 no server at http://a"
    assert second.startswith("12:00:07 1 "), "others may play some of the three"
