"""The policy `retrieve`: search script and log for text relevant to the request.

Search is by the seat's embedder, over the pieces of its own script and the lines of its own log.
Each request gets a new prompt: half of the free tokens for pieces of the private script, half for
lines of the log, both in their order, with a mark at each gap. It always has the newest lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.events import PromptAdjusted, QuestionAsked, Said
from arena.memory.chunking import fill_budget, join_sentences, split_text
from arena.memory.memory_index import MemoryIndex
from arena.models.chat import Message
from arena.players import prompts
from arena.players.context.log_entries import clue_names, picture_names, with_gap_marks
from arena.players.context.overflow import FittedPrompt, OverflowTask, join_base
from arena.players.wording import find_wording

_PIECE = 50
"""Tokens of a piece of the script, as in Questum."""
_LEAST = 64
_NEWEST = 3
"""Newest lines: always in the prompt, and part of the query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranking:
    """Hits of a search: pieces of the script and lines of the log, best first."""

    pieces: tuple[int, ...]
    lines: tuple[int, ...]
    lexical: bool


class Retrieve:
    """Policy of search by embeddings; one object per seat."""

    def __init__(self, memory: MemoryIndex) -> None:
        """Search with `memory`, an empty index for this seat only."""
        self._memory = memory
        self._numbers: dict[str, int] = {}
        """Text to its number in the memory."""
        self._pieces: dict[str, tuple[str, ...]] = {}

    async def fit(self, task: OverflowTask) -> FittedPrompt:
        """Return a base that serves only this request."""
        observation, count = task.observation, task.budget.text_tokens
        say = find_wording(observation.language)
        bare = prompts.header(observation, "", "you_parts")
        whole, task = task, task.without_board(bare, _LEAST)
        left = task.log_budget(bare, _LEAST)
        script, gap = self._split_script(task), count(say("line.gap"))
        sizes = [count(piece) + gap for piece in script]
        line_sizes = [task.budget.message_tokens(entry.message) + gap for entry in task.entries]
        # Tokens that one half does not need go to the other half.
        share = task.shares[0]
        if count(task.observation.own.script) <= share:
            share = left  # Gap marks make its pieces longer than the whole, which fits.
        room = min(share, max(left // 2, left - sum(line_sizes)))
        ranked = await self._rank(task, script)
        chosen = _choose_pieces(ranked, sizes, room)
        taken = sum(sizes[place] for place in chosen)
        lines = _choose_lines(task, line_sizes, left - taken, ranked)
        header = _make_header(task, script, chosen)
        base = join_base(header, with_gap_marks(say, task.entries, lines), task.tail)
        adjustments = (*whole.board_adjustment(task), *_adjustments(task, script, chosen, lines))
        if ranked.lexical:
            adjustments = (*adjustments, task.make_adjustment("search_lexical"))
        return FittedPrompt(base=base, adjustments=adjustments, reusable=False)

    def _split_script(self, task: OverflowTask) -> tuple[str, ...]:
        whole, language = task.observation.own.script, task.observation.language
        if whole not in self._pieces:
            self._pieces[whole] = split_text(whole, _PIECE, task.budget.text_tokens, language)
        return self._pieces[whole]

    async def _rank(self, task: OverflowTask, script: Sequence[str]) -> _Ranking:
        """Search only texts that the seat knows at the moment of this request."""
        texts = [*script, *(entry.message.text for entry in task.entries)]
        new = [text for text in dict.fromkeys(texts) if text not in self._numbers]
        self._numbers |= dict(zip(new, self._memory.add(new), strict=True))
        hits = await self._memory.search(
            _make_query(task),
            among=[self._numbers[text] for text in texts],
            call_id=task.call_id,
        )
        scores = {hit.index: hit.score for hit in hits.found}
        # By place among equals: the memory may hold its texts in another order.
        found = [place for place, text in enumerate(texts) if self._numbers[text] in scores]
        found.sort(key=lambda place: (-scores[self._numbers[texts[place]]], place))
        return _Ranking(
            pieces=tuple(place for place in found if place < len(script)),
            lines=tuple(place - len(script) for place in found if place >= len(script)),
            lexical=hits.lexical,
        )


def _make_query(task: OverflowTask) -> str:
    request, observation = task.request, task.observation
    newest = [entry.message.text for entry in task.entries[-_NEWEST:]]
    quoted = [text for _, text in request.context]
    return " ".join([*quoted, request.about, *observation.victims, *newest])


def _choose_pieces(ranked: _Ranking, sizes: Sequence[int], room: int) -> set[int]:
    """Return the pieces of the script to show: the first (who the seat is), then the best hits."""
    return fill_budget([0, *ranked.pieces, *range(len(sizes))], sizes, room)


def _choose_lines(
    task: OverflowTask, sizes: Sequence[int], room: int, ranked: _Ranking
) -> set[int]:
    """Return the lines of the log to show: the newest, the best hits, then others, newest first."""
    count = len(task.entries)
    newest = [*range(count - 1, max(-1, count - 1 - _NEWEST), -1)]
    # Search cannot find a picture, which has no words; the newest one is the topic of the talk.
    shown = [place for place, entry in enumerate(task.entries) if entry.message.picture]
    newest += [place for place in shown[-1:] if sizes[place] <= room // 2]
    wanted = [*newest, *(place for hit in ranked.lines for place in _find_exchange(task, hit))]
    wanted += range(count - 1, -1, -1)
    talk = [place for place in wanted if task.entries[place].is_talk]
    kept = fill_budget(talk, sizes, task.shares[1])
    return fill_budget([one for one in wanted if one in kept or one not in talk], sizes, room)


def _find_exchange(task: OverflowTask, place: int) -> list[int]:
    """Return a line, together with its question or answer if these are adjacent."""
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
    """Return what was left out of the script and of the log; nothing for one that is complete."""
    gone = [entry for place, entry in enumerate(task.entries) if place not in lines]
    pieces = len(script) - len(chosen)
    of_script = task.make_adjustment("script_retrieved", lines=pieces, total_lines=len(script))
    of_log = task.make_adjustment(
        "log_retrieved",
        lines=len(gone),
        total_lines=len(task.entries),
        clues=clue_names(gone),
        pictures=picture_names(gone),
    )
    return (*((of_script,) if pieces else ()), *((of_log,) if gone else ()))
