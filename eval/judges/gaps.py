"""Matches that a metric cannot judge, with the reason."""

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
        "RP": "no seat is filled",
        "SPC": _NO_KEYS,
        "SPC_table": _NO_KEYS,
        "CMD": _NO_CONCLUSION,
        "CMD_parts": _NO_CONCLUSION,
        "ICI": "no seat is filled",
        "RL": "the private scripts have no parts",
        "human": "no seat spoke",
        "werewolf": "no seat spoke",
        "key_mentions": f"{_NO_KEYS}, or no seat spoke",
        "key_distortions": f"{_NO_KEYS}, or no seat spoke",
        FREE_ANSWERS: "the file has no answers of the match",
        PREFERENCE: "no match of the run has a swapped twin, or no seat spoke in both",
    }
)
"""The reason why a match has nothing to judge, by judged metric."""
_NOT_PLAYED: Final = "the match has no result (a forfeit or an error)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Matches of a run that one metric omits."""

    metric: str
    """Empty: every metric omits them."""
    left_out: int
    matches: int
    """The number of matches of the run."""
    reason: str

    def __str__(self) -> str:
        """Return the gap as one line."""
        whom = f"{self.metric}: " if self.metric else ""
        return f"{whom}{self.left_out} of {self.matches} matches not judged: {self.reason}"


def find_gaps(
    matches: Sequence[PlayedMatch], metrics: Sequence[str], answers: Sequence[FreeAnswer] = ()
) -> Iterator[Gap]:
    """Yield the gaps: first matches without a result, then the further ones of each metric."""
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
    """Return the matches with at least one task."""
    if name in MATCH_TASKS:
        # Building the first task is enough.
        scenes = map(JudgeScene, matches)
        return {one.match.id for one in scenes if next(iter(MATCH_TASKS[name](one)), None)}
    tasks = make_tasks(matches, [name], answers)
    return {match for task in tasks for match in (task.match, *_twin(task.about, name))}


def _twin(about: str, name: str) -> Sequence[str]:
    """Return the second match of a comparison, if `name` is one."""
    return (about.removesuffix(f"/{SWAPPED}"),) if name == PREFERENCE else ()
