"""A match as a play to read: the face of `arena match` for one match and of `arena replay`."""

from collections.abc import Callable, Iterable
from time import monotonic

from rich.console import Console, RenderableType

from arena.cli.rendering.layout import note, print_blocks
from arena.cli.rendering.formatting import Tally, format_count
from arena.cli.rendering.header import header, resumed
from arena.cli.rendering.context import ViewOptions, scene
from arena.run.observer import BaseObserver
from arena.cli.rendering.events import render_event
from arena.cli.console.sanitize import sanitize_line
from arena.cli.console.live_status import LiveStatus, status_line
from arena.cli.i18n.choice import messages_for
from arena.cli.i18n.en import EN
from arena.cli.i18n.messages import Messages
from arena.core.asking import asks
from arena.core.events import Event, Opened
from arena.core.state import MatchState, fold
from arena.models.chat import Completion, Request
from arena.records.summary import MatchSummary
from scripts_mm.script import Script


class Transcript(BaseObserver):
    """Prints the events of one match after the other, as they come.

    On a terminal a last line says who is thinking. What is prepared goes to `aside`, as standard
    error; None: to the same console. Use it as a context manager.
    """

    def __init__(
        self,
        console: Console,
        look: ViewOptions | None = None,
        *,
        aside: Console | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._console = console
        self._aside = aside or console
        self._look = look or ViewOptions()
        self._clock = clock
        self._words: Messages = self._look.words or EN
        self._match: str | None = None
        self._tally = Tally()
        self._waiting: tuple[str, ...] = ()
        """Seats from which an answer is wanted, as they are shown."""
        self._preparing = False
        self._since = clock()
        self._moving: LiveStatus | None = None

    def close(self) -> None:
        """Wipe the line that moves."""
        if self._moving is not None:
            self._moving.close()
        self._moving = None

    def said(self, line: str) -> None:
        """Print what is being prepared."""
        self.close()
        print_blocks(self._aside, note(line, margin=0))
        self._preparing = True
        self._wait(())

    def event(self, match: str, state: MatchState, event: Event) -> None:
        """Print an event, and say who is asked next."""
        self._preparing = False
        self._show(match, state, event)
        if state.closed is None:
            self._wait(tuple(sanitize_line(ask.seat) for ask in asks(state)))
        else:
            self.close()

    def called(self, match: str, request: Request, completion: Completion) -> None:
        """Count what the call cost; its seat is waited for no more."""
        del match
        self._tally.add(request.call_id, completion)
        if request.call_id.kind == "reply" and len(self._waiting) > 1:
            answered = sanitize_line(request.call_id.seat)
            self._waiting = tuple(seat for seat in self._waiting if seat != answered)

    def ended(self, summary: MatchSummary) -> None:
        """Wait for nobody any more, also where the match broke off without a last event."""
        del summary
        self.close()

    def play(self, match: str, script: Script, events: Iterable[Event]) -> MatchState:
        """Print a stored match; return the state after its last event."""
        state = MatchState(script=script)
        for event in events:
            state = fold(state, event)
            self._show(match, state, event)
        return state

    def _show(self, match: str, state: MatchState, event: Event) -> None:
        """Print an event, and the head of the match before its first one."""
        self._words = self._look.words or messages_for(self._console, state.opening.language)
        seen = scene(state, self._look, self._words)
        if match != self._match:
            self._match, self._tally = match, Tally()
            if not isinstance(event, Opened):
                before = len(state.history) - 1
                print_blocks(self._console, *header(seen), resumed(seen, before))
        print_blocks(self._console, *render(seen, event))

    def _wait(self, seats: tuple[str, ...]) -> None:
        self._waiting, self._since = seats, self._clock()
        if self._moving is None:
            self._moving = LiveStatus(self._console, self._status)
            self._moving.start()

    def _status(self) -> RenderableType:
        words, waiting = self._words, self._waiting
        if self._preparing:
            who = words.preparing
        elif len(waiting) == 1:
            who = words.thinking.format(seat=waiting[0])
        elif waiting:
            who = words.many_thinking.format(n=len(waiting))
        else:
            return ""
        return status_line(who, self._clock() - self._since, after=self._cost())

    def _cost(self) -> str:
        tokens = format_count(self._tally.prompt_tokens + self._tally.output_tokens)
        asides = self._words.asides(self._tally.readings, self._tally.summaries)
        if not (self._tally.turns or asides):
            return ""
        facts = (
            self._words.count(self._tally.turns, "turn"),
            *asides,
            f"{self._words.heads['tokens']} {tokens}",
            self._words.cached.format(share=self._tally.hit_rate),
        )
        return self._words.join(facts)
