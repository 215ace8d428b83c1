"""How many tokens the pieces of a prompt take on a real server, told by its own tokenizer."""

from collections.abc import Callable, Sequence

from arena.bench.trace import Piece
from arena.models.chat import Message
from arena.models.tokens.prompt_tokenizer import IncrementalPromptTokenizer
from scripts_mm.script import Picture
from serving.engine_sim.prompt import Prompt, Segment

_ASKED = Message(role="user", text="what then?")
_TOLD = Message(role="user", text="an answer")


_Two = tuple[Segment, Segment]


class Lengths:
    """Turns messages into segments of the lengths that the server will see.

    What the template puts before a message's words and after a reply are segments of their own,
    since they are the same for all; what it opens a reply with is counted to the message before.
    Templates whose openings differ in length by role would be counted wrongly by that difference;
    the report says how many prompts were.
    """

    def __init__(
        self, speller: IncrementalPromptTokenizer, picture_tokens: Callable[[Picture], int]
    ) -> None:
        self._speller, self._picture_tokens = speller, picture_tokens
        self._opening = _opening(speller)
        self._frame = _frame(speller, self._opening)
        self._known: dict[tuple[str, str, bool], _Two] = {}

    def forget(self) -> None:
        """Drop what was learned of replies and matches of the last replay."""
        self._known.clear()

    def prompt(self, pieces: Sequence[Piece], messages: Sequence[Message]) -> Prompt:
        """Return the prompt of `messages`, which stand for `pieces`, in segments."""
        segments: list[Segment] = []
        last = len(pieces) - 1
        for at, piece in enumerate(pieces):
            if piece.role == "assistant":
                segments += self._replied(piece, messages[at - 1 : at + 1])
                continue
            opens = at == last or pieces[at + 1].role == "assistant"
            segments += self._told(piece, messages[max(0, at - 1) : at + 1], opens)
        return tuple(segments)

    def _told(self, piece: Piece, messages: Sequence[Message], opens: bool) -> _Two:
        place = (messages[0].role if len(messages) > 1 else "", piece.key, opens)
        found = self._known.get(place)
        if found is None:
            tokens = self._added(messages) + (self._opening if opens else 0)
            before = min(self._frame, tokens)
            found = self._known[place] = (
                Segment(f"<{piece.role}>", before),
                Segment(piece.key, tokens - before),
            )
        return found

    def _replied(self, piece: Piece, messages: Sequence[Message]) -> _Two:
        # The same reply is spelt by its tokens or by its words.
        place = ("assistant", piece.key, bool(messages[-1].ids))
        found = self._known.get(place)
        if found is None:
            added = self._added(messages)
            said = min(len(messages[-1].ids) or piece.tokens, added)
            end = Segment("<end>", max(0, added - said))
            found = self._known[place] = (Segment(piece.key, said), end)
        return found

    def _added(self, messages: Sequence[Message]) -> int:
        """Return the tokens that the last of two messages adds; of one alone all but the opening.

        Of a reply, its opening is not among them, since it stood in the prompt before.
        """
        *before, last = messages
        whole = self._speller.count(messages, self._picture_tokens)
        if not before:
            return whole - self._opening
        added = whole - self._speller.count(before, self._picture_tokens)
        return added - self._opening if last.role == "assistant" else added


def _frame(speller: IncrementalPromptTokenizer, opening: int) -> int:
    """Return the tokens that the template puts before the words of a message."""
    first, other = ([_ASKED, one] for one in (_TOLD, _ASKED))
    begins = len(speller.encode([_ASKED]).ids) - opening
    return _same(speller.encode(first).ids, speller.encode(other).ids) - begins


def _opening(speller: IncrementalPromptTokenizer) -> int:
    """Return the tokens with which the template opens a reply to a user."""
    opened = speller.encode([_ASKED]).ids
    followed = speller.encode([_ASKED, _TOLD]).ids
    # The special token with which every message begins is in both.
    return len(opened) - _same(opened, followed) + 1


def _same(some: Sequence[int], others: Sequence[int]) -> int:
    """Return with how many tokens both begin."""
    pairs = enumerate(zip(some, others, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(some), len(others)))
