"""Growth of contexts, estimated at every turn: replies by kind of request, texts, pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.schedule.footprint import PlannedTurn

_DECAY: Final = 0.98
"""Weight of a reply relative to the next one of its kind."""
_PRIOR: Final = 2.0
"""Number of replies with the planned length that precede the first one of a kind."""
_SPREAD: Final = 0.25
"""Variance of the factor of counted tokens before the first turn, if the tokenizer is unknown."""
_NOISE: Final = 0.1
"""Standard deviation of a context relative to its planned tokens."""
_LEAST_NOISE: Final = 6.4
"""Tokens."""
_LEAST: Final = 0.05
_MOST: Final = 8.0


@dataclass(slots=True)
class GrowthFactors:
    """Factors of actual over planned tokens.

    The factors of texts and pictures are 1 if the model's own tokenizer counted them; otherwise
    recursive least squares estimates them from the tokens of contexts besides replies.
    """

    is_exact: bool
    _replies: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    """By kind: weighted sums of actual and planned tokens."""
    _text: float = 1.0
    _pictures: float = 1.0
    _covariance: tuple[float, float, float] = (_SPREAD, 0.0, _SPREAD)
    """Covariance of the factors of text and of pictures: variance, covariance, variance."""

    def of(self, kinds: Sequence[str]) -> list[float]:
        """Return the factors of text, pictures and replies of these kinds."""
        return [self._text, self._pictures, *map(self._reply, kinds)]

    def update(self, turn: PlannedTurn, context: int, output: int, header: int) -> None:
        """Update with the context of a seat after a planned turn, in tokens, and its reply."""
        if turn.reply:
            prior = _PRIOR * turn.reply
            actual, planned = self._replies.get(turn.kind, (prior, prior))
            self._replies[turn.kind] = (actual * _DECAY + output, planned * _DECAY + turn.reply)
        if not self.is_exact:
            said = sum(tokens * self._reply(kind) for kind, tokens in turn.tokens.speech.items())
            self._learn_counts(turn.tokens.text + header, turn.tokens.pictures, context - said)

    def _learn_counts(self, text: float, pictures: float, actual: float) -> None:
        """Update with planned tokens of text and pictures, and their actual sum."""
        one, both, two = self._covariance
        to_text, to_pictures = one * text + both * pictures, both * text + two * pictures
        noise = max(_LEAST_NOISE, _NOISE * (text + pictures)) ** 2
        scale = 1 / (text * to_text + pictures * to_pictures + noise)
        error = actual - text * self._text - pictures * self._pictures
        self._text = _clamp(self._text + to_text * scale * error)
        self._pictures = _clamp(self._pictures + to_pictures * scale * error)
        self._covariance = (
            one - scale * to_text**2,
            both - scale * to_text * to_pictures,
            two - scale * to_pictures**2,
        )

    def _reply(self, kind: str) -> float:
        actual, planned = self._replies.get(kind, (1.0, 1.0))
        return _clamp(actual / planned)


def _clamp(factor: float) -> float:
    return min(_MOST, max(_LEAST, factor))
