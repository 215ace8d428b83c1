"""The policy `drop_oldest`: omit older talk, keep the first words of each seat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arena.core.events import PromptAdjusted
from arena.core.quoting import quote
from arena.memory.chunking import join_sentences, split_text
from arena.models.chat import Message
from arena.players import prompts
from arena.players.context.log_entries import LogEntry, clue_names, picture_names, to_messages
from arena.players.context.overflow import FittedPrompt, OverflowTask, SummaryState, join_base
from arena.players.wording import find_wording

_LEAST = 16
"""Tokens of a log, at least."""
_PIECE = 50
"""Tokens of a piece of the script."""
_GROWTH = 4
"""1 / this share of the room stays free, so that the log can grow again for some turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncationLevel:
    """Retained part of a log: a share of the talk, and a number of pictures, newest first."""

    talk: float
    pictures: int | None = None
    """None: all."""


LEVELS = (
    TruncationLevel(talk=0.5),
    TruncationLevel(talk=0.25),
    TruncationLevel(talk=0.25, pictures=1),
    TruncationLevel(talk=0.25, pictures=0),
    TruncationLevel(talk=0.0, pictures=0),
)
"""In order of preference. All retain the first words of each seat and the texts of clues."""
_ALL = TruncationLevel(talk=1.0)
_FEW = TruncationLevel(talk=0.25, pictures=0)


class DropOldest:
    """Policy that omits old talk, then pictures, then the oldest entries of any kind.

    If the private script is too long, it omits the middle of the script.
    """

    async def fit(self, task: OverflowTask) -> FittedPrompt:
        """Return the longest base that fits; the script stays whole if possible."""
        header = _Header(messages=task.whole_header())
        found = _find_best(task, header, LEVELS)
        if found is None and task.script_dominates:
            header = _shorten_header(task)
            found = _find_best(task, header, (_ALL, *LEVELS))
        return found or _keep_newest(task, header)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    messages: tuple[Message, ...]
    script: PromptAdjusted | None = None
    """How the script was shortened; None: it is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _TruncatedLog:
    """The retained entries of a log at one level, and the omitted ones."""

    kept: list[LogEntry]
    dropped: int
    """Lines of talk."""
    pictures: list[LogEntry]


def _find_best(
    task: OverflowTask, header: _Header, levels: Sequence[TruncationLevel]
) -> FittedPrompt | None:
    """Return the first level that fits, preferably one with room for the log to grow."""
    if task.count(header.messages) > task.max_prompt:
        return None
    tried: list[tuple[FittedPrompt, int]] = []
    for fitted, tokens in _try_levels(task, header, levels):
        if tokens <= task.max_prompt - task.max_prompt // _GROWTH:
            return fitted
        tried.append((fitted, tokens))
    return next((fitted for fitted, tokens in tried if tokens <= task.max_prompt), None)


def _try_levels(
    task: OverflowTask, header: _Header, levels: Sequence[TruncationLevel]
) -> Iterator[tuple[FittedPrompt, int]]:
    for level in levels:
        shown = task.drop_board() if level.pictures == 0 else task
        truncated = _truncate(shown, level)
        board = task.board_adjustment(shown)
        has_less = bool(truncated.dropped or truncated.pictures or board)
        if has_less or header.script:
            base = (*header.messages, *_log_messages(shown, truncated))
            record = (*_record_truncation(task, truncated), *board)
            yield _make_fitted(task, base, header, record), task.count(base)


def _record_truncation(task: OverflowTask, truncated: _TruncatedLog) -> tuple[PromptAdjusted, ...]:
    """Return what was left out: lines of the log, pictures, or both."""
    names, total = picture_names(truncated.pictures), len(task.entries)
    talk = task.make_adjustment("log_dropped", lines=truncated.dropped, total_lines=total)
    pictures = task.make_adjustment("pictures_dropped", pictures=names)
    return (*((talk,) if truncated.dropped else ()), *((pictures,) if names else ()))


def _log_messages(task: OverflowTask, truncated: _TruncatedLog) -> tuple[Message, ...]:
    """Return the messages between role and instruction."""
    mark = _mark_dropped(task, truncated.dropped)
    return join_base((), mark, to_messages(truncated.kept), task.tail)


def _make_fitted(
    task: OverflowTask,
    base: tuple[Message, ...],
    header: _Header,
    adjustments: tuple[PromptAdjusted, ...],
) -> FittedPrompt:
    shortened = task.script_adjustment(header.script) if header.script else ()
    return FittedPrompt(
        base=base,
        adjustments=(*shortened, *adjustments),
        state=SummaryState(script=header.script),
    )


def _truncate(task: OverflowTask, level: TruncationLevel) -> _TruncatedLog:
    """Return the log truncated to a level."""
    say = find_wording(task.observation.language)
    talk = [place for place, entry in enumerate(task.entries) if entry.kind == "talk"]
    dropped = set(talk[: len(talk) - int(len(talk) * level.talk)])
    shown = [place for place, entry in enumerate(task.entries) if entry.message.picture]
    newest = len(shown) if level.pictures is None else level.pictures
    old = set(shown[: max(0, len(shown) - newest)])
    titles = {clue.key: quote(clue.title) for clue in task.observation.clues}
    found = _TruncatedLog(kept=[], dropped=len(dropped), pictures=[])
    for place, entry in enumerate(task.entries):
        if place in dropped:
            continue
        if place not in old:
            found.kept.append(entry)
            continue
        text = say("line.clue_dropped", title=titles[entry.name.rpartition("/")[0]])
        found.pictures.append(entry)
        found.kept.append(replace(entry, message=Message(role="user", text=text)))
    return found


def _keep_newest(task: OverflowTask, header: _Header) -> FittedPrompt:
    """Keep the newest entries of the log, of any kind."""
    whole, task = task, task.without_board(header.messages, _LEAST)
    left = task.log_budget(header.messages, _LEAST)
    left -= sum(task.budget.message_tokens(one) for one in _mark_dropped(task, len(task.entries)))
    dropped = len(task.entries)
    while dropped:
        size = task.budget.message_tokens(task.entries[dropped - 1].message)
        if size > left:
            break
        left -= size
        dropped -= 1
    gone = task.entries[:dropped]
    adjustments = whole.board_adjustment(task)
    if gone:
        record = task.make_adjustment(
            "log_dropped",
            lines=dropped,
            total_lines=len(task.entries),
            clues=clue_names(gone),
            pictures=picture_names(gone),
        )
        adjustments = (*adjustments, record)
    mark = _mark_dropped(task, dropped)
    base = join_base(header.messages, mark, to_messages(task.entries[dropped:]), task.tail)
    return _make_fitted(task, base, header, adjustments)


def _shorten_header(task: OverflowTask) -> _Header:
    """Return rules and role with as much of the script's beginning and end as fits.

    The script gets the room that remains with little talk and no pictures in the log, but at least
    its share of the prompt.
    """
    observation, count = task.observation, task.budget.text_tokens
    language, whole = observation.language, observation.own.script
    few = task.drop_board()
    bare = (
        *prompts.header(observation, "", "you_parts"),
        *_log_messages(few, _truncate(few, _FEW)),
    )
    room = task.max_prompt - task.max_prompt // _GROWTH - task.count(bare)
    found = split_text(whole, _PIECE, count, language)
    kept = _count_ends(found, [count(piece) for piece in found], max(room, task.script_budget()))
    gap = find_wording(language)("line.gap")
    halves = (join_sentences(found[:kept], language), join_sentences(found[-kept:], language))
    script = f"\n{gap}\n".join(halves) if kept else gap
    adjustment = task.make_adjustment(
        "script_dropped",
        lines=len(found) - 2 * kept,
        total_lines=len(found),
        tokens_before=count(whole),
        tokens_after=count(script),
    )
    header = prompts.header(observation, script, "you_parts")
    return _Header(messages=header, script=adjustment)


def _count_ends(found: Sequence[str], sizes: Sequence[int], most: int) -> int:
    """Return how many pieces fit from the beginning and, the same number, from the end."""
    kept, tokens = 0, 0
    while 2 * (kept + 1) < len(found):
        tokens += sizes[kept] + sizes[-kept - 1]
        if tokens > most:
            break
        kept += 1
    return kept


def _mark_dropped(task: OverflowTask, dropped: int) -> tuple[Message, ...]:
    if not dropped:
        return ()
    text = find_wording(task.observation.language)("line.dropped", count=dropped)
    return (Message(role="user", text=text),)
