"""Screen of a person at a seat: exactly the observations of that seat."""

from collections import deque
from collections.abc import Callable
from time import monotonic

from rich.console import Console, RenderableType
from rich.text import Text

from arena.cli.console.live_status import LiveStatus, status_line
from arena.cli.play.briefing import (
    render_clues,
    render_match_head,
    render_role,
    render_rules,
    render_stage,
)
from arena.cli.rendering.event_blocks import render_event
from arena.cli.rendering.layout import heading, note, print_blocks
from arena.cli.rendering.render_context import ViewOptions, render_context
from arena.core.events import Event, StageStarted
from arena.core.observation import Observation, observe
from arena.core.state import MatchState, pending, reduce
from arena.run.observer import BaseObserver
from arena.view.i18n.desk_messages import DESK_MESSAGES, DeskMessages
from arena.view.i18n.en import EN
from arena.view.i18n.language_choice import messages_for
from arena.view.i18n.messages import Messages
from arena.view.match_view import is_everybody_asked
from arena.view.request_text import count_visible_events
from arena.view.sanitize import sanitize_line
from scripts_mm.script import Picture


class SeatScreen(BaseObserver):
    """Printer of the observations of the seat of `view`, as they come.

    While seats decide simultaneously, the others' answers are held back until this seat has
    answered too. On a terminal a last line says who is thinking, as far as that is public.
    """

    def __init__(
        self,
        console: Console,
        view: ViewOptions,
        *,
        log: Console | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Print on `console`; lines about the preparation go to `log`."""
        assert view.seat is not None, "a person has a seat"
        self._console, self._view, self._clock = console, view, clock
        self._seat, self._log = view.seat, log or console
        self.messages: Messages = view.messages or EN
        self._shown: list[tuple[MatchState, Event]] = []
        self._held: deque[tuple[MatchState, Event]] = deque()
        self._state: MatchState | None = None
        self._is_introduced = False
        self._is_asking = False
        self._asked: set[str] = set()
        """Ids of the requests that were put to the person."""
        self._logged: list[str] = []
        """Lines that wait until the person has answered."""
        self._status = ""
        self._since = clock()
        self._live: LiveStatus | None = None

    @property
    def say(self) -> DeskMessages:
        """Return the messages to the person."""
        return DESK_MESSAGES[self.messages.language]

    def close(self) -> None:
        """Wipe the last line."""
        if self._live is not None:
            self._live.close()
        self._live = None

    def on_log(self, line: str) -> None:
        """Print what is being prepared; not while the person types."""
        if self._is_asking:
            self._logged.append(line)
            return
        self.close()
        print_blocks(self._log, note(line, margin=0))
        self._wait(self.messages.preparing)

    def on_resume(self, match: str, state: MatchState) -> None:
        """Print the match up to here, as the seat observed it."""
        del match
        past = MatchState(script=state.script)
        self._state = state
        for event in state.history:
            past = reduce(past, event)
            self._held.append((past, event))
        self._flush()
        self.print(Text(""), note(self.say.resumed, margin=0))

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        """Print an event, or hold it back, and show which seats act next."""
        del match
        self._state = state
        self._held.append((state, event))
        self._flush()
        self._show_waiting(state)

    def print(self, *blocks: RenderableType) -> None:
        """Print below the existing text."""
        self.close()
        print_blocks(self._console, *blocks)

    def begin_asking(self, request: str) -> None:
        """Release the terminal to the person's input."""
        self.close()
        self._asked.add(request)
        self._is_asking = True

    def end_asking(self) -> None:
        """Take the terminal back, and show what happened meanwhile."""
        self._is_asking = False
        for line in self._logged:
            print_blocks(self._log, note(line, margin=0))
        self._logged.clear()
        state = self._state
        if state is None or state.mode == "turns" or state.ended is not None:
            return
        own = {request.id for request in pending(state) if request.seat == self._seat}
        if own <= self._asked and len(pending(state)) > len(own):
            self.print(note(self.say.given))
            self._wait(self.messages.waiting)

    def show_script(self) -> None:
        """Print the seat's role and script again."""
        self.print(*render_role(self._observe(), self.messages))

    def show_clues(self) -> None:
        """Print the clues that the seat has seen."""
        locate = self._view.locate or _name_picture
        self.print(*render_clues(self._observe().clues, self.messages, locate))

    def show_log(self) -> None:
        """Print the seat's observations again."""
        self.print(heading(self.say.heads["log"]))
        for state, event in self._shown:
            self.print(*self._render(state, event))

    def _observe(self) -> Observation:
        assert self._state is not None, "the match has started"
        return observe(self._state, self._seat)

    def _flush(self) -> None:
        assert self._state is not None, "the match has started"
        if not self._is_introduced and not self._introduce():
            return
        known = count_visible_events(self._state, self._seat)
        while self._held and len(self._held[0][0].history) <= known:
            state, event = self._held.popleft()
            self._shown.append((state, event))
            if rows := self._render(state, event):
                self.print(*rows)

    def _introduce(self) -> bool:
        """Print the seat's briefing when the first seat has a request.

        Only the events before it show whether the private script is dealt in parts.
        """
        asked = (state for state, _ in self._held if pending(state) or state.ended is not None)
        if (state := next(asked, None)) is None:
            return False
        self._is_introduced = True
        self.messages = self._view.messages or messages_for(
            state.started.language, encoding=self._console.encoding
        )
        seen = observe(state, self._seat)
        self.print(
            *render_match_head(seen, state.script.title, self.messages),
            *render_rules(seen, self.messages),
            *render_role(seen, self.messages),
        )
        return True

    def _render(self, state: MatchState, event: Event) -> tuple[RenderableType, ...]:
        context = render_context(state, self._view, self.messages)
        rows = render_event(context, event)
        if isinstance(event, StageStarted) and rows:
            text = dict(context.match.observe().own.stages).get(event.stage, "")
            return (*rows, *render_stage(event.stage, text, self.messages))
        return rows

    def _show_waiting(self, state: MatchState) -> None:
        waiting = tuple(request.seat for request in pending(state))
        if not waiting or self._seat in waiting:
            self.close()
            return
        names = [sanitize_line(seat) for seat in waiting]
        is_public = len(names) == 1 and is_everybody_asked(state)
        thinking = self.messages.thinking.format(seat=names[0])
        self._wait(thinking if is_public else self.messages.waiting)

    def _wait(self, words: str) -> None:
        if self._is_asking:
            return
        self._status, self._since = words, self._clock()
        if self._live is None:
            self._live = LiveStatus(self._console, self._draw)
            self._live.start()

    def _draw(self) -> RenderableType:
        return status_line(self._status, self._clock() - self._since)


def _name_picture(picture: Picture) -> str:
    return f"#{picture.sha256[:8]}"
