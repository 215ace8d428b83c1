"""The guard detectors' view of a match: names, texts by reader, and earlier speech."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from arena.core.events import ClueRevealed, Said
from arena.core.observation import observe_request, reaches
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import spec_fields, variants
from arena.core.state import replay
from arena.games.game_registry import find_game
from arena.games.shared.word_matching import plain, word_pattern
from eval.metrics.match_cache import cache_last_match
from eval.metrics.text_tokens import ngrams, word_tokens
from eval.played_match import PlayedMatch, Utterance
from scripts_mm.script import Language, Script
from scripts_mm.script_texts import CJK, clue_text

RUN: Mapping[Language, int] = {"en": 30, "zh": 40}
"""The length of a run, in words or Chinese characters, that is not repeated by chance."""
RULE_RUN = 12
"""The same for the short sentences of rules and instructions."""

_LEAST_PART = 3
"""The least letters of a name's part that identifies the name."""
_CHINESE_NAME = re.compile(rf"{CJK.pattern}{{3}}")
_ANY_SEAT = "seatname"
"""A token that no speech contains."""
_BOUND: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"never say\b[^.\n]*\bfaction", re.IGNORECASE),
    "zh": re.compile(r"不要[^。\n]*阵营"),
}


@dataclass(frozen=True, kw_only=True)
class GuardScene:
    """One match, as input of the detectors."""

    match: PlayedMatch

    @property
    def language(self) -> Language:
        """The language of the match."""
        return self.match.script.language

    @cached_property
    def names(self) -> Mapping[SeatId, tuple[str, ...]]:
        """Seat -> its name, its aliases and the unique parts of its name, as plain text."""
        seats = self.match.started.seats
        held = Counter(part for seat in seats for part in _name_parts(plain(seat)))
        return {
            seat: (
                *map(plain, _names(self.match.script, seat)),
                *(part for part in _name_parts(plain(seat)) if held[part] == 1),
            )
            for seat in seats
        }

    def others(self, seat: SeatId) -> str:
        """Return a pattern for the name of any other seat in plain text."""
        return any_word(name for one, names in self.names.items() if one != seat for name in names)

    @cached_property
    def victims(self) -> str:
        """A pattern for the name of a victim in plain text."""
        names = [plain(name) for name in self.match.script.victims]
        return any_word([*names, *(part for name in names for part in name.split())])

    @cached_property
    def is_faction_secret(self) -> bool:
        """Whether the rules forbid stating one's faction."""
        return any(_BOUND[self.language].search(text) for text in self._rule_texts[:1])

    @cached_property
    def rule_runs(self) -> frozenset[tuple[str, ...]]:
        """Every run of `RULE_RUN` tokens of rules and instructions that is not in the case."""
        case = (self.match.script.opening, *(role.script for role in self.match.script.roles))
        rules = frozenset(
            run for text in self._rule_texts for run in ngrams(word_tokens(text), RULE_RUN)
        )
        return rules - {run for text in case for run in token_runs(text, RULE_RUN)}

    @cached_property
    def _rule_texts(self) -> tuple[str, ...]:
        """The rules, and one instruction of each kind, without the names of seats."""
        match = self.match
        state = replay(match.script, match.events)
        game = find_game(match.started.game)
        asked: dict[str, DecisionRequest] = {}
        for request in match.requests.values():
            asked.setdefault(f"{request.kind}/{match.faction(request.seat)}", request)
        texts = [game.texts(observe_request(state, one)) for one in asked.values()]
        rules = [text.rules() for text in texts[:1]]
        instructions = [
            text.instruction(one) for text, one in zip(texts, asked.values(), strict=True)
        ]
        return tuple(_without(text, match.started.seats) for text in (*rules, *instructions))

    @cached_property
    def case_text(self) -> str:
        """All texts of the case, as plain text."""
        script, seats = self.match.script, self.match.started.seats
        texts = [
            *(script.opening, script.truth.text, *script.names, *script.victims),
            *(text for seat in seats for text in self.private_texts(seat)),
            *(clue_text(clue) for clue in script.clues),
        ]
        return plain("\n".join(texts))

    def private_texts(self, seat: SeatId) -> tuple[str, ...]:
        """Return the private texts of `seat`: its script and its clues."""
        role = self.match.script.role(seat)
        owned = (clue_text(clue) for clue in self.match.script.clues if clue.owner == seat)
        return (role.script, *(part.text for part in role.parts), role.mission, *owned)

    def secret_texts(self, seat: SeatId) -> tuple[str, ...]:
        """Return the texts hidden from `seat`: other seats' scripts, the truth and the quiz."""
        script, truth = self.match.script, self.match.script.truth
        others = [one for one in self.match.started.seats if one != seat]
        return (
            *(text for one in others for text in self.private_texts(one)),
            *(truth.text, truth.method, truth.motive),
            *(key.text for key in truth.key_clues),
            *("\n".join((one.stem, *one.options, one.rationale)) for one in script.questions),
            *("\n".join((one.question, one.answer)) for one in script.factual),
        )

    def texts_before(self, utterance: Utterance) -> Iterator[str]:
        """Yield the texts that the speaker had observed before `utterance`."""
        script, seat = self.match.script, utterance.seat
        yield from self.private_texts(seat)
        yield from (script.opening, script.civilian_mission)
        clues = {clue.id: clue for clue in script.clues}
        for event in self.match.events[: utterance.event]:
            if isinstance(event, ClueRevealed) and event.clue in clues:
                yield from (clue_text(clues[event.clue]),) if reaches(event.audience, seat) else ()
        yield from (one.text for one in self.match.utterances if one.event < utterance.event)

    def own_words(self, utterance: Utterance) -> str:
        """Return the seat's own words, without a prefix by the host."""
        event = self.match.events[utterance.event]
        if not isinstance(event, Said):
            return utterance.text
        request = self.match.requests.get(event.request)
        if request is None:
            return event.text
        asked = {field.name for one in variants(request.spec) for field in spec_fields(one.spec)}
        return "\n".join(text for name, text in event.parts if text and name in asked)


@cache_last_match
def make_guard_scene(match: PlayedMatch) -> GuardScene:
    """Return the scene of a match."""
    return GuardScene(match=match)


def any_word(words: Iterable[str]) -> str:
    """Return a pattern for any of the plain `words`; without words, one that never matches."""
    longest = sorted(filter(None, words), key=len, reverse=True)
    return "|".join(map(word_pattern, longest)) or r"(?!)"


@lru_cache(maxsize=1024)
def token_runs(text: str, size: int) -> frozenset[tuple[str, ...]]:
    """Return every run of `size` tokens of a text."""
    return frozenset(ngrams(word_tokens(text), size))


def _names(script: Script, seat: SeatId) -> tuple[str, ...]:
    return (seat, *next((role.aliases for role in script.roles if role.name == seat), ()))


def _name_parts(name: str) -> tuple[str, ...]:
    """Return the short forms of a plain name: its words, or a Chinese given name."""
    if _CHINESE_NAME.fullmatch(name):
        return (name[1:],)
    return tuple(part for part in name.split() if part != name and len(part) >= _LEAST_PART)


def _without(text: str, names: Iterable[str]) -> str:
    """Return `text` with names replaced by a special token, so that no run crosses them."""
    for name in names:
        text = text.replace(name, f" {_ANY_SEAT} ")
    return text
