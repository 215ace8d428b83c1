"""Multiple choice, WhodunitBench's chain of evaluation, WellPlay's points, and cost."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from string import ascii_lowercase
from typing import Any

from eval.figures import summarise
from eval.metrics import catalogue
from eval.metrics.blind_votes import chance_corrected
from eval.metrics.call_costs import throughput
from eval.metrics.judgements import Judgement, scenario_progression, score_judgements
from eval.metrics.multiple_choice import constant_accuracies, grade, parse_letters, random_accuracy
from eval.metrics.papers.wellplay import full_score, overall
from eval.metrics.papers.whodunitbench import average_columns, interaction_decision
from eval.rounding import round_half_up
from eval.scores import Score
from scripts_mm.script import AnswerMode, Question
from tests.eval.made import made, quiz
from tests.eval.metrics.speeches import said
from tests.table import NAMES, case

MODES: Mapping[str, AnswerMode] = {"single": "one", "pick": "two", "multi": "set"}


def grade_mcq(given: dict[str, Any]) -> bool | None:
    letters = given["options"]
    return grade(
        MODES[given["kind"]],
        [letters.index(key) for key in given["key"]],
        parse_letters(given["answer"], letters),
        pick=given.get("pick", 2),
    )


def mcq_chance(given: dict[str, Any]) -> float:
    mode = MODES[given["kind"]]
    return random_accuracy(mode, given["options"], given["keys"], pick=given.get("pick", 2))


def constant_letter(given: dict[str, Any]) -> dict[str, float]:
    keys = [(ascii_lowercase.index(key),) for key in given["keys"]]
    shares = constant_accuracies(keys, given["options"])
    return {**dict(zip(ascii_lowercase, shares, strict=False)), "best": max(shares)}


def coe_average(given: dict[str, Any]) -> float:
    assert given["rp_scale"] == 10, "RP stays on its scale of 0 to 10"
    mean = average_columns(given["columns"])
    assert mean is not None
    return round_half_up(mean, given["places"])


def percent(given: dict[str, Any]) -> float:
    """Return the accuracy of a seat that was quizzed on its script, as tables print it."""
    numbers = range(given["total"])
    questions = tuple(
        Question(id=str(n), kind="lsu", stem="?", options=("a", "b"), keys=(0,)) for n in numbers
    )
    answers = tuple(quiz(NAMES[0], str(n), (int(n >= given["correct"]),)) for n in numbers)
    asked = made(script=replace(case(), questions=questions), probes=answers)
    metric = catalogue.METRICS["LSU"]
    share = macro(metric.measure(asked))
    assert share is not None
    return round_half_up(metric.scale * share, given["places"])


def role_play(given: dict[str, Any]) -> float | None:
    """Return RP of seats that all spoke and were judged so."""
    judged = [
        Judgement(metric="RP", seat=seat, value=value)
        for seat, value in zip(NAMES, given["scores"], strict=False)
    ]
    return macro(score_judgements(made(*(said(seat, "x") for seat in NAMES)), judged))


def macro(scores: Iterable[Score]) -> float | None:
    [figure] = summarise(scores, ())
    return figure.macro


def share(counts: tuple[float, float], times: float = 1) -> float | None:
    part, whole = counts
    return times * part / whole if whole else None


METRICS: Mapping[str, Callable[[Any], Any]] = {
    "grade_mcq": grade_mcq,
    "mcq_chance": mcq_chance,
    "constant_letter": constant_letter,
    "chance_corrected": lambda given: share(chance_corrected([(given["score"], given["chance"])])),
    "coe_average": coe_average,
    "accuracy_percent": percent,
    "spc": lambda given: share(
        scenario_progression(given["mentioned"], given["key_statements"]), 100
    ),
    "itd": lambda given: share(interaction_decision(given["questioned"], given["key_roles"]), 100),
    "itd_role": lambda given: share(
        interaction_decision(given["questioned"], given["key_roles"], given["asker"]), 100
    ),
    "rp_mean": role_play,
    "wellplay_overall": lambda given: share(
        overall(given["accuracy"], given["questions"], given["points"])
    ),
    "wellplay_full_score": lambda given: full_score(given["questions"], given["points"]),
    "throughput": lambda given: asdict(throughput(**given)),
}
