"""Result files: written from finished tournaments of a suite, and checked by anybody."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.tournament.description import make_plan, read_description
from arena.tournament.folder import TournamentFolder, add_contestants, create_tournament
from arena.tournament.result import RESULT_CODEC, TournamentResult, make_result
from arena.tournament.result_checks import (
    find_deviations,
    find_faults,
    find_forgeries,
    is_same_value,
)
from eval.standings import make_standings, rate_matches, rating_objects
from scripts_mm.script_folder import LoadedScript
from tests.arena.run.stage import save_case
from tests.arena.tournament.made import planned, play


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    loaded = save_case(tmp_path_factory.mktemp("scripts") / "harbour")
    file = tmp_path_factory.mktemp("suites") / "mine.toml"
    file.write_text(
        f"""
name = "mine"
version = 1
opponents = ["naive"]
scores = ["win_rate"]
[[games]]
preset = "short"
seeds = 3
scripts = [{{ id = {json.dumps(str(loaded.folder))}, sha256 = "{loaded.sha256}" }}]
"""
    )
    return file


@pytest.fixture(scope="module")
def folder(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> TournamentFolder:
    path = tmp_path_factory.mktemp("played") / "out"
    made = create_tournament(path, make_plan(suite, ["random", "first"], suite=True))
    play(made)
    return made


def scored(folder: TournamentFolder) -> TournamentResult:
    """Return the result of a tournament with a score."""
    return replace(make_result(folder), scores=({"metric": "win_rate", "value": 0.5},))


def faults(suite: Path, result: TournamentResult) -> list[str]:
    described, _ = read_description(suite)
    plan = make_plan(suite, ["random"], suite=True).plan
    assert plan.suite is not None
    return list(find_faults(result, described, plan.suite))


@pytest.mark.slow
def test_a_whole_result_has_no_faults_and_the_ratings_of_the_standings(
    suite: Path, folder: TournamentFolder
) -> None:
    result = scored(folder)
    assert len(result.matches) == (4 + 4) * 3
    assert faults(suite, result) == []
    assert list(find_forgeries(result, result)) == []
    assert list(find_deviations(folder.plan, read_description(suite)[0])) == []
    assert RESULT_CODEC.decode(RESULT_CODEC.encode_file(result)) == result
    standings = make_standings(folder.runs, folder.load_started_runs(), resamples=20)
    again = rate_matches(result.matches, resamples=20)
    assert list(rating_objects(again)) == list(rating_objects(standings.ratings))


Change = Callable[[TournamentResult], TournamentResult]


def drop(result: TournamentResult) -> TournamentResult:
    return replace(result, matches=result.matches[1:])


def repeat(result: TournamentResult) -> TournamentResult:
    return replace(result, matches=(*result.matches, result.matches[0]))


def fail(result: TournamentResult) -> TournamentResult:
    return replace(
        result, matches=(replace(result.matches[0], outcome="error"), *result.matches[1:])
    )


def add(result: TournamentResult) -> TournamentResult:
    return replace(result, matches=(*result.matches, replace(result.matches[0], seed=9)))


def nobody(result: TournamentResult) -> TournamentResult:
    return replace(result, contestants=result.contestants + result.contestants[:1])


def two_works(result: TournamentResult) -> TournamentResult:
    return replace(result, matches=(replace(result.matches[0], work="other"), *result.matches[1:]))


def other_version(result: TournamentResult) -> TournamentResult:
    return replace(result, suite=replace(result.suite, version=2))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (drop, "1 matches are missing"),
        (repeat, "1 matches are duplicate"),
        (add, "1 matches are not of the suite"),
        (fail, "1 matches ended as an error"),
        (nobody, "contestants are not those of the matches"),
        (two_works, "two works"),
        (other_version, "'mine' version 2 .* but this is 'mine' version 1"),
    ],
)
def test_a_result_that_is_not_whole_is_told(
    suite: Path, folder: TournamentFolder, change: Change, fault: str
) -> None:
    [found] = faults(suite, change(scored(folder)))
    assert re.search(fault, found)


def blank(result: TournamentResult) -> TournamentResult:
    return replace(result, matches=tuple(replace(one, events="") for one in result.matches))


def crowd(result: TournamentResult) -> TournamentResult:
    """Return a result with 20,000 contestants, whose pairs would fill the memory."""
    others = tuple(replace(result.contestants[0], name=f"c{n}") for n in range(20_000))
    return replace(result, contestants=(*result.contestants, *others))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (blank, "no hash of its events"),
        (partial(replace, scores=()), "scores are not those of the suite: win_rate"),
        (partial(replace, scores=({"metric": "x"},)), "scores are not those of the suite"),
        (partial(replace, versions={}), "versions of the result are missing"),
        (partial(replace, wordings={}), "wordings of the result are missing"),
        (crowd, "wanted 1200"),
    ],
)
def test_what_a_result_lacks_is_told_without_its_records(
    suite: Path, folder: TournamentFolder, change: Change, fault: str
) -> None:
    assert fault in " ".join(faults(suite, change(scored(folder))))


def test_an_outcome_that_the_record_does_not_have_is_told(folder: TournamentFolder) -> None:
    result = scored(folder)
    first = result.matches[0]
    other: Any = "draw" if first.outcome != "draw" else "civ_win"
    forged = replace(result, matches=(replace(first, outcome=other), *result.matches[1:]))
    [found] = find_forgeries(forged, result)
    assert found.endswith("is not as its record says")


@pytest.mark.parametrize(
    "change", [{"uncounted": "x"}, {"work": "other"}, {"events": ""}, {"script": "x"}]
)
def test_whatever_a_result_says_of_a_match_is_compared_with_its_record(
    folder: TournamentFolder, change: dict[str, str]
) -> None:
    result = scored(folder)
    forged = replace(result, matches=(replace(result.matches[0], **change), *result.matches[1:]))  # pyright: ignore[reportArgumentType]
    assert len(list(find_forgeries(forged, result))) == 1


def test_contestants_versions_and_wordings_are_compared_with_the_records(
    folder: TournamentFolder,
) -> None:
    result = scored(folder)
    first, *others = result.contestants
    forged = replace(
        result,
        contestants=(replace(first, served="gpt-9"), *others),
        versions={"vllm": "9"},
        wordings={},
    )
    assert [line.split()[1] for line in find_forgeries(forged, result)] == [
        "contestants",
        "versions",
        "wordings",
    ]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"deadline": 9.0}, "deadline of the tournament differs"),
        ({"opponents": ("oracle",)}, "opponents of the tournament differs"),
        ({"games": ()}, "game 'whodunit' of the tournament differs"),
    ],
)
def test_a_tournament_that_is_not_played_as_its_suite_wants_is_told(
    suite: Path, folder: TournamentFolder, change: dict[str, object], fault: str
) -> None:
    plan = folder.plan
    if not change.get("games", True):
        [game] = plan.games
        change = {"games": (replace(game, seeds=9),)}
    found = find_deviations(replace(plan, **change), read_description(suite)[0])  # pyright: ignore[reportArgumentType]
    [said] = found
    assert said.startswith(fault)


def test_figures_agree_up_to_rounding_and_nothing_else() -> None:
    one = {"elo": 1500.0, "low": None, "works": 9, "flags": ["a"]}
    assert is_same_value([one], ({**one, "elo": 1500.0001},))
    for other in ({**one, "elo": 1502.0}, {**one, "low": 1.0}, {**one, "flags": []}, {"elo": 1500}):
        assert not is_same_value([one], [other])
    assert not is_same_value([one], [])
    assert not is_same_value(True, 2)
    assert not is_same_value(1000, 1001)
    assert not is_same_value(1500.0, 1500.01)


def test_only_finished_tournaments_of_a_suite_have_a_result(
    suite: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    started = create_tournament(tmp_path / "out", make_plan(suite, ["random"], suite=True))
    with pytest.raises(ConfigError, match="9 matches are missing, such as whodunit/harbour-en-s0"):
        make_result(started)
    loaded: LoadedScript = save_case(tmp_path_factory.mktemp("scripts") / "harbour")
    with pytest.raises(ConfigError, match="plays no suite"):
        make_result(planned(tmp_path / "own", [loaded]))


@pytest.mark.slow
def test_what_served_every_run_is_in_the_result(suite: Path, tmp_path: Path) -> None:
    folder = create_tournament(tmp_path / "out", make_plan(suite, ["random"], suite=True))
    play(folder)
    grown = add_contestants(folder, ("first",))
    play(grown)
    for name, version in (("whodunit", "0.1"), ("whodunit-2", "0.2")):
        path = grown.run_path(name) / "run.json"
        found = json.loads(path.read_text())
        found["versions"]["packages"] = {"vllm": version}
        found["contestants"][0]["model"] = "m"
        found["servers"] = {"m": {"served": "vl", "identities": [{"version": version}]}}
        path.write_text(json.dumps(found))
    result = make_result(grown)
    assert result.versions == {"vllm": "0.1, 0.2"}
    assert result.contestants[0].served == "vl"
    assert result.contestants[0].identities == ({"version": "0.1"}, {"version": "0.2"})
