"""Split of a log for the policy `summarise`: retained entries, and those the summary replaces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.models.chat import Message
from arena.players.context.log_entries import LogEntry
from arena.players.context.overflow import OverflowTask
from arena.players.wording import find_wording

_GROWTH, _CLUES, _TALK, _PICTURES = 5, 4, 3, 3
"""Shares of the room for the log, as divisors: free after a reset, so that the log can grow again
for some turns; older clues; newest talk; pictures. Chosen by hand, not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSplit:
    """A log in two parts: the retained entries, and those that the summary replaces."""

    clues: tuple[LogEntry, ...]
    """Older clues that stay unchanged."""
    rest: tuple[LogEntry, ...]
    """The newest lines, which stay unchanged."""
    older: tuple[LogEntry, ...]
    gone: tuple[LogEntry, ...]
    """Omitted pictures; a summary cannot contain them."""
    covered: int
    """How many events, from the first, the summary covers."""
    size: int
    """Tokens of all retained entries."""

    @property
    def remaining(self) -> tuple[LogEntry, ...]:
        """The retained entries, in prompt order."""
        return (*self.clues, *self.rest)

    def halve(self) -> "LogSplit":
        """Return the split without the older half of the retained entries."""
        gone = -(-len(self.remaining) // 2)
        rest = self.rest[max(0, gone - len(self.clues)) :]
        return replace(self, clues=self.clues[gone:], rest=rest)


def split_log(task: OverflowTask, left: int) -> LogSplit:
    """Split the log: at least its older half, in tokens, goes into the summary."""
    state, message_tokens = task.state, task.budget.message_tokens
    found = [e for e in task.entries if e.event >= state.covered or e.name in state.kept]
    sizes = {id(entry): message_tokens(entry.message) for entry in found}
    summary = sum(message_tokens(message) for message in summary_messages(task, state.text))
    if sum(sizes.values()) + summary <= left - left // _GROWTH:
        # The entries fit: requests and thoughts made the log too long, and a reset drops these.
        cut, shown, clues = sum(e.event < state.covered for e in found), found, found
    else:
        shown = _choose_pictures(found, sizes, left)
        left -= sum(sizes[id(entry)] for entry in shown)
        # At least half of the lines goes, even if more would fit: a summary costs a call and a new
        # prefill of the whole prompt, so it must make room for many turns.
        lines = [entry for entry in found if entry.message.picture is None]
        total = sum(sizes[id(entry)] for entry in lines)
        cut = _find_cut(found, sizes, min(total // 2, left // _TALK))
        clues = _choose_clues(found[:cut], sizes, left // _CLUES)
    newest = (entry for entry in found[cut:] if not entry.message.picture)
    kept = {id(entry) for entry in (*shown, *clues, *newest)}
    lost = [entry for entry in found if id(entry) not in kept and entry.kind != "placed"]
    rest = found[cut:]
    return LogSplit(
        clues=tuple(entry for entry in found[:cut] if id(entry) in kept),
        rest=tuple(entry for entry in rest if id(entry) in kept),
        older=tuple(entry for entry in lost if entry.message.picture is None),
        gone=tuple(entry for entry in lost if entry.message.picture is not None),
        covered=rest[0].event if rest else len(task.observation.events),
        size=sum(sizes[one] for one in kept),
    )


def summary_messages(task: OverflowTask, text: str) -> tuple[Message, ...]:
    """Return the message with a summary; no message for an empty one."""
    if not text:
        return ()
    line = find_wording(task.observation.language)("line.remembered", text=text)
    return (Message(role="user", text=line),)


def _choose_pictures(found: Sequence[LogEntry], sizes: dict[int, int], left: int) -> list[LogEntry]:
    """Return the newest pictures that stay: one within half the room, more within their share."""
    kept: list[LogEntry] = []
    tokens = 0
    for entry in reversed(found):
        if entry.message.picture is None:
            continue
        tokens += sizes[id(entry)]
        if tokens > (left // _PICTURES if kept else left // 2):
            break
        kept.append(entry)
    return kept


def _find_cut(found: Sequence[LogEntry], sizes: dict[int, int], most: int) -> int:
    """Return the index of the first retained entry: whole events of at most `most` tokens.

    Pictures are not counted.
    """
    cut, tokens = len(found), 0
    for place in range(len(found) - 1, -1, -1):
        tokens += 0 if found[place].message.picture else sizes[id(found[place])]
        if tokens > most:
            break
        if place == 0 or found[place - 1].event != found[place].event:
            cut = place
    return cut


def _choose_clues(older: Sequence[LogEntry], sizes: dict[int, int], most: int) -> list[LogEntry]:
    """Return the newest of the older clues and notes, with at most `most` tokens."""
    kept: list[LogEntry] = []
    for entry in reversed(older):
        is_text = entry.kind in {"clue", "picture"} and entry.message.picture is None
        if is_text and sizes[id(entry)] <= most:
            most -= sizes[id(entry)]
            kept.append(entry)
    return kept
