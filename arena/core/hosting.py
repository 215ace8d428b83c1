"""What the host does between asks: begin phases, reveal clues, count votes, close the match.

The host is code and never a model. Its chance is drawn from generators named by what they decide.
"""

from random import Random

from arena.core.actions import SeatId
from arena.core.asking import asks
from arena.core.ending import close, over_budget
from arena.core.events import Began, Counted, Event, Opened, Revealed, Voted
from arena.core.protocols.whodunit import Stage
from arena.core.state import MatchState, fold
from arena.core.voting import Count, count
from scripts_mm.script import Clue, Script


def settle(state: MatchState) -> tuple[Event, ...]:
    """Return all that the host does until a question is open or the match is closed."""
    events: list[Event] = []
    while not state.closed and (over_budget(state) or not asks(state)):
        for event in _move(state):
            events.append(event)
            state = fold(state, event)
    return tuple(events)


def deal(script: Script, opened: Opened) -> tuple[Event, ...]:
    """Return the clues that seats hold from the start (W5)."""
    common = tuple(clue for clue in script.clues if clue.owner is None)
    events: list[Event] = [
        _revealed(clue, (SeatId(clue.owner),)) for clue in script.clues if clue.owner
    ]
    if opened.options.clues == "at_deal":
        events += [_revealed(clue, opened.seats) for clue in common]
    elif opened.options.clues == "owner":
        deck = Random(f"{opened.seed}/deal").sample(common, k=len(common))
        seats = opened.seats
        events += [_revealed(clue, (seats[i % len(seats)],)) for i, clue in enumerate(deck)]
    return tuple(events)


def _move(state: MatchState) -> tuple[Event, ...]:
    if over_budget(state):
        return (close(state, None),)
    if state.began is not None and state.began.phase == "voting":
        return _after_votes(state)
    return _begin(state, state.plan[state.stage + 1])


def _begin(state: MatchState, stage: Stage) -> tuple[Event, ...]:
    began = Began(
        phase=stage.phase,
        round=stage.round,
        verbs=stage.verbs,
        order=_order(state, stage) if stage.verbs else (),
    )
    return (began, *(_reveal(state) if stage.phase == "clues" else ()))


def _reveal(state: MatchState) -> tuple[Event, ...]:
    opened = state.opening
    to = opened.seats
    if opened.options.clues == "civilians":
        to = tuple(seat for seat in to if seat not in opened.murderers)
    return tuple(_revealed(clue, to) for clue in state.script.clues if clue.owner is None)


def _revealed(clue: Clue, to: tuple[SeatId, ...]) -> Revealed:
    return Revealed(
        clue=clue.id, to=to, pictures=tuple(picture.sha256 for picture in clue.pictures)
    )


def _order(state: MatchState, stage: Stage) -> tuple[SeatId, ...]:
    opened = state.opening
    seats = opened.electorate if stage.who == "electorate" else opened.seats
    if stage.who == "asked":
        return tuple(asked.to for asked in state.owed)
    if opened.options.order == "rotated":
        start = (stage.round - 1) % len(seats) if seats else 0
        return (*seats[start:], *seats[:start])
    if opened.options.order == "shuffled":
        chance = Random(f"{opened.seed}/order/{stage.phase}/{stage.round}")
        return tuple(chance.sample(seats, k=len(seats)))
    return seats


def _after_votes(state: MatchState) -> tuple[Event, ...]:
    began, opened = state.began, state.opening
    assert began is not None
    counted = count(
        _ballots(state),
        opened.options.vote_rule,
        opened.electorate,
        Random(f"{opened.seed}/tie/{began.round}"),
    )
    told = Counted(
        round=began.round, votes=counted.votes, leaders=counted.leaders, named=counted.named
    )
    if _votes_again(state, counted):
        return (told, _revote(state, began, counted))
    return (told, close(state, counted))


def _ballots(state: MatchState) -> dict[str, str]:
    votes: dict[str, str] = {}
    for event in reversed(state.history):
        if isinstance(event, Began):
            break
        if isinstance(event, Voted):
            votes[event.seat] = event.choice
    return votes


def _votes_again(state: MatchState, counted: Count) -> bool:
    options = state.opening.options
    done = sum(isinstance(event, Counted) for event in state.history)
    return options.tie == "revote" and counted.tied and done < options.revotes


def _revote(state: MatchState, began: Began, counted: Count) -> Began:
    return Began(
        phase="voting",
        round=began.round + 1,
        verbs=began.verbs,
        order=began.order,
        candidates=tuple(seat for seat in state.opening.seats if seat in counted.named),
    )
