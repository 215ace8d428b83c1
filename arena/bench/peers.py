"""The same prompts in the order in which others write them, where little of one serves the next."""

from dataclasses import replace

from arena.bench.trace import Lazy, Piece, Trace, TraceMatch, Turn


def volatile(trace: Trace) -> Trace:
    """Return `trace` with each prompt written anew from a template: same pieces, same tokens.

    The order is that of MIRAGE's template: own script, the clues shown to the seat, history, the
    fixed rules, and last what is wanted now (PERFORMANCE section 3).

    Nothing is a conversation any more: all pieces are user messages, and own replies are quoted in
    the history, so that what the model computed for them is of no use.
    """

    def match(index: int) -> TraceMatch:
        played = trace.matches[index]
        turns = tuple(_turn(trace, played, turn) for turn in played.turns)
        return replace(played, turns=turns)

    return replace(trace, name=f"{trace.name}-volatile", matches=Lazy(len(trace.matches), match))


def _turn(trace: Trace, match: TraceMatch, turn: Turn) -> Turn:
    *past, demand = (_quoted(piece) for piece in trace.prompt(match, turn))
    rules = [piece for piece in past if piece.key.endswith("/rulebook")]
    told = [piece for piece in past if not piece.key.endswith("/rulebook")]
    script = told[:1]
    shown = [piece for piece in told[1:] if piece.picture]
    history = [piece for piece in told[1:] if not piece.picture]
    return replace(turn, added=(*script, *shown, *history, *rules, demand), whole=True)


def _quoted(piece: Piece) -> Piece:
    if piece.role == "system":
        return replace(piece, key=f"{piece.key}/rulebook", role="user")
    if piece.role == "assistant":
        return replace(piece, key=f"{piece.key}/quoted", role="user")
    return piece
