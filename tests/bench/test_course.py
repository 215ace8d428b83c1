"""What requests wait for and what seats hear, in a game that the benchmarks do not know."""

from arena.bench.course import ReplyLengths, Step, make_turns, play_course
from arena.bench.trace import Piece
from arena.core.events import ClueRevealed, Event
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from tests.core.tiny_game import TinyGame, opened, request, said, tiny_setup
from tests.table import NAMES

ADA, BRAM, CLEO, *_ = (SeatId(name) for name in NAMES)
LENGTHS = ReplyLengths(output=10, spread=0.0, seed=0)
FIRST = (request(ADA, "one"), request(BRAM, "two"))
TOGETHER = (request(ADA, "three"), request(CLEO, "four"))
LAST = (request(BRAM, "five"),)


class Named:
    """Pieces that are named by what they show."""

    def header(self, seen: Observation) -> tuple[Piece, ...]:
        """Return the seat's name."""
        return (Piece(key=f"header/{seen.seat}", tokens=1),)

    def event(self, seen: Observation, number: int) -> tuple[Piece, ...]:
        """Return clues."""
        event = seen.events[number]
        return (Piece(key=event.clue, tokens=1),) if isinstance(event, ClueRevealed) else ()

    def instruction(self, seen: Observation, request: DecisionRequest) -> Piece:
        """Return the request's name."""
        return Piece(key=request.id, tokens=1)


def course(*steps: tuple[Event, ...]) -> tuple[Step, ...]:
    game = TinyGame(steps=steps, following=lambda state, asked, _: (said(state, asked),))
    return play_course(game, tiny_setup(), Named())


STEPS = course((opened(*FIRST),), (opened(*TOGETHER, mode="simultaneous"),), (opened(*LAST),))


def test_requests_wait_for_what_came_before_and_not_for_those_open_at_the_same_time() -> None:
    assert [step.request.id for step in STEPS] == ["one", "two", "three", "four", "five"]
    assert [step.parents for step in STEPS] == [(), (0,), (1,), (1,), (2, 3)]


def test_a_seat_hears_what_others_said_since_its_last_request() -> None:
    heard = [[one for one in step.heard if isinstance(one, int)] for step in STEPS]
    assert heard == [[], [0], [1], [0, 1], [2, 3]]


def test_a_clue_is_shown_to_its_audience_alone_and_in_its_place() -> None:
    clue = ClueRevealed(clue="log", audience=(BRAM,))
    steps = course((opened(request(ADA, "one")),), (clue, opened(*map(request, (ADA, BRAM)))))
    turns = make_turns(steps, "m", LENGTHS)
    assert [[piece.key for piece in turn.added] for turn in turns] == [
        [f"header/{ADA}", "one"],
        [f"word/{ADA}"],
        [f"header/{BRAM}", f"m/{BRAM}/2/heard-1", "clue-1", f"m/{BRAM}/2/heard-3", f"word/{BRAM}"],
    ]


def test_matches_of_another_owner_share_no_piece() -> None:
    one, other = (make_turns(STEPS, name, LENGTHS, owner=name) for name in ("m", "n"))
    keys = [{piece.key for turn in turns for piece in turn.added} for turns in (one, other)]
    assert not keys[0] & keys[1]
    assert [turn.output for turn in one] == [10] * 5
