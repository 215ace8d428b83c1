"""Long texts that make a careless pattern slow, and the time that one reading of them takes."""

import time
from collections.abc import Callable, Sequence

LENGTH = 200_000
MOST_SECONDS = 0.5
"""Of the processor, for a text of that length. Patterns of linear time take milliseconds, those
of quadratic time at least many seconds."""

PIECES = (
    *(" ", "\n", "\t", "x", "#", "*", ",", ".", ":", "?", "-\n", "x\n", ", ", ". "),
    *("{", "}", "[", '"', "\\", '{"a":', '{"a":"', '{"share":', '{"share":"x"}{', "\\ud83d"),
    *("```", "```\n", "```{", "``` ", "<think>", "</think>", "<a ", "<|", "<a|>", "###"),
    *(
        "#answer",
        "# answer",
        "#answer: ",
        "share:",
        "share：",
        "\nshare",
        "***share***",
        "action: ",
    ),
    *("not ", "n't ", "aan't ", "no doubt", "without ", "and i ", "but ", "rule out ", "Adaly "),
    *("不", "不是", "，", "但", "【", "没有", "不得不"),
    *("Ada ", "Ada Quill", "Ada   Quill ", "Ada -- ", "Ada is not ", "A ", "A, ", "B?", "a'", "’"),
    *("\u200b", "\ufe0f", "\u0301", "\ufdfa", "ﬁ", "\ud83d", "\x00", "\U0001f600"),
)
"""Pieces that patterns of this project begin with, repeat, or look ahead to."""


def long_text(piece: str, length: int = LENGTH) -> str:
    """Return a text of `length` characters, made of `piece` and an end that matches nothing."""
    return (piece * (length // len(piece) + 1))[: length - 1] + "x"


def slow_pieces(
    function: Callable[[str], object],
    pieces: Sequence[str] = PIECES,
    *,
    start: str = "",
    length: int = LENGTH,
) -> list[tuple[str, float]]:
    """Return the pieces of which `function` reads a long text too slowly, and the seconds."""
    taken = [(piece, _seconds(function, start + long_text(piece, length))) for piece in pieces]
    return [(piece, seconds) for piece, seconds in taken if seconds > MOST_SECONDS]


def _seconds(function: Callable[[str], object], text: str) -> float:
    # The thread's own time: what else runs on this machine does not count.
    began = time.thread_time()
    function(text)
    return time.thread_time() - began
