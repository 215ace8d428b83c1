"""Tasks in which a model replaces people's ratings: five questionnaire items, werewolf axes.

Questum, Table 7; Werewolf, Table 5. `preference` compares a seat in the two matches of a swap.
"""

import re
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from eval.judges.scales import PAIR, Scale
from eval.judges.task_builders.judge_scene import JudgeScene
from eval.judges.tasks import Task
from eval.metrics.papers.questionnaire import DIMENSIONS, HIGHEST, LOWEST, Dimension
from eval.metrics.papers.werewolf import AXES
from eval.played_match import Utterance

ANY_SITUATION: Final = AXES[:3]
DECEPTION, CLOSING = AXES[3:]
SWAPPED: Final = "swapped"
"""The suffix of `about` for a comparison that shows the second match first."""
_SPEED: Final = "response_speed"
_RATING: Final = Scale(form="number", low=LOWEST, high=HIGHEST)
_WOLF: Final = re.compile(r"were?wol[fv]|\bwol(?:f|ves)\b|狼", re.IGNORECASE)
_SEER: Final = re.compile(r"\bseer\b|divin|预言|占|验", re.IGNORECASE)


def form_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield the questionnaire's items on every seat that spoke."""
    for seat in scene.seats:
        for item in DIMENSIONS if scene.utterances_of(seat) else ():
            seconds = _write_seconds(scene, seat)
            if item.name != _SPEED or seconds:
                shown = (
                    f"{scene.transcript()}\n\n{seconds}"
                    if item.name == _SPEED
                    else scene.transcript()
                )
                yield _form_task(scene, seat, item, shown)


def axis_tasks(scene: JudgeScene) -> Iterator[Task]:
    """Yield the ratings of a seat's speech on a day, for the axes whose situation occurred.

    Deception: a speaker who mentioned the seer has called the seat, a werewolf, a wolf. Closing:
    its last words of the day.
    """
    for state, talk in scene.phases():
        for seat in dict.fromkeys(one.seat for one in talk):
            own = [one for one in talk if one.seat == seat]
            shown = scene.say("part.talk", text=scene.render_utterances(talk))
            for axis in ANY_SITUATION:
                yield _axis_task(scene, axis, seat, state, shown, own)
            if after := _after_accusation(scene, talk, seat):
                yield _axis_task(scene, DECEPTION, seat, state, shown, after)
            yield _axis_task(scene, CLOSING, seat, state, shown, own[-1:])


def preference_tasks(first: JudgeScene, second: JudgeScene) -> Iterator[Task]:
    """Yield the comparisons of every seat in two matches, each in both orders."""
    for seat in first.seats:
        if seat not in second.seats or not (
            first.utterances_of(seat) and second.utterances_of(seat)
        ):
            continue
        for shown, other, suffix in ((first, second, ""), (second, first, f"/{SWAPPED}")):
            parts = (
                first.say("part.first", text=shown.exchanges(seat)),
                first.say("part.second", text=other.exchanges(seat)),
            )
            yield Task(
                metric="preference",
                match=first.match.id,
                seat=seat,
                about=f"{second.match.id}{suffix}",
                language=first.language,
                material="\n\n".join(parts),
                demand=first.say("ask.preference"),
                scale=PAIR,
                given=shown.own_text(seat),
                points=(other.own_text(seat),),
            )


def _form_task(scene: JudgeScene, seat: str, item: Dimension, shown: str) -> Task:
    language = scene.language
    demand = scene.say(
        "ask.form",
        seat=seat,
        title=item.title[language],
        low=item.low[language],
        high=item.high[language],
    )
    return Task(
        metric=item.name,
        match=scene.match.id,
        seat=seat,
        language=language,
        material=shown,
        demand=demand,
        scale=_RATING,
        given=scene.own_text(seat),
    )


def _axis_task(
    scene: JudgeScene, axis: str, seat: str, state: str, shown: str, own: Sequence[Utterance]
) -> Task:
    say = scene.say
    judged = say("part.own", seat=seat, text=scene.render_utterances(own))
    anchors = {"low": say(f"axis.{axis}_low"), "high": say(f"axis.{axis}_high")}
    return Task(
        metric=axis,
        match=scene.match.id,
        seat=seat,
        about=state,
        language=scene.language,
        material=f"{shown}\n\n{judged}",
        demand=say("ask.axis", seat=seat, **anchors),
        scale=_RATING,
        given=scene.mask_names("\n".join(one.text for one in own)),
    )


def _after_accusation(scene: JudgeScene, talk: Sequence[Utterance], seat: str) -> list[Utterance]:
    """Return a werewolf's utterances after an accusation that cites the seer."""
    if seat not in scene.match.murderers:
        return []
    for number, one in enumerate(talk):
        named = seat.casefold() in one.text.casefold()
        if one.seat != seat and named and _WOLF.search(one.text) and _SEER.search(one.text):
            return [later for later in talk[number + 1 :] if later.seat == seat]
    return []


def _write_seconds(scene: JudgeScene, seat: str) -> str:
    """Return the times of the seat's replies in words; empty if unknown."""
    took = [
        call.completion.seconds
        for call_id, call in scene.match.calls().items()
        if call_id.seat == seat and not call_id.off_path and call.completion is not None
    ]
    if not took:
        return ""
    longest = f"{max(took):.1f}"
    return scene.say("part.seconds", seat=seat, median=f"{median(took):.1f}", longest=longest)
