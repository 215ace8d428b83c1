"""Guard detectors: faults of play per 100 utterances, found without a judge."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arena.core.events import ActionRejected, QuestionAsked, Said
from arena.core.seats import SeatId
from arena.games.shared.word_matching import plain
from eval.metrics.guards.guard_scene import GuardScene, make_guard_scene
from eval.metrics.guards.leak_detectors import (
    leaks_prompt,
    names_unknown,
    reads_aloud,
    reads_secrets,
)
from eval.metrics.guards.phrase_detectors import (
    confesses,
    flips_language,
    is_code,
    is_empty,
    is_other,
    leaks_faction,
    repeats,
    speaks_as_ai,
    speaks_for_others,
)
from eval.metrics.match_cache import cache_last_match
from eval.played_match import PlayedMatch, Utterance
from eval.scores import Metric, Score, make_score

Detector = Callable[[GuardScene, Utterance], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorHit:
    """One fault that a detector found."""

    detector: str
    seat: SeatId
    event: int
    """Its index in the events of the match, from 0."""


def is_cut(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the speech was cut by the limit of characters or of tokens."""
    event = scene.match.events[said.event]
    assert isinstance(event, Said | QuestionAsked), "an utterance is an event of speech"
    return said.truncated or event.request in _requests_cut_by_length(scene.match)


DETECTORS: Mapping[str, Detector] = MappingProxyType(
    {
        "identity": is_other,
        "speaks_for_others": speaks_for_others,
        "faction_leak": leaks_faction,
        "confession": confesses,
        "verbatim_own": reads_aloud,
        "verbatim_foreign": reads_secrets,
        "prompt_leak": leaks_prompt,
        "as_ai": speaks_as_ai,
        "language_flip": flips_language,
        "code": is_code,
        "empty": is_empty,
        "cut": is_cut,
        "repetition": repeats,
        "unknown_name": names_unknown,
    }
)
"""Name -> predicate of an utterance with the fault."""
SELF_TARGET = "self_target"
"""An illegal question to, or vote for, the seat itself; found in rejected answers."""
FATAL = "verbatim_foreign"
"""One hit proves an information leak, and invalidates every figure of the run."""

_MEANING: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "identity": ("says that it is another seat", "自称是另一个席位"),
        "speaks_for_others": ("speaks for another seat", "替别的席位发言"),
        "faction_leak": ("states its own faction", "直接说出自己的阵营"),
        "confession": ("confesses", "承认自己是凶手"),
        "verbatim_own": ("reads its script aloud", "照念自己的剧本"),
        "verbatim_foreign": ("repeats a text that it cannot know", "说出自己不可能知道的原文"),
        "prompt_leak": ("repeats rules or instructions", "复述规则或指令"),
        "as_ai": ("speaks as a model or refuses", "以模型身份说话或拒答"),
        "language_flip": ("speaks another language", "使用了另一种语言"),
        "code": ("contains code or a call", "含有代码或函数调用"),
        "empty": ("contains no word", "没有任何文字"),
        "cut": ("was cut", "被截断"),
        "repetition": ("repeats itself", "重复啰嗦"),
        "unknown_name": ("names a person who is not in the case", "提到案中没有的人名"),
        SELF_TARGET: ("illegally chooses its own seat", "违规选择自己"),
    }
)


@cache_last_match
def find_hits(match: PlayedMatch) -> tuple[DetectorHit, ...]:
    """Return every fault of a match, in the order of its events."""
    scene = make_guard_scene(match)
    hits = [
        DetectorHit(detector=name, seat=said.seat, event=said.event)
        for said in match.utterances
        for name, detect in DETECTORS.items()
        if detect(scene, said)
    ]
    hits += [
        DetectorHit(detector=SELF_TARGET, seat=event.seat, event=number)
        for number, event in enumerate(match.events)
        if isinstance(event, ActionRejected) and _is_self(scene, event)
    ]
    return tuple(sorted(hits, key=lambda hit: hit.event))


def measure_detector(match: PlayedMatch, name: str) -> Iterable[Score]:
    """Yield the faults of one kind of each seat, over its utterances."""
    said = Counter(one.seat for one in match.utterances)
    found = Counter(hit.seat for hit in find_hits(match) if hit.detector == name)
    for seat in match.started.seats if said else ():
        yield make_score(
            match, f"guard_{name}", numerator=found[seat], denominator=said[seat], seat=seat
        )


def _is_self(scene: GuardScene, event: ActionRejected) -> bool:
    text = plain(event.error.text)
    return event.error.code == "not_an_option" and text in scene.names[event.seat]


@cache_last_match
def _requests_cut_by_length(match: PlayedMatch) -> frozenset[str]:
    """Return the requests whose last reply reached the token limit."""
    ends: dict[str, tuple[int, str]] = {}
    for call_id, call in match.calls().items():
        if call_id.kind == "reply" and call.completion is not None:
            number = (call_id.attempt, call.completion.finish)
            ends[call_id.request] = max(ends.get(call_id.request, (0, "")), number)
    return frozenset(request for request, (_, finish) in ends.items() if finish == "length")


def _metric(name: str) -> Metric:
    english, chinese = _MEANING[name]
    return Metric(
        name=f"guard_{name}",
        source="own",
        meaning={
            "en": f"Utterances of a seat with this fault, per 100: {english}.",
            "zh": f"该席位每100次发言中的次数：{chinese}。",
        },
        high=1.0 if name != SELF_TARGET else None,
        better="lower",
        scale=100,
        measure=lambda match: measure_detector(match, name),
    )


METRICS: tuple[Metric, ...] = tuple(map(_metric, (*DETECTORS, SELF_TARGET)))
