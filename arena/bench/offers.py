"""What the matches of a trace need of a server, and in which order an arm starts them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from arena.bench.arms import Order
from arena.bench.trace import Trace, TraceMatch
from arena.bench.wires import SERVER
from arena.schedule.footprint import KvDemand, QueuedMatch, SharedPrefix
from arena.schedule.ordering import admission_order


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A trace that was looked through once: what is offered to the scheduler."""

    trace: Trace
    offers: tuple[QueuedMatch, ...]
    """In the order of the trace."""
    index: Mapping[str, int]
    """Where in the trace a match stands."""
    turns: int

    def match(self, name: str) -> TraceMatch:
        """Return a match by its id; a lazy trace makes it anew each time."""
        return self.trace.matches[self.index[name]]


ERROR = 0.25
"""A script's projected growth is at most by this part wrong, beside what other scripts mislead."""


def staged(
    trace: Trace,
    *,
    peaks: float = 1.0,
    part: int | None = None,
    exact: bool = False,
    seed: int = 0,
) -> Stage:
    """Return the stage of the first `part` matches of `trace`, or of all.

    What several matches begin with is shared. First prompts are known before a match; how much a
    match grows after them is projected: tokens a turn on average over the other scripts' matches
    (over all, where there is one script), times its turns, times an error that `seed` draws for
    the script within `ERROR`. With `exact` the growth is the true mean of the very matches, as
    nobody could know it. The peak is all of it times `peaks`.
    """
    matches = trace.matches if part is None else trace.matches[:part]
    counts = _Counts()
    for match in matches:
        counts.look(match)
    demands = {
        script: counts.demand(script, peaks, None if exact else seed) for script in counts.scripts
    }
    offers = tuple(
        QueuedMatch(match=name, script=script, pair=pair, demands=demands[script])
        for name, script, pair in counts.matches
    )
    return Stage(
        trace=trace,
        offers=offers,
        index={offer.match: place for place, offer in enumerate(offers)},
        turns=counts.turns,
    )


def ordered(offers: Sequence[QueuedMatch], order: Order, random: Random) -> tuple[QueuedMatch, ...]:
    """Return `offers` in the order in which they are started.

    Unless it is wanted, their given order is mixed by `random`, so that repetitions differ in it.
    """
    if order == "given":
        return tuple(offers)
    mixed = list(offers)
    random.shuffle(mixed)
    return admission_order(mixed, {}) if order == "script" else tuple(mixed)


_Head = tuple[str, ...]


class _Counts:
    """What is common to the matches of a trace, which are looked at one after the other."""

    def __init__(self) -> None:
        self.matches: list[tuple[str, str, tuple[str, str]]] = []
        self.scripts: dict[str, _Sums] = {}
        self.turns = 0
        self._heads: dict[str, dict[str, dict[_Head, int]]] = {}
        """By script and seat: every beginning of a first prompt, with its tokens."""
        self._having: dict[_Head, int] = {}

    def look(self, match: TraceMatch) -> None:
        """Count a match."""
        self.matches.append((match.id, match.script, match.pair))
        first, most = _first(match), _most(match)
        self.scripts.setdefault(match.script, _Sums()).add(first, most - first, len(match.turns))
        self.turns += len(match.turns)
        heads = self._heads.setdefault(match.script, {})
        fresh: set[_Head] = set()
        for seat, head, tokens in _beginnings(match):
            heads.setdefault(seat, {})[head] = tokens
            fresh.add(head)
        for head in fresh:
            self._having[head] = self._having.get(head, 0) + 1

    def demand(self, script: str, peaks: float, seed: int | None) -> tuple[KvDemand, ...]:
        """Return what one match of `script` needs, as a rule; one object for all of them.

        `seed` of the error of the projection; None: nothing is projected.
        """
        prefixes: list[SharedPrefix] = []
        for heads in self._heads[script].values():
            common = [head for head in heads if self._having[head] > 1]
            if common:
                longest = max(common, key=len)
                prefixes.append(SharedPrefix(key="\x1f".join(longest), tokens=heads[longest]))
        sums = self.scripts[script]
        grown = sums.grown if seed is None else self._projected(script, seed)
        own = (sums.first + grown) / sums.matches - sum(prefix.tokens for prefix in prefixes)
        return (
            KvDemand(endpoint=SERVER, prefixes=tuple(prefixes), peak=max(1, round(own * peaks))),
        )

    def _projected(self, script: str, seed: int) -> float:
        """Return by how much the matches of `script` would grow if they grew as others do."""
        others = [sums for name, sums in self.scripts.items() if name != script]
        learnt = others or [self.scripts[script]]
        rate = sum(sums.grown for sums in learnt) / max(1, sum(sums.turns for sums in learnt))
        error = 1 + ERROR * (2 * Random(f"peak:{seed}:{script}").random() - 1)
        return rate * self.scripts[script].turns * error


@dataclass(slots=True)
class _Sums:
    """Of the matches of a script, all together."""

    matches: int = 0
    first: int = 0
    """Tokens of all seats' first prompts."""
    grown: int = 0
    """Tokens by which all seats' contexts grow after them."""
    turns: int = 0

    def add(self, first: int, grown: int, turns: int) -> None:
        """Add a match."""
        self.matches += 1
        self.first += first
        self.grown += grown
        self.turns += turns


def _first(match: TraceMatch) -> int:
    """Return the tokens of all seats' first prompts."""
    first: dict[str, int] = {}
    for turn in match.turns:
        if not turn.beside:
            first.setdefault(turn.seat, sum(piece.tokens for piece in turn.added))
    return sum(first.values())


def _beginnings(match: TraceMatch) -> Iterator[tuple[str, _Head, int]]:
    """Yield every beginning of every seat's first prompt: seat, keys, tokens of all of it."""
    seats: set[str] = set()
    for turn in match.turns:
        if turn.seat in seats or turn.beside:
            continue
        seats.add(turn.seat)
        tokens = 0
        for count, piece in enumerate(turn.added, 1):
            tokens += piece.tokens
            yield turn.seat, tuple(one.key for one in turn.added[:count]), tokens


def _most(match: TraceMatch) -> int:
    """Return the tokens of all seats' contexts, each at its greatest."""
    log: dict[str, int] = {}
    most: dict[str, int] = {}
    for turn in match.turns:
        before = 0 if turn.whole else log.get(turn.seat, 0)
        held = before + sum(piece.tokens for piece in turn.added) + turn.output
        most[turn.seat] = max(most.get(turn.seat, 0), held)
        if not turn.beside:
            log[turn.seat] = held
    return sum(most.values())
