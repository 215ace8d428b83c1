"""Question writer: target and text of a question, or the place of a search."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from arena.core.actions import Values
from arena.core.events import Said
from arena.core.observation import Observation
from arena.core.option_labels import list_options
from arena.core.purposes import PLACE, QUESTION, STATEMENT, TARGET, VICTIM
from arena.core.quoting import quote
from arena.core.specs import CHOICE, Choice, Field, Form
from arena.players import prompts
from arena.players.methods.recall import keep_events
from arena.players.thinkthrice.answer_writer import relation_step
from arena.players.thinkthrice.memories import Memories
from arena.players.thinkthrice.options import ThinkThricePlayerOptions
from arena.players.thinkthrice.self_questions import SelfQuestions

_CHOSEN: Final = frozenset({TARGET, VICTIM, PLACE})
_KNOWN: Final = _CHOSEN | {STATEMENT, QUESTION}


def is_composable(form: Form) -> bool:
    """Return whether the method can fill in `form`: with a question, or with a place."""
    specs = {field.name: field.spec for field in form.fields}
    needed = {field.name for field in form.fields if not field.optional}
    if not needed <= _KNOWN or not all(
        isinstance(specs[name], Choice) for name in _CHOSEN & set(specs)
    ):
        return False
    return PLACE in specs or {TARGET, QUESTION} <= set(specs)


class QuestionWriter:
    """The question of one turn, or its search for a clue."""

    def __init__(
        self, inner: SelfQuestions, options: ThinkThricePlayerOptions, memories: Memories
    ) -> None:
        """Ask or search with `memories`."""
        self._inner, self._options, self._memories = inner, options, memories
        self._side = "murderer" if inner.turn.observation.is_murderer else "civilian"

    async def ask(self, form: Form) -> Values:
        """Return target, victim and text of the question, without missing values."""
        choices = {one.name: _choice(one) for one in form.fields if one.name in {TARGET, VICTIM}}
        is_open = {name: one for name, one in choices.items() if len(one.options) > 1}
        chosen = {name: one.options[0] for name, one in choices.items()}
        if is_open:
            found = await self._choose(choices, is_open)
            if found is None:
                return ()
            chosen |= found
        text = await self._write(chosen, is_heard=TARGET not in is_open)
        return (*chosen.items(), *(((QUESTION, text),) if text else ()))

    async def look(self, form: Form) -> Values:
        """Return the place of the search; empty: no legal choice."""
        places = next(_choice(one) for one in form.fields if one.name == PLACE)
        if len(places.options) == 1:
            return ((PLACE, places.options[0]),)
        demand = self._inner.say("choosing.places", options=self._list(places))
        seen = await self._memories.recall(self._inner.turn, culprit_query(self._inner))
        found = await self._inner.turn.ask(self._inner.choice_step("where", demand, places, seen))
        return ((PLACE, found[CHOICE]),) if found else ()

    async def _choose(
        self, choices: Mapping[str, Choice], is_open: Mapping[str, Choice]
    ) -> dict[str, str] | None:
        """Return target and victim as far as they are open; None: no legal choice."""
        say, blind = self._inner.say, self._options.blind_target
        values = {
            "options": self._list(choices[TARGET]),
            "aim": "" if blind else say(f"choosing.{self._side}"),
        }
        if VICTIM in is_open:
            fields = tuple(Field(name=name, spec=one) for name, one in is_open.items())
            spec: Choice | Form = Form(fields=fields)
            demand = say("choosing.form", victims=self._list(choices[VICTIM]), **values)
        else:
            spec = choices[TARGET]
            demand = say("choosing.blind" if blind else "choosing.demand", **values)
        seen = (
            _without_knowledge(self._inner.turn.observation)
            if blind
            else await self._memories.recall(self._inner.turn, culprit_query(self._inner))
        )
        found = await self._inner.turn.ask(self._inner.choice_step("whom", demand, spec, seen))
        if found is None:
            return None
        return dict(found.values) if isinstance(spec, Form) else {TARGET: found[CHOICE]}

    async def _write(self, chosen: Mapping[str, str], *, is_heard: bool) -> str:
        """Return the question; `is_heard`: it can only go to the seat that just spoke."""
        inner, turn, target = self._inner, self._inner.turn, chosen[TARGET]
        relation = await turn.ask_text(relation_step(inner, "question", target)) if is_heard else ""
        known = (
            inner.say("relation.known", seat=target, relation=quote(relation)) if relation else ""
        )
        victim = chosen.get(VICTIM) or turn.request.about
        demand = inner.say(
            "asking.demand",
            target=target,
            about=inner.say("asking.about", victim=victim) if victim else "",
            aim=inner.say(f"asking.{self._side}"),
        )
        seen = await self._memories.recall(
            turn, f"{target} {victim}", besides=_last_speech(turn.observation, target)
        )
        step = inner.speech_step("question", f"{known}\n{demand.strip()}", seen=seen)
        return await turn.ask_text(step)

    def _list(self, choice: Choice) -> str:
        return list_options(choice.options, self._inner.turn.observation.language)


def culprit_query(inner: SelfQuestions) -> str:
    """Return the memory query for decisions about suspects."""
    seen, request = inner.turn.observation, inner.turn.request
    victims = (request.about,) if request.about in seen.victims else seen.victims
    if not victims:
        return prompts.write_demand(seen, request)
    return inner.say("query.culprit", victims=list_options(victims, seen.language))


def _choice(field: Field) -> Choice:
    assert isinstance(field.spec, Choice), f"{field.name} has no options"
    return field.spec


def _last_speech(observation: Observation, seat: str) -> tuple[int, ...]:
    """Return the index of the last speech of `seat`, if there is one."""
    spoken = [
        number
        for number, event in enumerate(observation.events)
        if isinstance(event, Said) and event.seat == seat
    ]
    return tuple(spoken[-1:])


def _without_knowledge(observation: Observation) -> Observation:
    """Return the public knowledge before the match: the case and the names."""
    role = replace(observation.own, script="", mission="", stages=())
    return replace(keep_events(observation, ()), role=role, is_onlooker=True)
