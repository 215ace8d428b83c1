"""The judged metrics, by their names on the command line."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from arena.errors import ConfigError
from eval.judges.task_builders import chain_tasks, mirage_tasks, people_tasks
from eval.judges.task_builders.answer_tasks import FreeAnswer, answer_tasks
from eval.judges.task_builders.judge_scene import JudgeScene
from eval.judges.tasks import Task
from eval.played_match import PlayedMatch

TaskBuilder = Callable[[JudgeScene], Iterable[Task]]

MATCH_TASKS: Mapping[str, TaskBuilder] = MappingProxyType(
    {
        "RP": chain_tasks.role_play_tasks,
        "SPC": chain_tasks.progress_tasks,
        "SPC_table": chain_tasks.table_progress_tasks,
        "CMD": chain_tasks.detail_tasks,
        "CMD_parts": chain_tasks.detail_part_tasks,
        "ICI": mirage_tasks.ability_tasks,
        "RL": mirage_tasks.reconstruction_tasks,
        "human": people_tasks.form_tasks,
        "werewolf": people_tasks.axis_tasks,
        "key_mentions": chain_tasks.mention_tasks,
        "key_distortions": chain_tasks.distortion_tasks,
    }
)
"""ICI: the five abilities, which give SCI together with RL. human: the questionnaire's five
items."""
FREE_ANSWERS: Final = "free_answers"
"""Facts and rationales; needs a file of answers."""
PREFERENCE: Final = "preference"
"""The same seat in both matches of a swap."""
NAMES: Final = (*MATCH_TASKS, FREE_ANSWERS, PREFERENCE)
DEFAULT: Final = ("RP", "SPC", "CMD")


def parse_metrics(text: str) -> tuple[str, ...]:
    """Parse a comma-separated list of names; raises `ConfigError`; empty text: the default.

    SCI expands to its components.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    wanted = [one for name in names for one in (("ICI", "RL") if name == "SCI" else (name,))]
    for name in wanted:
        if name not in NAMES:
            raise ConfigError(f"no judged metric {name!r}; there are: {', '.join(NAMES)}, SCI")
    return tuple(dict.fromkeys(wanted)) or DEFAULT


def make_tasks(
    matches: Sequence[PlayedMatch],
    metrics: Sequence[str],
    answers: Sequence[FreeAnswer] = (),
) -> tuple[Task, ...]:
    """Return the tasks of played matches, grouped by seat."""
    return tuple(_make(matches, metrics, answers))


def _make(
    matches: Sequence[PlayedMatch], metrics: Sequence[str], answers: Sequence[FreeAnswer]
) -> Iterator[Task]:
    scenes = {match.id: JudgeScene(match) for match in matches if match.is_played}
    for scene in scenes.values():
        for name in metrics:
            if name in MATCH_TASKS:
                yield from MATCH_TASKS[name](scene)
        if FREE_ANSWERS in metrics:
            yield from answer_tasks(scene, answers)
    if PREFERENCE in metrics:
        for first, second in _twins(scenes):
            yield from people_tasks.preference_tasks(first, second)


def _twins(scenes: Mapping[str, JudgeScene]) -> Iterator[tuple[JudgeScene, JudgeScene]]:
    """Yield the scenes of each match and of its twin with swapped contestants."""
    for name, scene in scenes.items():
        if (twin := scenes.get(f"{name}-swap")) is not None:
            yield scene, twin
