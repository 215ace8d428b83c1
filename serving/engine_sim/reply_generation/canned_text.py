"""Random sentences of the simulated model."""

from array import array
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Final, NamedTuple

from serving.engine_sim.sim_tokenizer import SimTokenizer

_PARTS: Final = (
    ("I was in the library", "I stood at the window", "I was in the garden", "I stayed in my room"),
    ("at ten", "after supper", "until midnight", "during the storm"),
    ("and I saw nobody", "and I heard two voices", "and the door was open", "and it was quiet"),
)


class CannedSentence(NamedTuple):
    """A sentence and its tokens."""

    text: str
    ids: "array[int]"


class CannedText:
    """Sentences that can be joined and cut after any token without changing their tokens.

    If a tokenizer does not allow this, a cut text can have other tokens than the reply.
    """

    def __init__(self, tokens: SimTokenizer) -> None:
        texts = [" ".join(parts) + "." for parts in product(*_PARTS)]
        opening = [CannedSentence(text, tokens.ids(text)) for text in texts]
        every = [CannedSentence(text, tokens.ids(text)) for text in (f" {one}" for one in texts)]
        self._later = [one for one in every if _can_join(tokens, opening[0], one)] or every
        self._first = [one for one in opening if _can_join(tokens, one, self._later[0])] or opening

    def draw_sentences(self, chance: Random, *, tokens: int) -> tuple[str, "array[int]"]:
        """Return whole sentences of at least `tokens` tokens."""
        pick = self._first[int(chance.random() * len(self._first))]
        text, ids = [pick.text], pick.ids[:]
        while len(ids) < tokens:
            pick = self._later[int(chance.random() * len(self._later))]
            text.append(pick.text)
            ids += pick.ids
        return "".join(text), ids

    def draw_sentence(self, chance: Random) -> str:
        """Return one sentence."""
        return self._first[int(chance.random() * len(self._first))].text


def _can_join(tokens: SimTokenizer, before: CannedSentence, after: CannedSentence) -> bool:
    """Return whether every prefix of `before` + `after` equals the tokens of its text."""
    ids = before.ids + after.ids
    cuts: Sequence[array[int]] = [ids[:end] for end in range(1, len(ids) + 1)]
    return tokens.ids(before.text + after.text) == ids and all(
        tokens.ids(tokens.text(cut)) == cut for cut in cuts
    )
