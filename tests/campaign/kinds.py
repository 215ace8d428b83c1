"""Kinds of faults: how each is put into a run, and how often in a campaign of a thousand faults."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from signal import SIGHUP, SIGINT, SIGKILL, SIGTERM
from types import MappingProxyType
from typing import Final

from tests.campaign.answer_faults import (
    PATHS,
    TOKENIZERS,
    kill_over_spoilt_content,
    spoil_answers,
    spoil_mixed_answers,
)
from tests.campaign.catalogue import SPOILS
from tests.campaign.clock_faults import CLOCKS
from tests.campaign.folder_faults import FOLDERS
from tests.campaign.orchestrator_faults import (
    end_by,
    kill_at_ends,
    kill_in_play,
    kill_while_made,
    kill_while_resuming,
    resume_twice_at_once,
)
from tests.campaign.server_faults import (
    OTHER_MODELS,
    STOPS,
    end_engine,
    end_proxy,
    harm_engine,
    lose_replica,
    quote_key,
)
from tests.campaign.trial import Trial

_USUAL: Final = ("english", "english", "chinese", "sides")
_ANY: Final = (*_USUAL, "probes", "tight")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of fault."""

    run: Callable[[Trial], None]
    faults: int
    """Of one trial."""
    trials: int
    """Relative frequency, once every kind was tried."""
    setups: tuple[str, ...] = _ANY
    """From which a trial chooses."""


def _spoils() -> dict[str, Kind]:
    return {
        f"answer-{name}": Kind(
            run=spoil_answers(name),
            faults=spoil.faults,
            trials=1,
            setups=_USUAL if spoil.expect == "content" else _ANY,
        )
        for name, spoil in SPOILS.items()
    }


def _each(runs: Mapping[str, Callable[[Trial], None]], faults: int, trials: int) -> dict[str, Kind]:
    return {
        name: Kind(run=run, faults=faults, trials=trials, setups=_USUAL)
        for name, run in runs.items()
    }


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "kill": Kind(run=kill_in_play, faults=5, trials=20),
        "kill-making": Kind(run=kill_while_made, faults=5, trials=4),
        "kill-resuming": Kind(run=kill_while_resuming, faults=5, trials=6),
        "kill-ending": Kind(run=kill_at_ends, faults=3, trials=6, setups=("english", "chinese")),
        "kill-hostile": Kind(run=kill_over_spoilt_content, faults=4, trials=4, setups=_USUAL),
        "term": Kind(run=end_by(SIGTERM), faults=3, trials=4),
        "interrupt": Kind(run=end_by(SIGINT), faults=3, trials=3),
        "hang-up": Kind(run=end_by(SIGHUP), faults=3, trials=2),
        "two-resumes": Kind(run=resume_twice_at_once, faults=2, trials=3),
        "engine-kill": Kind(run=end_engine(SIGKILL), faults=3, trials=6),
        "engine-term": Kind(run=end_engine(SIGTERM), faults=3, trials=3),
        "proxy-kill": Kind(run=end_proxy(SIGKILL), faults=3, trials=6),
        "proxy-term": Kind(run=end_proxy(SIGTERM), faults=3, trials=3),
        "engine-drift": Kind(run=harm_engine(drift=True), faults=8, trials=2),
        "engine-forget": Kind(run=harm_engine(forget=True), faults=8, trials=2),
        "engine-failing": Kind(run=harm_engine(failing=2, status=503), faults=8, trials=2),
        "replica-lost": Kind(run=lose_replica, faults=1, trials=4, setups=("replicas",)),
        "card-quotes-key": Kind(run=quote_key, faults=2, trials=1, setups=_USUAL),
        "answer-mixed": Kind(run=spoil_mixed_answers, faults=40, trials=3),
        **_each({name: run for name, run in STOPS.items() if "long" not in name}, 6, 2),
        **_each({name: run for name, run in STOPS.items() if "long" in name}, 2, 2),
        **_each(OTHER_MODELS, 1, 2),
        **_each({name: run for name, run in FOLDERS.items() if name != "disk-full"}, 2, 2),
        **_each({"disk-full": FOLDERS["disk-full"]}, 1, 4),
        **_each(CLOCKS, 4, 1),
        **_each(TOKENIZERS, 8, 1),
        **_each(PATHS, 4, 1),
        **_spoils(),
    }
)
"""Every kind by its name."""
