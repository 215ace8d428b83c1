"""What a summary says of a match that is no contest, and of who killed whom."""

from pathlib import Path

from arena.games.questum.game import NO_VOTE
from arena.games.reading.game import REFERENCE
from arena.records.match_summary import MatchSummary
from scripts_mm.catalog import find_script
from tests.arena.run.stage import config, only, start

CASE = find_script("two-tides")


def played(folder: Path, game: str, **options: str) -> MatchSummary:
    wanted = config(CASE, "first", "first", game=game, options=options)
    return only(start(wanted, CASE, folder / "run"))


def test_a_match_without_a_vote_has_its_cause_in_the_summary(tmp_path: Path) -> None:
    summary = played(tmp_path, "questum", vote="none", rounds="1")
    assert (summary.outcome, summary.uncounted, summary.error_cause) == ("draw", NO_VOTE, "")
    assert summary.killers == {}


def test_a_reading_says_who_killed_whom_beside_the_votes_on_each_victim(tmp_path: Path) -> None:
    summary = played(tmp_path, "reading")
    assert summary.uncounted == REFERENCE
    assert set(summary.killers) == set(summary.victim_votes) == set(CASE.script.victims)
    named = {one.victim: one.culprits for one in CASE.script.truth.killings}
    assert summary.killers == named
