"""`--quiet`: one line per match."""

from rich.console import Console

from arena.cli.rendering.layout import UnwrappedLine, print_blocks
from arena.cli.rendering.verdict import summary_line
from arena.records.match_summary import MatchSummary
from arena.run.observer import BaseObserver
from arena.view.i18n.language_choice import messages_for
from arena.view.i18n.messages import Messages


class QuietOutput(BaseObserver):
    """Output of only one line per finished match."""

    def __init__(self, console: Console, *, messages: Messages | None = None) -> None:
        """Print on `console`; the messages are in the language of each match."""
        self._console = console
        self._messages = messages

    def on_match_end(self, summary: MatchSummary) -> None:
        """Print the match in one line."""
        messages = self._messages or messages_for(summary.language, encoding=self._console.encoding)
        print_blocks(self._console, UnwrappedLine(text=summary_line(summary, messages)))
