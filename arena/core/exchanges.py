"""Exchanges: questions paired with their answers."""

from collections.abc import Iterable

from arena.core.events import Event, QuestionAsked, Said


class Exchanges:
    """Questions and answers among the events of one observer, paired incrementally.

    An answer belongs to the question whose request id is a prefix of its own, else to the first
    open question between the two seats.
    """

    def __init__(self) -> None:
        """Start without events."""
        self.answers: dict[int, int] = {}
        """Number of each answered question -> number of its answer."""
        self.questions: dict[int, int] = {}
        """Number of each answer -> number of its question."""
        self._open: dict[int, QuestionAsked] = {}

    def add(self, number: int, event: Event) -> None:
        """Add the next event, with its index `number`."""
        if isinstance(event, QuestionAsked):
            self._open[number] = event
        elif isinstance(event, Said) and event.to is not None:
            for place in self._find(event):
                self.answers[place], self.questions[number] = number, place
                del self._open[place]

    def _find(self, said: Said) -> list[int]:
        asked = [
            place for place, one in self._open.items() if (one.seat, one.to) == (said.to, said.seat)
        ]
        named = [
            place for place in asked if said.request.startswith(f"{self._open[place].request}/")
        ]
        return [*named, *asked][:1]


def pair_answers(events: Iterable[Event]) -> dict[int, int]:
    """Return the index of the answer to each answered question."""
    found = Exchanges()
    for number, event in enumerate(events):
        found.add(number, event)
    return found.answers
