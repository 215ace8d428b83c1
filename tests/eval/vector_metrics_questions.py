"""Multiple choice, WhodunitBench's chain of evaluation, WellPlay's points, and cost."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from string import ascii_lowercase
from typing import Any

from eval.metrics.chain import accuracy_percent, average_columns, interaction_decision
from eval.metrics.chance import chance_corrected
from eval.metrics.choice import constant_accuracies, grade, parse_letters, random_accuracy
from eval.metrics.cost import throughput
from eval.metrics.judged import role_play, scenario_progression
from eval.metrics.wellplay import full_score, overall
from eval.rounding import round_half_up
from scripts_mm.script import AnswerMode

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
    share = accuracy_percent(given["correct"], given["total"])
    assert share is not None
    return round_half_up(share, given["places"])


METRICS: Mapping[str, Callable[[Any], Any]] = {
    "grade_mcq": grade_mcq,
    "mcq_chance": mcq_chance,
    "constant_letter": constant_letter,
    "chance_corrected": lambda given: chance_corrected(given["score"], given["chance"]),
    "coe_average": coe_average,
    "accuracy_percent": percent,
    "spc": lambda given: scenario_progression(given["mentioned"], given["key_statements"]),
    "itd": lambda given: interaction_decision(given["questioned"], given["key_roles"]),
    "itd_role": lambda given: interaction_decision(
        given["questioned"], given["key_roles"], given["asker"]
    ),
    "rp_mean": lambda given: role_play(given["scores"]),
    "wellplay_overall": lambda given: overall(
        given["accuracy"], given["questions"], given["points"]
    ),
    "wellplay_full_score": lambda given: full_score(given["questions"], given["points"]),
    "throughput": lambda given: asdict(throughput(**given)),
}
