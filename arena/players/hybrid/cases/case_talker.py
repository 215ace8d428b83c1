"""Talker of a murder mystery: analysis, model, rules and guard of each turn."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Action, Reply, Skip, choose
from arena.core.purposes import ASKER, Purpose
from arena.core.quoting import quote
from arena.core.specs import Choice, Field, Form, FreeText
from arena.memory.lexical import split_sentences
from arena.players import prompts
from arena.players.hybrid.cases.case_analysis import analysis_step, read_analysis
from arena.players.hybrid.cases.case_moment import NOWHERE, CaseMoment, CaseSituation, Kind
from arena.players.hybrid.cases.case_rules import find_situation
from arena.players.hybrid.cases.case_table import CaseFindings, CaseTable, make_table
from arena.players.hybrid.guard import Contradiction, find_contradiction
from arena.players.hybrid.hybrid_phrases import HybridPhrases
from arena.players.hybrid.options import HybridOptions
from arena.players.hybrid.reply_forms import ask_seat, say_to_all
from arena.players.hybrid.turn_memory import AnalysedTurn, TurnMemory, is_behind, texts_of
from arena.players.hybrid.turn_notes import GUARD, note_rule, note_table
from arena.players.methods.inquiry import QuestionChoices, find_question_choices
from arena.players.methods.method_steps import MethodStep, Turn
from arena.players.prompting import Prompting
from arena.players.script_text.accusation import tells_of_deed
from arena.players.script_text.own_script import read_own_script

_PRESENTED: Final = ("who", "bond", "stay")
_PRESENTATION: Final = Form(fields=tuple(Field(name=one, spec=FreeText()) for one in _PRESENTED))


class CaseTalker:
    """The turns of one seat in murder mysteries."""

    def __init__(self, options: HybridOptions, prompting: Prompting) -> None:
        """Play under `options`; `prompting` adds the persona to the model's instructions."""
        self._options, self._prompting = options, prompting
        self._turns = TurnMemory[CaseFindings]()

    async def introduce(self, turn: Turn) -> Action:
        """Return the introduction: the template, filled in by the model."""
        phrases = HybridPhrases(turn.observation, self._options.persona)
        side = "murderer" if turn.observation.is_murderer else "civilian"
        demand = phrases("presentation.demand", side=phrases(f"presentation.{side}"))
        main = MethodStep(
            name="main",
            instruction=self._prompting.add_persona(demand, turn.observation, turn.request),
            spec=_PRESENTATION,
            tokens=self._options.reply_tokens,
            temperature=self._options.temperature,
        )
        replies = await turn.ask_all(self._with_backup(main))
        said = next((one for one in replies if one is not None), None)
        parts = [said[name] for name in _PRESENTED] if said else _read_presentation(turn)
        told = " ".join(filter(None, (_keep_clear(turn, one) for one in parts)))
        text = phrases("case.presentation", seat=turn.observation.seat, parts=told)
        note_rule(turn, "2", "presentation", "template")
        return say_to_all(turn.request.spec, text)

    async def speak(self, turn: Turn) -> Action:
        """Return the turn: the first situation that holds, else the model's text."""
        asking = find_question_choices(turn.observation, turn.request)
        kind: Kind = "question" if asking else "speech"
        where = (turn.request.phase, turn.request.round)
        if turn.request.purpose == Purpose.ANSWER:
            kind, where = "reply", NOWHERE
        phrases = HybridPhrases(turn.observation, self._options.persona)
        past, about = self._turns.before(turn.observation), _victim(turn, asking)
        found, said, by = await self._ask(turn, self._steps(turn, phrases, about))
        table = make_table(past, found, turn.observation.seat, about)
        moment = CaseMoment(
            observation=turn.observation,
            kind=kind,
            where=where,
            asker=turn.request.context_value(ASKER),
            about=about,
            targets=asking.targets if asking else (),
            table=table,
            past=past,
            say=phrases,
            has_text=said is not None,
            confess=self._options.confess,
        )
        situation = find_situation(moment)
        if situation is None and said is not None:
            main = self._main(turn, phrases, about)
            said, by = await self._guard(turn, phrases, table, main, (said, by))
            situation = find_situation(replace(moment, has_text=said is not None))
        note_table(turn, table.values())
        if situation is None:
            note_rule(turn, "none", "none", by)
        else:
            note_rule(turn, str(situation.number), situation.family, "template")
        action = said if situation is None else _play(moment, turn, situation, asking)
        assert action is not None, "a turn without a text is situation 14"
        return self._keep(turn, moment, situation, found, action)

    async def choose(self, turn: Turn) -> Action | None:
        """Return the seat that this one named as its suspect; None if it named none.

        If there was speech since the last analysis, analyse it first: it can name a suspect.
        """
        spec, observation = turn.request.spec, turn.observation
        if not isinstance(spec, Choice):
            return None
        past, found = self._turns.before(observation), CaseFindings()
        if is_behind(past, observation):
            phrases = HybridPhrases(observation, self._options.persona)
            found = read_analysis(turn, await turn.ask(analysis_step(turn, phrases)))
            self._turns.add(
                AnalysedTurn(
                    request=turn.request.id,
                    moment=len(observation.events),
                    where=NOWHERE,
                    found=found,
                )
            )
        about = _victim(turn, None)
        table = make_table(past, found, observation.seat, about)
        note_table(turn, table.values())
        own = table.suspects.get(observation.seat)
        if own is None or own.whom not in spec.options:
            return None
        if about and len(observation.victims) > 1 and own.victim != about:
            return None
        note_rule(turn, "choice", "declared", "template")
        return choose(own.whom)

    def describe_suspects(self, turn: Turn, phrases: HybridPhrases, about: str) -> str:
        """Return the seat's statements about its suspects, for the model; empty if there are none.

        `about`: the victim in question; empty: each of them.
        """
        past, seat = self._turns.before(turn.observation), turn.observation.seat
        told: dict[str, None] = {}
        for victim in (about,) if about else turn.observation.victims or ("",):
            own = make_table(past, CaseFindings(), seat, victim).suspects.get(seat)
            if own is not None:
                key = "tips.declared_of" if own.victim else "tips.declared"
                told[phrases(key, target=own.whom, victim=own.victim)] = None
        return "\n".join(told)

    def _steps(self, turn: Turn, phrases: HybridPhrases, about: str) -> list[MethodStep]:
        """Return the analysis, the main reply and its backup."""
        main = self._main(turn, phrases, about)
        return [analysis_step(turn, phrases), *reversed(self._with_backup(main))]

    def _main(self, turn: Turn, phrases: HybridPhrases, about: str) -> MethodStep:
        side = "murderer" if turn.observation.is_murderer else "civilian"
        demand = (
            prompts.write_demand(turn.observation, turn.request),
            phrases(f"tips.case_{side}"),
            phrases("tips.case_answer") if turn.request.purpose == Purpose.ANSWER else "",
            self.describe_suspects(turn, phrases, about),
        )
        instruction = "\n".join(filter(None, demand))
        return MethodStep(
            name="main",
            instruction=self._prompting.add_persona(instruction, turn.observation, turn.request),
            spec=turn.request.spec,
            tokens=self._options.reply_tokens,
            temperature=self._options.temperature,
        )

    def _with_backup(self, main: MethodStep) -> list[MethodStep]:
        if self._options.backup == "off":
            return [main]
        return [main, replace(main, name="backup", tokens=self._options.backup_tokens)]

    async def _ask(
        self, turn: Turn, steps: Sequence[MethodStep]
    ) -> tuple[CaseFindings, Reply | None, str]:
        """Return the findings of the analysis, and the reply that counts with its author."""
        replies = dict(zip((one.name for one in steps), await turn.ask_all(steps), strict=True))
        by = "backup" if replies["main"] is None else "main"
        found = read_analysis(turn, replies["analysis"])
        return found, replies["main"] or replies.get("backup"), by

    async def _guard(
        self,
        turn: Turn,
        phrases: HybridPhrases,
        table: CaseTable,
        main: MethodStep,
        said: tuple[Reply, str],
    ) -> tuple[Reply | None, str]:
        """Return the reply, or a second one of the model; None: both contradict the table."""
        reply, by = said
        fault = find_contradiction(turn.observation, table, texts_of(reply))
        if fault is None:
            return reply, by
        turn.note(GUARD, said=fault.said, time=fault.time, place=fault.place)
        instruction = phrases(
            "guard.again",
            said=quote(fault.said),
            fault=_describe(turn, phrases, fault),
            demand=main.instruction,
        )
        again = await turn.ask(replace(main, name="guard", instruction=instruction))
        if (
            again is None
            or find_contradiction(turn.observation, table, texts_of(again)) is not None
        ):
            return None, by
        return again, "guard"

    def _keep(
        self,
        turn: Turn,
        moment: CaseMoment,
        situation: CaseSituation | None,
        found: CaseFindings,
        action: Action,
    ) -> Action:
        counted = validate(turn.request, action)
        self._turns.add(
            AnalysedTurn(
                request=turn.request.id,
                moment=len(turn.observation.events),
                where=moment.where,
                about=moment.about,
                family=situation.family if situation else "",
                texts=() if isinstance(counted, Invalid) else texts_of(counted),
                declared=(situation.declares or "") if situation else "",
                subject=situation.subject if situation else "",
                found=found,
            )
        )
        return action


def _victim(turn: Turn, asking: QuestionChoices | None) -> str:
    """Return the victim of a request, else the first option, as templates do; empty: all."""
    if turn.request.about in turn.observation.victims:
        return turn.request.about
    return asking.victims[0] if asking and asking.victims else ""


def _play(
    moment: CaseMoment, turn: Turn, situation: CaseSituation, asking: QuestionChoices | None
) -> Action:
    """Return the action of a template in the form that the request requires."""
    spec = turn.request.spec
    if asking is None:
        text = " ".join(filter(None, (situation.statement, situation.question)))
        if turn.request.purpose == Purpose.ANSWER:
            text = situation.statement
        return say_to_all(spec, text)
    if situation.says != "words":
        return Skip()
    put = partial(ask_seat, asking, silence=moment.say("case.wait"))
    target = situation.target
    if target is not None and target in asking.targets and situation.question:
        return put(target, situation.question, situation.statement)
    alone = say_to_all(spec, situation.statement)
    if alone != Skip():
        return alone
    named = situation.declares
    target = named if named and named in asking.targets else asking.targets[0]
    return put(target, moment.say("glue.question"), situation.statement)


def _describe(turn: Turn, phrases: HybridPhrases, fault: Contradiction) -> str:
    if fault.place:
        return phrases("guard.place", time=fault.time, place=fault.place)
    return phrases("guard.name", seat=turn.observation.seat)


def _keep_clear(turn: Turn, text: str) -> str:
    """Return a part of an introduction; a murderer omits sentences about the deed."""
    language = turn.observation.language
    if not turn.observation.is_murderer:
        return text
    clear = [one for one in split_sentences(text) if not tells_of_deed(one, language)]
    return ("" if language == "zh" else " ").join(clear)


def _read_presentation(turn: Turn) -> list[str]:
    """Return the presentation of the role in its script, for use without a model's reply."""
    script = read_own_script(turn.observation)
    return [script.say(iter(script.beginning(2)))]
