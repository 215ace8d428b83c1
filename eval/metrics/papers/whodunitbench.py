"""WhodunitBench's chain of evaluation: perception, role-play, interaction and conclusion."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from arena.core.events import QuestionAsked
from arena.core.purposes import Purpose
from eval.metrics.quiz_metrics import GradedAnswer, group_answers, moment_of
from eval.played_match import PlayedMatch
from eval.rounding import exact_mean
from eval.scores import Metric, Score, make_score
from scripts_mm.script import QuestionKind

COLUMNS: Final = ("LSU", "TIU", "MIU", "RP", "SPC", "ITD", "MMR", "CMD")
"""The columns of Table 3."""
MOST_STEPS: Final = 5
"""Questions with this many steps or more are one group."""
_KINDS: Mapping[str, QuestionKind] = {"LSU": "lsu", "TIU": "tiu", "MIU": "miu", "MMR": "mmr"}


def interaction_decision(
    questioned: Iterable[str], key_roles: Iterable[str], asker: str = ""
) -> tuple[int, int]:
    """Return the number of questioned and of all key roles: ITD is their ratio (section 5.1).

    The asker itself does not count as a key role.
    """
    keys = set(key_roles) - {asker}
    return len(keys & set(questioned)), len(keys)


def random_interaction(seats: int, questions: int) -> float | None:
    """Return ITD of questions put to random other seats, 0..100; None: there is no other seat."""
    others = seats - 1
    return 100 * (1 - ((others - 1) / others) ** questions) if others > 0 else None


def average_columns(columns: Mapping[str, float | None], *, rp_times: int = 1) -> float | None:
    """Return `coe_avg`: the unweighted mean of the eight columns, RP on its scale of 0..10.

    `rp_times=10` is `coe_avg100`, with RP on the scale of the others. None: a column is missing.
    """
    values = [columns.get(name) for name in COLUMNS]
    known = [
        value * (rp_times if name == "RP" else 1)
        for name, value in zip(COLUMNS, values, strict=True)
        if value is not None
    ]
    mean = exact_mean(known)
    return None if mean is None or len(known) < len(COLUMNS) else float(mean)


def _measure_questions(name: str) -> Callable[[PlayedMatch], Iterator[Score]]:
    def measure(match: PlayedMatch) -> Iterator[Score]:
        for seat, moment, answers in group_answers(match, moment_of):
            yield from _accuracy(match, name, seat, moment, _of_kind(answers, name))

    return measure


def measure_steps(match: PlayedMatch) -> Iterator[Score]:
    """Yield MMR of each seat by the number of steps of a question."""
    for seat, steps, answers in group_answers(match, _steps):
        yield from _accuracy(match, "MMR_steps", seat, steps, _of_kind(answers, "MMR"))


def measure_itd(match: PlayedMatch) -> Iterator[Score]:
    """Yield ITD of each civilian seat, over the key roles that are seats."""
    yield from _itd(match, "ITD", _key_roles(match))


def measure_itd_innocent(match: PlayedMatch) -> Iterator[Score]:
    """Yield ITD of each civilian seat without the murderer among the key roles."""
    guilty = set(match.murderers)
    yield from _itd(match, "ITD_innocent", [one for one in _key_roles(match) if one not in guilty])


def measure_itd_random(match: PlayedMatch) -> Iterator[Score]:
    """Yield ITD if the seat questioned random others."""
    seats, asked = match.started.seats, Counter(seat for seat, _ in _questions(match))
    for seat in _askers(match):
        if set(_key_roles(match)) - {seat}:
            level = random_interaction(len(seats), asked[seat])
            value = None if level is None else level / 100
            yield make_score(match, "ITD_random", value=value, seat=seat)


def measure_dropped_key_roles(match: PlayedMatch) -> Iterator[Score]:
    """Yield the number of key roles that are not seats and cannot be questioned."""
    named = match.script.truth.key_roles
    if named:
        dropped = len(set(named) - set(match.started.seats))
        yield make_score(match, "ITD_dropped", value=float(dropped))


def _accuracy(
    match: PlayedMatch, metric: str, seat: str, group: str, answers: Sequence[GradedAnswer]
) -> Iterator[Score]:
    if answers:
        yield make_score(
            match,
            metric,
            numerator=sum(one.right for one in answers),
            denominator=len(answers),
            seat=seat,
            group=group,
        )


def _of_kind(answers: Iterable[GradedAnswer], name: str) -> tuple[GradedAnswer, ...]:
    return tuple(one for one in answers if one.question.kind == _KINDS[name])


def _steps(answer: GradedAnswer) -> str:
    hops = answer.question.hops
    if hops is None:
        steps = "steps not stated"
    else:
        steps = f"{hops} steps" if hops < MOST_STEPS else f"{MOST_STEPS} steps and more"
    return f"{steps} {moment_of(answer)}".rstrip()


def _key_roles(match: PlayedMatch) -> tuple[str, ...]:
    seats = set(match.started.seats)
    return tuple(one for one in dict.fromkeys(match.script.truth.key_roles) if one in seats)


def _questions(match: PlayedMatch) -> tuple[tuple[str, str], ...]:
    return tuple(
        (event.seat, event.to) for event in match.events if isinstance(event, QuestionAsked)
    )


def _askers(match: PlayedMatch) -> tuple[str, ...]:
    """Return the civilian seats that can ask; none if the script has no key roles."""
    can_ask = {
        request.seat
        for request in match.requests.values()
        if request.purpose in {Purpose.ASK, Purpose.ACT}
    }
    civilians = match.started.members("civilians")
    return tuple(one for one in civilians if one in can_ask and match.script.truth.key_roles)


def _itd(match: PlayedMatch, metric: str, key_roles: Collection[str]) -> Iterator[Score]:
    asked = _questions(match)
    for seat in _askers(match):
        questioned = (to for asker, to in asked if asker == seat)
        reached, keys = interaction_decision(questioned, key_roles, seat)
        yield make_score(match, metric, numerator=reached, denominator=keys, seat=seat)


_QUESTIONS_EN = {
    "LSU": "Long-script understanding: accuracy on questions about the seat's own script.",
    "TIU": "Accuracy on questions about text-rich images.",
    "MIU": "Accuracy on questions about media-rich images.",
    "MMR": "Multi-step reasoning: accuracy on questions of several deductions.",
}
_QUESTIONS_ZH = {
    "LSU": "长剧本理解：关于座位自己剧本的题目的正确率。",
    "TIU": "文字类图片题目的正确率。",
    "MIU": "媒体类图片题目的正确率。",
    "MMR": "多步推理：需要多步推断的题目的正确率。",
}

METRICS = (
    *(
        Metric(
            name=name,
            source="WhodunitBench, 5.1",
            meaning={"en": _QUESTIONS_EN[name], "zh": _QUESTIONS_ZH[name]},
            scale=100,
            measure=_measure_questions(name),
        )
        for name in _KINDS
    ),
    Metric(
        name="MMR_steps",
        source="WhodunitBench, 5.1",
        meaning={
            "en": "MMR by the number of steps of the question.",
            "zh": "按题目推理步数划分的 MMR。",
        },
        scale=100,
        measure=measure_steps,
    ),
    Metric(
        name="ITD",
        source="WhodunitBench, 5.1",
        meaning={
            "en": "Interaction decision: share of the key roles that the seat questioned.",
            "zh": "交互决策：座位提问过的关键角色的比例。",
        },
        scale=100,
        measure=measure_itd,
    ),
    Metric(
        name="ITD_innocent",
        source="own",
        meaning={
            "en": "The same without the murderer among the key roles.",
            "zh": "同上，关键角色不含凶手。",
        },
        scale=100,
        measure=measure_itd_innocent,
    ),
    Metric(
        name="ITD_random",
        source="own",
        meaning={
            "en": "ITD of as many questions to random other seats.",
            "zh": "同样多的提问随机选择对象时的 ITD。",
        },
        better="none",
        scale=100,
        measure=measure_itd_random,
    ),
    Metric(
        name="ITD_dropped",
        source="own",
        meaning={
            "en": "Key roles of the script that are not seats.",
            "zh": "剧本中不是座位的关键角色数。",
        },
        high=None,
        better="none",
        measure=measure_dropped_key_roles,
    ),
)
"""The metrics of this file."""
