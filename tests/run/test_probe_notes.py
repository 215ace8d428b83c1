"""What a probed seat was not told stands beside its answer."""

import asyncio
from dataclasses import dataclass
from random import Random

from arena.core.actions import Ask, Choose, SeatId, Speak
from arena.core.views import View
from arena.players.player import Answer
from arena.run.match import Pace, Seat
from arena.run.probing import answered, ballots
from arena.store.probes import decode_probe, encode_probe
from tests.table import NAMES, begin, legal, play, setup


@dataclass
class Noting:
    """Answers at the second try, and notes each."""

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        action = Speak(text="hm") if ask.fault is None else Choose(option=ask.options[0])
        return Answer(action=action, notes=(f"try {ask.tries} of {ask.id}",))


def test_the_notes_of_all_tries_of_a_probe_are_kept_and_come_back_from_its_record() -> None:
    state = play(begin(setup()), lambda ask: legal(ask, Random(1)), asks_left=20)
    seats = {SeatId(name): Seat(player=Noting(), health=None) for name in NAMES}
    probes = ballots(state)[:1]
    [answer] = asyncio.run(answered(state, seats, probes, Pace(deadline=5.0)))
    assert answer.answer == probes[0].ask.options[0]
    assert answer.notes == tuple(f"try {n} of {probes[0].ask.id}" for n in (3, 2))
    assert decode_probe(encode_probe(answer)) == answer


def test_a_probe_from_before_there_were_notes_is_read() -> None:
    old = (
        '{"kind":"ballot","seat":"Ada","event":3,"question":"","options":["Bram"],"answer":"Bram"}'
    )
    assert decode_probe(old).notes == ()
