"""WhodunitBench's chain: accuracy by kind and steps, whom a seat questioned, and the average."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.actions import Action, Reply
from arena.core.purposes import TARGET
from arena.core.requests import DecisionRequest
from arena.games.whodunit.options import WhodunitOptions
from eval.metrics.catalogue import METRICS
from eval.metrics.papers.whodunitbench import (
    COLUMNS,
    average_columns,
    interaction_decision,
    measure_dropped_key_roles,
    measure_itd,
    measure_itd_innocent,
    measure_itd_random,
    measure_steps,
    random_interaction,
)
from eval.played_match import PlayedMatch
from eval.scores import Score, pooled_rate
from scripts_mm.script import Question, Script
from tests.eval.made import (
    drawn,
    made,
    play,
    quiz,
)
from tests.table import MURDERER, NAMES, case

ADA, BRAM, CLEO, DIRK, EDDA = NAMES


def question(name: str, kind: str, **values: Any) -> Question:
    given: dict[str, Any] = {"options": ("a", "b", "c", "d"), "keys": (0,), **values}
    return Question(id=name, kind=kind, stem="?", **given)  # pyright: ignore[reportArgumentType]


def with_key_roles(*names: str) -> Script:
    script = case()
    return replace(script, truth=replace(script.truth, key_roles=names))


def asking(script: Script, targets: dict[str, str], rounds: int = 1) -> PlayedMatch:
    """Return a match in which each seat puts its questions to one target."""
    rest = drawn()

    def answer(request: DecisionRequest) -> Action:
        found = rest(request)
        assert isinstance(found, Reply)
        values = tuple(
            (name, targets.get(request.seat, value) if name == TARGET else value)
            for name, value in found.values
        )
        return replace(found, values=values)

    return play("whodunit", script, WhodunitOptions(rounds=rounds), answer)


def values(found: Any) -> dict[str, float | None]:
    return {score.seat: score.value for score in found}


def scores(match: PlayedMatch, name: str) -> list[Score]:
    return list(METRICS[name].measure(match))


def test_each_kind_of_question_has_its_column() -> None:
    script = replace(
        case(),
        questions=(
            question("own", "lsu", role=ADA),
            question("letter", "tiu"),
            question("plan", "miu"),
            question("map", "miu"),
            question("why", "mmr"),
            question("other", "rea"),
        ),
    )
    probes = (
        quiz(ADA, "own", (0,)),
        quiz(ADA, "letter", (1,)),
        quiz(ADA, "plan", (0,)),
        quiz(ADA, "map", None),
        quiz(BRAM, "plan", (0,)),
        quiz(BRAM, "why", (0,), "quiz_before"),
    )
    match = made(script=script, probes=probes)
    assert values(scores(match, "LSU")) == {ADA: 1}
    assert values(scores(match, "TIU")) == {ADA: 0}
    assert values(scores(match, "MIU")) == {ADA: 0.5, BRAM: 1}
    assert pooled_rate(scores(match, "MIU")) == 2 / 3
    assert [(one.seat, one.group) for one in scores(match, "MMR")] == [(BRAM, "before")]


def test_reasoning_is_broken_down_by_steps() -> None:
    steps = (0, 1, 5, 9, None)
    script = replace(
        case(),
        questions=tuple(
            question(f"q{number}", "mmr", hops=hops) for number, hops in enumerate(steps)
        ),
    )
    match = made(script=script, probes=tuple(quiz(ADA, f"q{n}", (n % 2,)) for n in range(5)))
    found = {one.group: (one.numerator, one.denominator) for one in measure_steps(match)}
    assert found == {
        "0 steps": (1, 1),
        "1 steps": (0, 1),
        "5 steps and more": (1, 2),
        "steps not stated": (1, 1),
    }


def test_key_roles_that_were_questioned_count_once() -> None:
    match = asking(with_key_roles(BRAM, DIRK), {ADA: BRAM, EDDA: ADA, BRAM: DIRK}, rounds=2)
    found = values(measure_itd(match))
    assert found[ADA] == 0.5
    assert found[EDDA] == 0
    assert found[BRAM] == 1, "it is no key role for itself"
    assert MURDERER not in found


def test_the_murderer_may_be_the_only_key_role() -> None:
    match = asking(with_key_roles(MURDERER), {ADA: MURDERER, BRAM: ADA})
    found = values(measure_itd(match))
    assert (found[ADA], found[BRAM]) == (1, 0)
    assert set(values(measure_itd_innocent(match)).values()) == {None}


def test_a_key_role_that_is_no_seat_is_dropped_and_told() -> None:
    match = asking(with_key_roles(BRAM, "The Ghost"), {ADA: BRAM})
    assert values(measure_itd(match))[ADA] == 1
    assert [score.value for score in measure_dropped_key_roles(match)] == [1]


def test_random_questions_reach_some_key_roles() -> None:
    match = asking(with_key_roles(BRAM), {}, rounds=2)
    found = values(measure_itd_random(match))
    assert found[ADA] == pytest.approx(1 - (3 / 4) ** 2)
    assert BRAM not in found, "nobody is left whom it could question"
    assert random_interaction(5, 1) == 25
    assert random_interaction(5, 0) == 0
    assert random_interaction(2, 1) == 100
    assert random_interaction(1, 1) is None


def test_a_script_without_key_roles_and_a_match_without_questions_have_no_itd() -> None:
    for match in (asking(case(), {}), made(script=with_key_roles(BRAM))):
        assert not list(measure_itd(match))
        assert not list(measure_itd_random(match))
    assert not list(measure_dropped_key_roles(asking(case(), {})))
    assert interaction_decision([ADA], []) == (0, 0)
    assert interaction_decision([ADA], [BRAM], BRAM) == (0, 0)


def test_role_play_moves_the_average_by_its_scale() -> None:
    columns = dict.fromkeys(COLUMNS, 40.0) | {"RP": 8.0}
    assert average_columns(columns) == 36
    assert average_columns(columns, rp_times=10) == 45
    assert average_columns({**columns, "CMD": None}) is None
    assert average_columns({}) is None
