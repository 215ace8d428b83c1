"""Faults of answers: the proxy spoils chosen ones."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from arena.models.http.endpoint import TOKENIZE
from tests.campaign.catalogue import SPOILS
from tests.campaign.observed import count_whole_choices, find_differences
from tests.campaign.plan import Planned
from tests.campaign.trial import (
    REFUSED,
    UNFINISHED,
    WHOLE,
    Trial,
)

HASTY_DEADLINE: Final = 4.0
"""Seconds, where a fault must outlast the deadline."""
SLOW_DEADLINE: Final = 10.0
"""Seconds, where slow answers must come before the deadline on a busy machine too."""
_OUTLASTING: Final = frozenset({"hang", "drip", "endless-body"})
_SLOW: Final = frozenset({"500-slow", "504-slow", "reset-late"})
_MIXED: Final = tuple(
    name
    for name, spoil in SPOILS.items()
    if spoil.expect == "again" and spoil.times and name not in _SLOW and "3600" not in name
)


def spoil_answers(kind: str) -> Callable[[Trial], None]:
    """Return the trial of one kind of spoilt answer."""
    return _spoil_content(kind) if SPOILS[kind].expect == "content" else _spoil_wire(kind)


def spoil_mixed_answers(trial: Trial) -> None:
    """Spoil answers in every way that is no completion, in one run."""
    kinds = {digest: trial.chance.choice(_MIXED) for digest in _choose_any(trial)}
    _play_spoilt(trial, kinds)


def spoil_path(path: str, kind: str) -> Callable[[Trial], None]:
    """Return the trial in which answers of a path other than completions are spoilt.

    Half of them are the first ones, and half come in the middle of matches.
    """

    def run(trial: Trial) -> None:
        half = trial.id.faults // 2
        trial.spoil({}, paths={path: Planned(kind=kind, times=half)})
        trial.faults += half
        child = trial.start()
        if trial.wait_for_calls(child, trial.choose_moment(0.5)):
            trial.spoil({}, paths={path: Planned(kind=kind, times=2 * half)})
            trial.faults += half
        trial.end(child, WHOLE, UNFINISHED, REFUSED)
        trial.finish()
        trial.compare()

    return run


def spoil_tokenizer(kind: str) -> Callable[[Trial], None]:
    """Return the trial of /tokenize: while it fails, a choice may be asked for as a whole."""

    def run(trial: Trial) -> None:
        trial.slack = "choices"
        spoil_path(TOKENIZE, kind)(trial)
        matches = trial.observe()
        both = [(one, matches.get(name)) for name, one in trial.reference.matches.items()]
        whole = sum(count_whole_choices(wanted, found) for wanted, found in both if found)
        if whole > trial.faults:
            trial.problems.append(
                f"{whole} choices were asked for as a whole after {trial.faults} failures"
            )

    return run


def kill_over_spoilt_content(trial: Trial) -> None:
    """Kill the orchestrator while hostile completions come: the run is as without the kills."""
    kinds = [name for name, one in SPOILS.items() if _is_quick_content(name) and one.times is None]
    digests = _choose(trial)
    spoils = {digest: Planned(kind=trial.chance.choice(kinds), times=None) for digest in digests}
    trial.spoil(spoils)
    trial.end(trial.start(), WHOLE, UNFINISHED)
    hostile = trial.observe()
    trial.begin("killed")
    trial.spoil(spoils)
    for _ in range(trial.id.faults):
        child = trial.start()
        if trial.wait_for_calls(child, trial.choose_moment(0.6)):
            trial.count_fault()
        trial.kill(child)
    trial.end(trial.start(), WHOLE, UNFINISHED)
    _check_others(trial, set(digests))
    killed = trial.observe()
    for name, wanted in hostile.items():
        found = find_differences(wanted, killed.get(name)) if wanted.is_whole else []
        trial.problems.extend(f"{name}: {one}" for one in found)


def _is_quick_content(name: str) -> bool:
    slow = name in _OUTLASTING or name.startswith("limit-") or "mb" in name or name == "gzip-bomb"
    return SPOILS[name].expect == "content" and not slow


def _spoil_wire(kind: str) -> Callable[[Trial], None]:
    def run(trial: Trial) -> None:
        if SPOILS[kind].expect == "metered":
            trial.slack = "counts"
        if kind in _SLOW:
            trial.deadline = SLOW_DEADLINE
        _play_spoilt(trial, dict.fromkeys(_choose_any(trial), kind))

    return run


def _play_spoilt(trial: Trial, kinds: dict[str, str]) -> None:
    trial.spoil(
        {digest: Planned(kind=kind, times=SPOILS[kind].times) for digest, kind in kinds.items()}
    )
    trial.end(trial.start(), WHOLE, UNFINISHED)
    _count_spoilt(trial)
    trial.finish()
    trial.compare()


def _spoil_content(kind: str) -> Callable[[Trial], None]:
    def run(trial: Trial) -> None:
        if kind in _OUTLASTING:
            trial.deadline = HASTY_DEADLINE
        digests = _choose(trial)
        spoils = {digest: Planned(kind=kind, times=None) for digest in digests}
        trial.spoil(spoils)
        trial.end(trial.start(), WHOLE, UNFINISHED)
        _count_spoilt(trial)
        # The same server again: what is over stays, what ended as an error may end so again.
        trial.end(trial.start(), WHOLE, UNFINISHED)
        trial.stage.restore()
        trial.spoil({})
        may_fail = SPOILS[kind].may_stay_error
        trial.end(trial.start(), WHOLE, *((UNFINISHED,) if may_fail else ()))
        _check_others(trial, set(digests))

    return run


def _choose_any(trial: Trial) -> list[str]:
    digests = trial.reference.digests
    return trial.chance.sample(digests, k=min(trial.id.faults, len(digests)))


def _choose(trial: Trial) -> list[str]:
    """Return the requests to spoil: of at most half of the matches, so that some stay healthy."""
    reference = trial.reference
    digests = list(reference.digests)
    trial.chance.shuffle(digests)
    hit: set[str] = set()
    chosen: list[str] = []
    for digest in digests:
        together = hit | reference.matches_with({digest})
        if len(chosen) < trial.id.faults and 2 * len(together) <= len(reference.matches):
            hit = together
            chosen.append(digest)
    return chosen


def _count_spoilt(trial: Trial) -> None:
    trial.faults += len({one.asked.digest for one in trial.journal.entries() if one.asked.spoilt})


def _check_others(trial: Trial, digests: set[str]) -> None:
    """Check the run, and that no match without a spoilt answer differs from the reference."""
    hit = trial.reference.matches_with(digests)
    matches = trial.observe()
    trial.check_folder(matches)
    trial.check_others(matches, hit)


_OF_PATHS: Final = ("429", "500", "html-200", "reset-before", "close-in-body")
TOKENIZERS: Final[Mapping[str, Callable[[Trial], None]]] = MappingProxyType(
    {f"tokenize-{kind}": spoil_tokenizer(kind) for kind in _OF_PATHS}
)
"""Spoilt answers of /tokenize."""
PATHS: Final[Mapping[str, Callable[[Trial], None]]] = MappingProxyType(
    {
        f"{path.strip('/').replace('/', '-')}-{kind}": spoil_path(path, kind)
        for path in ("/v1/models", "/version", "/metrics", "/health")
        for kind in _OF_PATHS
    }
)
"""Spoilt answers of every other path."""
