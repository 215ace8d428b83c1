"""The ways in which a trace is played against the same server, and what each needs of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from arena.bench.wires import Facts, Feature
from arena.errors import ConfigError

Live = Literal["all", "static", "one", "book"]
"""Which matches may run: all, so many (the best number of a sweep), one, or as the book admits."""
Order = Literal["script", "shuffled", "given"]
"""In which order matches are offered: script by script, at random, or as the trace has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One way of playing a trace. What it does not name is as in `ours`."""

    name: str
    about: str
    live: Live = "book"
    order: Order = "script"
    open_loop: bool = False
    """Every turn is sent without waiting for those that it follows from."""
    gate: int | None = None
    """The most requests in flight, whatever match they are of."""
    volatile: bool = False
    """Prompts are written anew as `peers.volatile` says: what changes stands before the rules."""
    parallel: bool = True
    """Turns of one match that do not follow from each other are sent together."""
    token_in: bool = True
    media_once: bool = True
    priority: bool = False
    """Old matches first, probes last."""
    needs: frozenset[Feature] = frozenset()


def _ours(without: str, about: str, *needs: Feature) -> Arm:
    return Arm(
        name=f"ours_without_{without}" if without else "ours",
        about=about,
        priority=True,
        needs=frozenset({"capacity", *needs}),
    )


_ALL = (
    Arm(
        name="open_trie",
        about="all turns at once, no dependencies, in the order of the prompts' trie",
        live="all",
        open_loop=True,
    ),
    Arm(
        name="open_random",
        about="all turns at once, no dependencies, in random order",
        live="all",
        order="shuffled",
        open_loop=True,
    ),
    Arm(name="static_best", about="the best fixed number of live matches", live="static"),
    Arm(
        name="sequential",
        about="one match, one request at a time",
        live="one",
        order="given",
        parallel=False,
    ),
    Arm(
        name="sequential_volatile",
        about="one request at a time, every prompt anew: script, own clues, history, rules last",
        live="one",
        order="given",
        parallel=False,
        volatile=True,
    ),
    Arm(
        name="gather_32",
        about="every match at once behind a semaphore of 32 requests",
        live="all",
        order="given",
        gate=32,
    ),
    Arm(
        name="gather_128",
        about="every match at once behind a semaphore of 128 requests",
        live="all",
        order="given",
        gate=128,
    ),
    _ours("", "admission by KV, script by script, priorities, media once, token ids"),
    replace(_ours("admission", "every match live at once"), live="all"),
    replace(_ours("order", "matches offered at random"), order="shuffled"),
    replace(
        _ours("media_once", "picture bytes with every request", "media_once", "pictures"),
        media_once=False,
    ),
    replace(_ours("token_in", "chat completions", "token_in", "chat"), token_in=False),
    replace(_ours("priority", "all requests of one priority", "priority"), priority=False),
    replace(_ours("parallel_asks", "one request of a match at a time"), parallel=False),
)

ARMS: Mapping[str, Arm] = MappingProxyType({arm.name: arm for arm in _ALL})
"""Every arm by the name that reports use. To add one, write it above."""
OURS = "ours"
OPEN = ("open_trie", "open_random")
STATIC = "static_best"

_LACKS: Mapping[Feature, str] = MappingProxyType(
    {
        "capacity": "the server tells no KV capacity",
        "token_in": "the server takes no token ids",
        "chat": "the server has no chat completions",
        "media_once": "the server takes no picture by its uuid alone",
        "priority": "the server takes no priorities",
        "pictures": "the trace has no pictures",
    }
)


def chosen(names: Sequence[str]) -> tuple[Arm, ...]:
    """Return the arms called `names` in the order of `ARMS`, all where none is named.

    Raises `ConfigError` for a name that is no arm's.
    """
    for name in names:
        if name not in ARMS:
            raise ConfigError(f"no arm {name!r}; there are: {', '.join(ARMS)}")
    return tuple(arm for arm in _ALL if not names or arm.name in names)


def lack(arm: Arm, facts: Facts) -> str:
    """Return why `arm` cannot be played on a server with these `facts`; empty where it can."""
    missing = sorted(arm.needs - facts.features)
    return "; ".join(_LACKS[feature] for feature in missing)
