"""Matches that a metric cannot judge, and why."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from eval.judges.task_builders.answer_tasks import FreeAnswer
from eval.judges.task_builders.judge_scene import JudgeScene
from eval.judges.task_builders.people_tasks import SWAPPED
from eval.judges.task_builders.task_catalogue import (
    FREE_ANSWERS,
    MATCH_TASKS,
    PREFERENCE,
    make_tasks,
)
from eval.played_match import PlayedMatch

_NO_KEYS: Final = "the script has no key statements"
_NO_CONCLUSION: Final = "no civilian was asked for a conclusion"
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "RP": "nobody has a seat",
        "SPC": _NO_KEYS,
        "SPC_table": _NO_KEYS,
        "CMD": _NO_CONCLUSION,
        "CMD_parts": _NO_CONCLUSION,
        "ICI": "nobody has a seat",
        "RL": "the private scripts have no parts",
        "human": "nobody spoke",
        "werewolf": "nobody spoke",
        "key_mentions": f"{_NO_KEYS}, or nobody spoke",
        "key_distortions": f"{_NO_KEYS}, or nobody spoke",
        FREE_ANSWERS: "the file has no answers of the match",
        PREFERENCE: "no match of the run has its sides exchanged, or no seat spoke in both",
    }
)
"""Why a match has nothing to judge, by the name of what is judged."""
_NOT_PLAYED: Final = "the match has no result (a forfeit or an error)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Matches of a run that one metric leaves out."""

    metric: str
    """Empty: every metric leaves them out."""
    left_out: int
    matches: int
    """Of so many."""
    reason: str

    def __str__(self) -> str:
        """Return it as a line."""
        whom = f"{self.metric}: " if self.metric else ""
        return f"{whom}{self.left_out} of {self.matches} matches not judged: {self.reason}"


def find_gaps(
    matches: Sequence[PlayedMatch], metrics: Sequence[str], answers: Sequence[FreeAnswer] = ()
) -> Iterator[Gap]:
    """Yield what is left out: once the matches without a result, then of each metric the rest."""
    played = [match for match in matches if match.is_played]
    count = len(matches)
    if missing := count - len(played):
        yield Gap(metric="", left_out=missing, matches=count, reason=_NOT_PLAYED)
    for name in metrics:
        if missing := len(played) - len(_matches_with_tasks(played, name, answers)):
            yield Gap(metric=name, left_out=missing, matches=count, reason=REASONS[name])


def _matches_with_tasks(
    matches: Sequence[PlayedMatch], name: str, answers: Sequence[FreeAnswer]
) -> Collection[str]:
    """Return the matches in which there is something to judge."""
    if name in MATCH_TASKS:
        # The first task is enough to know, and the only one that is made.
        scenes = map(JudgeScene, matches)
        return {one.match.id for one in scenes if next(iter(MATCH_TASKS[name](one)), None)}
    tasks = make_tasks(matches, [name], answers)
    return {match for task in tasks for match in (task.match, *_twin(task.about, name))}


def _twin(about: str, name: str) -> Sequence[str]:
    """Return the second match of a comparison."""
    return (about.removesuffix(f"/{SWAPPED}"),) if name == PREFERENCE else ()
