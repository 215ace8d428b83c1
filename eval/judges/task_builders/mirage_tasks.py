"""Tasks of MIRAGE's abilities and of the reconstruction of scripts."""

from collections.abc import Iterator

from eval.judges.scales import TEXT, Scale
from eval.judges.task_builders.judge_scene import JudgeScene
from eval.judges.tasks import Task
from eval.metrics.papers.mirage_abilities import ABILITIES, MOST, PREFIX, script_parts


def ability_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield the five abilities of every seat: from opening, script, clues, speech and truth."""
    for seat in scene.seats:
        shown = (
            scene.opening(),
            scene.truth(),
            scene.private_script(seat),
            scene.clues(seat),
            scene.transcript(),
        )
        material = "\n\n".join(filter(None, shown))
        for name in ABILITIES:
            ability = scene.say(f"ask.{PREFIX}{name}").strip()
            yield Task(
                metric=f"{PREFIX}{name}",
                match=scene.match.id,
                seat=seat,
                language=scene.language,
                material=material,
                demand=scene.say("ask.MIRAGE_bands", ability=ability, seat=seat),
                scale=Scale(form="number", high=MOST),
                given=scene.own_text(seat),
            )


def reconstruction_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield a task per script part of every seat: reconstruct it from the speech only."""
    for seat in scene.seats:
        material = "\n\n".join(filter(None, (scene.opening(), scene.transcript())))
        for part, text in script_parts(scene.match, seat).items():
            if text.strip():
                yield Task(
                    metric=f"{PREFIX}RL",
                    match=scene.match.id,
                    seat=seat,
                    about=part,
                    language=scene.language,
                    material=material,
                    demand=scene.say(
                        "ask.MIRAGE_RL",
                        seat=seat,
                        part=part,
                        meaning=scene.say(f"ask.part_{part}"),
                    ),
                    scale=TEXT,
                    given=scene.own_text(seat),
                )
