"""Which speech answers which question."""

from arena.core.events import Announced, Event, QuestionAsked, Said
from arena.core.exchanges import Exchanges, pair_answers
from arena.core.seats import SeatId

ADA, BRAM, CLEO = map(SeatId, ("Ada", "Bram", "Cleo"))


def ask(seat: SeatId, to: SeatId, request: str = "q") -> QuestionAsked:
    return QuestionAsked(seat=seat, request=request, to=to, text="Where were you?")


def say(seat: SeatId, to: SeatId | None, request: str = "a") -> Said:
    return Said(seat=seat, request=request, act="answer", parts=(("text", "Here."),), to=to)


def test_an_answer_belongs_to_the_first_open_question_between_its_seats() -> None:
    events: list[Event] = [
        Announced(topic="night", audience="all"),
        ask(ADA, BRAM),
        ask(CLEO, BRAM),
        ask(ADA, BRAM),
        say(BRAM, ADA),
        say(BRAM, CLEO),
        say(BRAM, ADA),
    ]
    assert pair_answers(events) == {1: 4, 2: 5, 3: 6}


def test_an_answer_whose_request_continues_that_of_a_question_belongs_to_it() -> None:
    events = [ask(ADA, BRAM, "q1"), ask(ADA, BRAM, "q10"), say(BRAM, ADA, "q10/answer")]
    assert pair_answers(events) == {1: 2}


def test_other_speech_answers_no_question() -> None:
    asked = ask(ADA, BRAM)
    assert pair_answers([asked, say(BRAM, None), say(BRAM, CLEO), say(CLEO, ADA)]) == {}
    assert pair_answers([say(BRAM, ADA), asked]) == {}


def test_a_question_and_its_answer_name_each_other() -> None:
    found = Exchanges()
    for number, event in ((3, ask(ADA, BRAM)), (8, say(BRAM, ADA)), (9, say(BRAM, ADA))):
        found.add(number, event)
    assert (found.answers, found.questions) == ({3: 8}, {8: 3})
