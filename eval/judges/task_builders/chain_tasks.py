"""Tasks of WhodunitBench's judged scores, and of key-fact propagation."""

from collections.abc import Iterator

from arena.core.quoting import quote
from eval.judges.scales import PARTS, Scale
from eval.judges.task_builders.judge_scene import JudgeScene
from eval.judges.tasks import Task

CMD_SCALE = Scale(form="number", high=100)


def role_play_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield RP of every seat, from its speech and the preceding lines."""
    for seat in scene.seats:
        yield Task(
            metric="RP",
            match=scene.match.id,
            seat=seat,
            language=scene.language,
            material=scene.exchanges(seat),
            demand=scene.say("ask.RP", seat=seat),
            scale=Scale(form="number", high=10),
            is_silent=not scene.utterances_of(seat),
            samples=3,
            given=scene.own_text(seat),
        )


def progress_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield SPC of every seat, from its own utterances."""
    if scene.match.script.truth.key_clues:
        for seat in scene.seats:
            yield _points_task(scene, "SPC", scene.own_lines(seat), scene.own_text(seat), seat)


def table_progress_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield SPC of all civilians together."""
    truth, match = scene.match.script.truth, scene.match
    if not truth.key_clues:
        return
    civilians = set(match.started.members("civilians"))
    spoken = [one for one in match.utterances if one.seat in civilians]
    material = scene.say("part.talk", text=scene.render_utterances(spoken))
    given = scene.mask_names("\n".join(one.text for one in spoken))
    yield _points_task(scene, "SPC", material, given, demand="ask.SPC_table")


def mention_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield a task per utterance: the key statements that it contains."""
    yield from _utterance_tasks(scene, "key_mentions")


def distortion_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield a task per utterance: the key statements whose meaning it changes."""
    yield from _utterance_tasks(scene, "key_distortions")


def detail_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield CMD of every civilian seat that was asked for a conclusion."""
    yield from _conclusion_tasks(scene, "CMD", CMD_SCALE)


def detail_part_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield CMD with method and motive scored separately."""
    yield from _conclusion_tasks(scene, "CMD_parts", PARTS)


def _conclusion_tasks(scene: JudgeScene, metric: str, scale: Scale) -> Iterator[Task]:
    truth = scene.match.script.truth
    for seat in scene.match.started.members("civilians"):
        text = scene.conclusion(seat)
        if text is not None:
            stated = scene.say("part.conclusion", seat=seat, text=quote(text))
            yield Task(
                metric=metric,
                match=scene.match.id,
                seat=seat,
                language=scene.language,
                material=f"{scene.truth()}\n\n{stated}",
                demand=scene.say(f"ask.{metric}"),
                scale=scale,
                is_silent=not text.strip(),
                given=text,
                points=(truth.method or truth.text, truth.motive or truth.text),
            )


def _utterance_tasks(scene: JudgeScene, metric: str) -> Iterator[Task]:
    if not scene.match.script.truth.key_clues:
        return
    for one in scene.match.utterances:
        shown = scene.say("part.utterance", seat=one.seat, text=scene.quote_text(one.text))
        yield _points_task(
            scene, metric, shown, scene.mask_names(one.text), one.seat, str(one.event)
        )


def _points_task(  # noqa: PLR0913, PLR0917 - the varying parts of a key-statement task
    scene: JudgeScene,
    metric: str,
    shown: str,
    given: str,
    seat: str = "",
    about: str = "",
    demand: str = "",
) -> Task:
    keys = scene.match.script.truth.key_clues
    return Task(
        metric=metric,
        match=scene.match.id,
        seat=seat,
        about=about,
        language=scene.language,
        material=f"{scene.statements()}\n\n{shown}",
        demand=scene.say(demand or f"ask.{metric}", seat=seat),
        scale=Scale(form="points", low=1, high=len(keys)),
        is_silent=not given.strip(),
        given=given,
        points=tuple(key.text for key in keys),
    )
