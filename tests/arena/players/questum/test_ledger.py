"""What a turn starts from follows from the turns before it alone."""

from itertools import permutations

from arena.core.seats import SeatId
from arena.players.questum.sensors import SensorReading, SensorReadings
from arena.players.questum.turn_ledger import TurnFindings, TurnLedger

A, B, C = SeatId("A"), SeatId("B"), SeatId("C")
EVERYBODY = (A, B, C)
READ: SensorReadings = {"emotion": SensorReading(choice="neutral")}


def found(
    request: str,
    events: int,
    number: int,
    suspects: tuple[SeatId, ...] = EVERYBODY,
    gains: tuple[tuple[SeatId, ...], float] = ((), 0.0),
    *,
    target: SeatId | None = None,
    victim: str = "Otto",
) -> TurnFindings:
    """Return what a turn found."""
    return TurnFindings(
        request=request,
        events=events,
        victim=victim,
        round=number,
        suspects=suspects,
        credited=gains[0],
        gain=gains[1],
        target=target,
        readings=READ,
    )


def ledger(*turns: TurnFindings) -> TurnLedger:
    """Return the ledger of these turns."""
    one = TurnLedger()
    for turn in turns:
        one.add(turn)
    return one


def test_at_first_all_others_are_suspects_and_there_is_no_list_to_look_over() -> None:
    known = TurnLedger().before("Otto", 9, 1, EVERYBODY)
    assert (known.suspects, known.gains, known.is_current) == (EVERYBODY, {}, True)
    assert not TurnLedger().before("Otto", 9, 2, EVERYBODY).is_current


def test_a_turn_knows_those_before_it_about_its_victim() -> None:
    one = ledger(
        found("1", 5, 1, target=A),
        found("2", 9, 2, (A, B), ((A,), 0.5), target=B),
        found("3", 9, 2, (C,), victim="Olga"),
    )
    known = one.before("Otto", 12, 3, EVERYBODY)
    assert known.suspects == (A, B)
    assert known.gains == {A: ((1, 0.5),)}
    assert known.events == 9
    assert not known.is_current
    assert one.before("Otto", 12, 2, EVERYBODY).is_current
    assert one.before("Olga", 12, 3, EVERYBODY).suspects == (C,)


def test_a_turn_knows_nothing_of_those_at_the_same_moment() -> None:
    one = ledger(found("1", 5, 1), found("2", 9, 2, (A,), ((A,), 1.0)))
    known = one.before("Otto", 9, 2, EVERYBODY)
    assert known.suspects == EVERYBODY
    assert not known.is_current


def test_of_turns_at_the_same_moment_the_first_by_name_decides_whenever_it_ended() -> None:
    turns = (
        found("a", 9, 2, (A,), ((A,), 1.0), target=A),
        found("b", 9, 2, (B,), ((B,), 2.0), target=B),
        found("c", 11, 2, (C,), ((C,), 3.0), target=C),
    )
    for order in permutations(turns):
        known = ledger(*order).before("Otto", 20, 3, EVERYBODY)
        assert known.suspects == (A,)
        assert known.gains == {A: ((1, 1.0),)}
        assert known.events == 9
        assert known.readings.keys() == {A, B, C}


def test_only_readings_of_the_round_before_can_be_used_again() -> None:
    one = ledger(found("1", 5, 1, target=A), found("2", 9, 2, target=B))
    assert one.before("Otto", 12, 3, EVERYBODY).readings.keys() == {B}


def test_a_turn_that_was_played_again_counts_once() -> None:
    turn = found("2", 9, 2, (A,), ((A,), 1.0))
    assert ledger(turn, turn).before("Otto", 12, 3, EVERYBODY).gains == {A: ((1, 1.0),)}
