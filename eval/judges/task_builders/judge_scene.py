"""Scene: a judge's view of a match. Model names are masked, and all speech is quoted."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from arena.core.events import ClueRevealed, PhaseStarted, Said
from arena.core.option_labels import list_options
from arena.core.purposes import Purpose
from arena.core.quoting import defuse, quote
from arena.core.seats import SeatId
from arena.games.wording import Wording
from eval.judges.wording import find_wording
from eval.played_match import PlayedMatch, Utterance
from scripts_mm.script import Language

_SHORTEST_NAME: Final = 4
"""In characters: a shorter model name is too likely to be an ordinary word."""


@dataclass(frozen=True)
class JudgeScene:
    """One match, and its rendering for a judge."""

    match: PlayedMatch

    @cached_property
    def say(self) -> Wording:
        """The texts of the script's language."""
        return find_wording(self.language)

    @property
    def language(self) -> Language:
        """The language of the script and of the judge's prompt."""
        return self.match.script.language

    @property
    def seats(self) -> tuple[SeatId, ...]:
        """Every seat, in the order of the script."""
        return self.match.started.seats

    def utterances_of(self, seat: str) -> tuple[Utterance, ...]:
        """Return a seat's public utterances."""
        return tuple(one for one in self.match.utterances if one.seat == seat)

    def own_text(self, seat: str) -> str:
        """Return a seat's public speech as one text, with model names masked."""
        return self.mask_names("\n".join(one.text for one in self.utterances_of(seat)))

    def render_utterances(self, utterances: Iterable[Utterance]) -> str:
        """Return utterances as lines, in order."""
        return "\n".join(map(self.render_utterance, utterances)) or self.say("line.silent")

    def render_utterance(self, one: Utterance) -> str:
        """Return one utterance with its speaker, quoted."""
        key = "said" if one.to is None else "asks" if one.is_question else "replies"
        return self.say(f"line.{key}", seat=one.seat, to=one.to, text=self.quote_text(one.text))

    def transcript(self) -> str:
        """Return all public speech."""
        return self.say("part.talk", text=self.render_utterances(self.match.utterances))

    def own_lines(self, seat: str) -> str:
        """Return only the seat's own lines."""
        return self.say(
            "part.own", seat=seat, text=self.render_utterances(self.utterances_of(seat))
        )

    def exchanges(self, seat: str) -> str:
        """Return the seat's lines, each after the preceding line of another seat."""
        text = "\n".join(self._exchanges(seat)) or self.say("line.silent")
        return self.say("part.own_context", seat=seat, text=text)

    def opening(self) -> str:
        """Return the public background of the case, or ""."""
        text = defuse(self.match.script.opening)
        return self.say("part.opening", text=text) if text else ""

    def private_script(self, seat: str) -> str:
        """Return the private script of a seat."""
        text = defuse(self.match.script.role(seat).script)
        return self.say("part.script", seat=seat, text=text)

    def clues(self, seat: str) -> str:
        """Return the titles and texts of the clues visible to a seat, without pictures."""
        seen = dict.fromkeys(
            event.clue
            for event in self.match.events
            if isinstance(event, ClueRevealed)
            and (event.audience == "all" or seat in event.audience)
        )
        known = {clue.id: clue for clue in self.match.script.clues}
        lines = [
            self.say("line.clue", title=known[clue].title, text=defuse(known[clue].text))
            for clue in seen
            if clue in known
        ]
        text = "\n".join(lines) or self.say("line.none")
        return self.say("part.clues", seat=seat, text=text)

    def truth(self) -> str:
        """Return the truth of the case: the whole text, or method and motive."""
        truth, say = self.match.script.truth, self.say
        names = list_options(truth.culprits, self.language)
        parts = (
            say("part.who", names=names) if names else "",
            say(
                "part.how",
                method=defuse(truth.method or truth.text) or say("line.none"),
                motive=defuse(truth.motive or truth.text) or say("line.none"),
            ),
        )
        return say("part.truth", text="\n".join(filter(None, parts)))

    def statements(self) -> str:
        """Return the key statements, numbered from 1."""
        lines = [
            self.say("line.numbered", number=number, text=defuse(one.text))
            for number, one in enumerate(self.match.script.truth.key_clues, start=1)
        ]
        return self.say("part.statements", text="\n".join(lines))

    def conclusion(self, seat: str) -> str | None:
        """Return a seat's conclusion, public or secret; None: it was never asked."""
        asked = {
            request.id
            for request in self.match.requests.values()
            if request.seat == seat and request.purpose is Purpose.CONCLUDE
        }
        if not asked:
            return None
        said = (
            event.text
            for event in self.match.events
            if isinstance(event, Said) and event.request in asked
        )
        return self.mask_names("\n".join(said).strip())

    def phases(self) -> Iterator[tuple[str, tuple[Utterance, ...]]]:
        """Yield each phase with speech: a unique name, and its utterances."""
        name, found = "", dict[str, list[Utterance]]()
        spoken = {one.event: one for one in self.match.utterances}
        for number, event in enumerate(self.match.events):
            if isinstance(event, PhaseStarted):
                name = f"{event.phase}-{event.round}"
            elif number in spoken:
                found.setdefault(name, []).append(spoken[number])
        for state, utterances in found.items():
            yield state, tuple(utterances)

    def quote_text(self, text: str) -> str:
        """Return untrusted text escaped for use within quotation marks."""
        return quote(self.mask_names(text))

    def mask_names(self, text: str) -> str:
        """Return `text` with the names of the playing models masked."""
        return self._names.sub(self.say("judge.masked"), text) if self._names else text

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        """A pattern of the model names: a player can reveal its model."""
        names = {name for name in self._model_names() if len(name) >= _SHORTEST_NAME}
        if not names:
            return None
        ordered = sorted(names, key=len, reverse=True)
        either = "|".join(map(re.escape, ordered))
        return re.compile(rf"(?<![A-Za-z0-9])(?:{either})(?![A-Za-z0-9])", re.IGNORECASE)

    def _model_names(self) -> Iterator[str]:
        started, people = self.match.started, set(map(str, self.seats))
        for one in self.match.manifest.contestants:
            if one.model is not None:
                yield one.name
                yield one.model
                yield one.model.rpartition("#")[2]
        for server in self.match.manifest.servers.values():
            yield server.served
        yield from {started.civilians_served, started.murderer_served} - people

    def _exchanges(self, seat: str) -> Iterator[str]:
        said = self.match.utterances
        for number, one in enumerate(said):
            if one.seat != seat:
                continue
            if number and said[number - 1].seat != seat:
                yield self.say("line.before", line=self.render_utterance(said[number - 1]))
            yield self.render_utterance(one)
