"""The policy `retrieve`: search script and log for what the request is about.

Each request gets a new prompt: half of the free tokens for pieces of the private script, half for
lines of the log, both in their order, with a mark at each gap. The newest lines are always there.
"""

from collections.abc import Sequence
from functools import lru_cache

from arena.core.events import PromptAdjusted, QuestionAsked, Said
from arena.models.chat import Message
from arena.players import prompts
from arena.players.context.chunking import join_sentences, split_text
from arena.players.context.log_entries import clue_names, picture_names, with_gap_marks
from arena.players.context.overflow import FittedPrompt, OverflowTask, join_base
from arena.players.retrieval import Bm25
from arena.players.wording import find_wording

_PIECE = 50
"""Tokens of a piece of the script, as in Questum."""
_LEAST = 64
_NEWEST = 3
"""Newest lines: always kept, and part of the query."""


class Retrieve:
    """Policy of lexical search (BM25); one object a seat."""

    def __init__(self) -> None:
        self._pieces: dict[str, tuple[str, ...]] = {}

    async def fit(self, task: OverflowTask) -> FittedPrompt:
        """Return a base for this request only."""
        observation, count = task.observation, task.budget.text_tokens
        say, whole_script = find_wording(observation.language), observation.own.script
        bare = prompts.header(observation, "", "you_parts")
        whole, task = task, task.without_board(bare, _LEAST)
        left = task.log_room(bare, _LEAST)
        if whole_script not in self._pieces:
            self._pieces[whole_script] = split_text(
                whole_script, _PIECE, count, observation.language
            )
        script, gap = self._pieces[whole_script], count(say("line.gap"))
        sizes = [count(piece) + gap for piece in script]
        line_sizes = [task.budget.message_tokens(entry.message) + gap for entry in task.entries]
        # What one half does not need, the other may have.
        room = max(left // 2, left - sum(line_sizes))
        query = _make_query(task)
        chosen = _choose_pieces(script, sizes, room, query)
        taken = sum(sizes[place] for place in chosen)
        lines = _choose_lines(task, line_sizes, left - taken, query)
        header = _make_header(task, script, chosen)
        base = join_base(header, with_gap_marks(say, task.entries, lines), task.tail)
        adjustments = (*whole.board_adjustment(task), *_adjustments(task, script, chosen, lines))
        return FittedPrompt(base=base, adjustments=adjustments, reusable=False)


def _make_query(task: OverflowTask) -> str:
    request, observation = task.request, task.observation
    newest = [entry.message.text for entry in task.entries[-_NEWEST:]]
    quoted = [text for _, text in request.context]
    return " ".join([*quoted, request.about, *observation.victims, *newest])


def _choose_pieces(script: Sequence[str], sizes: Sequence[int], room: int, query: str) -> set[int]:
    """Return the pieces of the script to show: the first (who the seat is), then the best hits."""
    found = [hit.index for hit in _index(tuple(script)).best(query, len(script))]
    return _fill([0, *found, *range(len(script))], sizes, room)


def _choose_lines(task: OverflowTask, sizes: Sequence[int], room: int, query: str) -> set[int]:
    """Return the lines of the log to show: the newest, what was asked, newer ones first."""
    texts = [entry.message.text for entry in task.entries]
    count = len(texts)
    newest = [*range(count - 1, max(-1, count - 1 - _NEWEST), -1)]
    # Search cannot find a picture, which has no words; the newest one is the topic of the talk.
    shown = [place for place, entry in enumerate(task.entries) if entry.message.picture]
    newest += [place for place in shown[-1:] if sizes[place] <= room // 2]
    found = (hit.index for hit in Bm25(texts).best(query, count))
    wanted = [*newest, *(place for hit in found for place in _find_exchange(task, hit))]
    return _fill([*wanted, *range(count - 1, -1, -1)], sizes, room)


def _find_exchange(task: OverflowTask, place: int) -> list[int]:
    """Return a line, a question with its answer where these follow each other."""
    events, entries = task.observation.events, task.entries

    def is_answer(one: int) -> bool:
        if not 0 < one < len(entries):
            return False
        asked, answer = events[entries[one - 1].event], events[entries[one].event]
        return (
            isinstance(asked, QuestionAsked)
            and isinstance(answer, Said)
            and (answer.seat, answer.to) == (asked.to, asked.seat)
        )

    if is_answer(place):
        return [place - 1, place]
    return [place, place + 1] if is_answer(place + 1) else [place]


def _fill(wanted: Sequence[int], sizes: Sequence[int], room: int) -> set[int]:
    """Return as many of `wanted` as fit, in that order."""
    chosen: set[int] = set()
    for place in wanted:
        if place < len(sizes) and place not in chosen and sizes[place] <= room:
            room -= sizes[place]
            chosen.add(place)
    return chosen


def _make_header(
    task: OverflowTask, script: Sequence[str], chosen: set[int]
) -> tuple[Message, ...]:
    observation = task.observation
    if len(chosen) == len(script):
        return task.whole_header()
    gap = find_wording(observation.language)("line.gap")
    parts: list[str] = []
    for place, piece in enumerate(script):
        if place in chosen:
            parts.append(piece)
        elif not parts or parts[-1] != gap:
            parts.append(gap)
    return prompts.header(observation, join_sentences(parts, observation.language), "you_parts")


def _adjustments(
    task: OverflowTask, script: Sequence[str], chosen: set[int], lines: set[int]
) -> tuple[PromptAdjusted, ...]:
    gone = [entry for place, entry in enumerate(task.entries) if place not in lines]
    return (
        task.make_adjustment(
            "script_retrieved", lines=len(script) - len(chosen), total_lines=len(script)
        ),
        task.make_adjustment(
            "log_retrieved",
            lines=len(gone),
            total_lines=len(task.entries),
            clues=clue_names(gone),
            pictures=picture_names(gone),
        ),
    )


@lru_cache(maxsize=64)
def _index(script: tuple[str, ...]) -> Bm25:
    return Bm25(script)
