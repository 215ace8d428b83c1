"""Which matches are alive: the scheduler's state. It never waits; who plays asks it.

After each turn: `learn`, then `admit`, then `may_go_on` for those who stand between two turns.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arena.schedule.account import Account
from arena.schedule.alpha import Alpha
from arena.schedule.capacity import Capacity
from arena.schedule.footprint import Offer
from arena.schedule.live import LiveMatch, admitted
from arena.schedule.waiting import Waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How matches are admitted. The defaults are what is meant; the rest is for comparisons."""

    admission: bool = True
    """Promise no more than alpha x capacity; without it nothing is paused either."""
    alpha: Alpha = field(default_factory=Alpha)
    adapt: bool = True
    """Change alpha by what the server reports."""
    most_live: int | None = None
    """Matches at once, at most; None: no such limit."""
    pause: bool = True
    """Stop the smallest match between its turns while contexts take more than the cache holds."""
    patience: int = 16
    """How many later matches may be admitted to an endpoint for which an earlier one waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one answered request showed, in tokens."""

    prompt: int
    output: int
    predicted: int
    """What a server that never evicts would have had in its cache."""
    reported: int | None
    """What the server had in its cache; None: it does not say."""


class Book:
    """Parked, live and paused matches, and what each endpoint has promised."""

    def __init__(self, capacities: Mapping[str, Capacity], *, policy: Policy | None = None) -> None:
        self._policy = policy or Policy()
        self._accounts = {
            name: Account(capacity, self._policy.alpha) for name, capacity in capacities.items()
        }
        self._waiting = Waiting(self._policy.patience)
        self._live: dict[str, LiveMatch] = {}
        self._paused: dict[str, LiveMatch] = {}
        self._admitted = 0
        self._changed = False

    @property
    def live(self) -> tuple[str, ...]:
        """Matches that were admitted and have not ended, oldest first; paused ones too."""
        return tuple(self._live)

    @property
    def parked(self) -> tuple[str, ...]:
        """Matches that wait to be admitted, in the order in which they were offered."""
        return tuple(self._waiting)

    @property
    def paused(self) -> tuple[str, ...]:
        """Live matches that wait between two turns, oldest first."""
        return tuple(match for match in self._live if match in self._paused)

    def alpha(self, endpoint: str) -> float:
        """Return which share of the endpoint's capacity may be promised now."""
        return self._accounts[endpoint].alpha.value

    def used(self, endpoint: str) -> int:
        """Return the tokens that are promised to the matches that run on the endpoint."""
        return self._accounts[endpoint].used

    def rank(self, match: str) -> int:
        """Return how many matches were admitted before `match`; it never changes."""
        return self._find(match).index

    def may_go_on(self, match: str) -> bool:
        """Return whether a live match may begin its next turn; False: it is paused."""
        return self._find(match).offer.match not in self._paused

    def offer(self, offers: Iterable[Offer]) -> None:
        """Park matches in the order given; raise `ValueError` where one can never be admitted."""
        for offer in offers:
            if offer.match in self._live or offer.match in self._waiting:
                raise ValueError(f"match {offer.match!r} was offered twice")
            unknown = [one.endpoint for one in offer.demands if one.endpoint not in self._accounts]
            if unknown or not offer.demands:
                there = ", ".join(self._accounts) or "none"
                raise ValueError(
                    f"match {offer.match!r} must use endpoints of known capacity, got "
                    f"{', '.join(unknown) or 'none'}; there are: {there}"
                )
            self._waiting.add(offer)
            self._changed = True

    def admit(self) -> tuple[str, ...]:
        """Return the matches that are live from now on, in order.

        A match is admitted where it fits on all its endpoints at once, or where nothing runs; so
        one is always live while any is parked. Costs nothing where nothing became free.
        """
        if not self._changed:
            return ()
        self._changed = False
        self._resume()
        waited_for = {name for live in self._paused.values() for name in live.places}
        limit = self._policy.most_live
        room = len(self._waiting) if limit is None else limit - len(self._live)
        newly: list[str] = []
        for offer in self._waiting.take(self._fits, waited_for, room):
            live = admitted(offer, self._admitted)
            self._admitted += 1
            self._live[offer.match] = live
            self._enter(live)
            newly.append(offer.match)
        return tuple(newly)

    def end(self, match: str, *, whole: bool = True) -> None:
        """Forget a match. One that was not played whole teaches nothing of lengths."""
        if match in self._waiting:
            self._waiting.drop(match)
            return
        live = self._find(match)
        del self._live[match]
        if self._paused.pop(match, None) is None:
            self._leave(live)
        for name, place in live.places.items():
            if whole and place.contexts:
                self._accounts[name].learn(place.demand, place.most)
        self._changed = True
        self._resume()

    def learn(self, match: str, seat: str, endpoint: str, turn: Turn) -> None:
        """Take in what a turn showed: sizes, what may be promised, who must pause."""
        live, account = self._find(match), self._accounts[endpoint]
        place = live.places[endpoint]
        before = place.own
        own = place.put(seat, account.capacity.taken(turn.prompt + turn.output))
        if match not in self._paused:
            account.grow(match, own)
        self._changed |= own < before
        if seat in live.cold:
            live.cold.discard(seat)
        elif turn.reported is not None and self._policy.adapt:
            self._adapt(account, turn.predicted, turn.reported)
        if account.overloaded:
            self._pause(endpoint)

    def _find(self, match: str) -> LiveMatch:
        live = self._live.get(match)
        if live is None:
            raise ValueError(f"match {match!r} is not live")
        return live

    def _adapt(self, account: Account, predicted: int, reported: int) -> None:
        old = account.alpha.value
        pressed = bool(self._waiting or self._paused)
        account.alpha = account.alpha.after(
            predicted, reported, seats=account.seats, pressed=pressed
        )
        self._changed |= account.alpha.value > old

    def _fits(self, offer: Offer) -> bool:
        """Return whether a parked match fits everywhere."""
        return not self._policy.admission or all(
            self._accounts[demand.endpoint].fits(
                demand, 0, most=self._accounts[demand.endpoint].alpha.value
            )
            for demand in offer.demands
        )

    def _fits_again(self, live: LiveMatch) -> bool:
        """Return whether a paused match fits everywhere, without alpha's surplus over 1.

        With it a match could go on at once that was paused because the cache was full.
        """
        return all(
            account.fits(place.demand, place.own, most=min(1.0, account.alpha.value))
            for account, place in ((self._accounts[name], p) for name, p in live.places.items())
        )

    def _enter(self, live: LiveMatch) -> None:
        for name, place in live.places.items():
            self._accounts[name].enter(live.offer.match, place.demand, place.own)

    def _leave(self, live: LiveMatch) -> None:
        for name in live.places:
            self._accounts[name].leave(live.offer.match)

    def _resume(self) -> None:
        """Let paused matches go on, the oldest first, where there is room or nothing runs."""
        for match in self.paused if self._paused else ():
            live = self._paused[match]
            if self._fits_again(live):
                del self._paused[match]
                live.cold = {seat for place in live.places.values() for seat in place.contexts}
                self._enter(live)

    def _pause(self, endpoint: str) -> None:
        """Pause the smallest matches until the contexts fit the cache, or one runs alone."""
        account = self._accounts[endpoint]
        while self._may_pause and account.overloaded and account.running > 1:
            running = [
                live
                for match, live in self._live.items()
                if match not in self._paused and endpoint in live.places and account.frees(match)
            ]
            if len(running) < 2:  # noqa: PLR2004 - the last one goes on
                return
            live = min(running, key=lambda one: (one.places[endpoint].total, -one.index))
            self._paused[live.offer.match] = live
            self._leave(live)
            self._changed = True

    @property
    def _may_pause(self) -> bool:
        return self._policy.pause and self._policy.admission
