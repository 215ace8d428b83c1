"""Transcript of a match: the output of `arena match` for one match, and of `arena replay`."""

from collections.abc import Callable, Iterable
from time import monotonic

from rich.console import Console, RenderableType

from arena.cli.console.live_status import LiveStatus, status_line
from arena.cli.console.usage import UsageCounter
from arena.cli.rendering.event_blocks import render_event
from arena.cli.rendering.formatting import format_count
from arena.cli.rendering.item_blocks import render_item, resume_line
from arena.cli.rendering.layout import note, print_blocks
from arena.cli.rendering.render_context import ViewOptions, render_context
from arena.core.events import Event, MatchStarted
from arena.core.state import MatchState, pending, reduce
from arena.models.chat import Completion, Request
from arena.records.match_summary import MatchSummary
from arena.run.observer import BaseObserver
from arena.view.heading import describe_head
from arena.view.i18n.en import EN
from arena.view.i18n.language_choice import messages_for
from arena.view.i18n.messages import Messages
from arena.view.match_view import is_everybody_asked
from arena.view.sanitize import sanitize_line
from scripts_mm.script import Script


class Transcript(BaseObserver):
    """Printer of a match's events, as they come.

    On a terminal a last line names the seat that is thinking. Lines about the preparation go to
    `log`, as standard error; None: to the same console. Use it as a context manager.
    """

    def __init__(
        self,
        console: Console,
        view: ViewOptions | None = None,
        *,
        log: Console | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Print on `console` what `view` shows."""
        self._console = console
        self._log = log or console
        self._view = view or ViewOptions()
        self._clock = clock
        self._messages: Messages = self._view.messages or EN
        self._match: str | None = None
        self._usage = UsageCounter()
        self._waiting: tuple[str, ...] = ()
        """Display names of the seats with an open request."""
        self._is_public = True
        """Whether the seats can be named: all seats act in this phase."""
        self._preparing = False
        self._since = clock()
        self._live: LiveStatus | None = None

    def close(self) -> None:
        """Wipe the last line."""
        if self._live is not None:
            self._live.close()
        self._live = None

    def on_log(self, line: str) -> None:
        """Print what is being prepared."""
        self.close()
        print_blocks(self._log, note(line, margin=0))
        self._preparing = True
        self._wait(())

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        """Print an event, and name the seats that act next."""
        self._preparing = False
        self._show(match, state, event)
        if state.ended is None:
            self._is_public = self._view.truth or is_everybody_asked(state)
            self._wait(tuple(sanitize_line(request.seat) for request in pending(state)))
        else:
            self.close()

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Count the call; its seat is no longer waiting."""
        self._usage.add(match, request, completion)
        if request.call_id.kind == "reply" and len(self._waiting) > 1:
            answered = sanitize_line(request.call_id.seat)
            self._waiting = tuple(seat for seat in self._waiting if seat != answered)

    def on_match_end(self, summary: MatchSummary) -> None:
        """Clear the status, also for a match that broke off without a last event."""
        del summary
        self.close()

    def play(self, match: str, script: Script, events: Iterable[Event]) -> MatchState:
        """Print a recorded match; return the state after its last event."""
        state = MatchState(script=script)
        for event in events:
            state = reduce(state, event)
            self._show(match, state, event)
        return state

    def _show(self, match: str, state: MatchState, event: Event) -> None:
        """Print an event, and before the first one the heading of the match."""
        self._messages = self._view.messages or messages_for(
            state.started.language, encoding=self._console.encoding
        )
        context = render_context(state, self._view, self._messages)
        if match != self._match:
            self._match, self._usage = match, UsageCounter()
            if not isinstance(event, MatchStarted):
                before = len(state.history) - 1
                print_blocks(
                    self._console,
                    *render_item(context, describe_head(context.match)),
                    resume_line(context, before),
                )
        print_blocks(self._console, *render_event(context, event))

    def _wait(self, seats: tuple[str, ...]) -> None:
        self._waiting, self._since = seats, self._clock()
        if self._live is None:
            self._live = LiveStatus(self._console, self._status)
            self._live.start()

    def _status(self) -> RenderableType:
        messages, waiting = self._messages, self._waiting
        if self._preparing:
            status = messages.preparing
        elif waiting and not self._is_public:
            status = messages.waiting
        elif len(waiting) == 1:
            status = messages.thinking.format(seat=waiting[0])
        elif waiting:
            status = messages.many_thinking.format(n=len(waiting))
        else:
            return ""
        return status_line(status, self._clock() - self._since, after=self._cost())

    def _cost(self) -> str:
        messages, usage = self._messages, self._usage
        auxiliary = messages.auxiliary_counts(usage.readings, usage.summaries, usage.steps)
        if not (usage.turns or auxiliary):
            return ""
        tokens = format_count(usage.prompt_tokens + usage.output_tokens)
        facts = (
            messages.count(usage.turns, "turn"),
            *auxiliary,
            f"{messages.heads['tokens']} {tokens}",
            messages.cached.format(share=usage.hit_rate),
        )
        return messages.join(facts)
