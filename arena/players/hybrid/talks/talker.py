"""Talker of a talk with `over`: its turns, the vote after it, and the secret powers."""

from dataclasses import replace

from arena.core.action_validation import validate
from arena.core.actions import Action, Reply, choose
from arena.core.option_labels import list_options
from arena.core.purposes import OVER_VARIANT, SKIP_VARIANT
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, TEXT, Choice
from arena.players import prompts
from arena.players.hybrid.hybrid_phrases import HybridPhrases
from arena.players.hybrid.options import HybridOptions
from arena.players.hybrid.powers import POSSESSED, SEER, WEREWOLF
from arena.players.hybrid.reply_forms import make_pass, say_in_talk
from arena.players.hybrid.talks.talk_rules import (
    OVER,
    TalkMoment,
    TalkSituation,
    find_situation,
    has_closed,
)
from arena.players.hybrid.talks.talk_scene import TalkScene, living_seats, read_results, read_scene
from arena.players.hybrid.talks.talk_table import (
    TalkFindings,
    make_table,
    read_claims,
    read_votes,
)
from arena.players.hybrid.turn_memory import AnalysedTurn, TurnMemory, is_behind, texts_of
from arena.players.hybrid.turn_notes import note_rule, note_table
from arena.players.methods.method_steps import MethodStep, Turn
from arena.players.prompting import Prompting

_LISTED = 120
"""Tokens of an extraction."""
_LAST_CLAIM_TURN = 2
"""Last own turn of the first day in which the possessed looks for claims."""
_TIPS = {SEER: "seer", WEREWOLF: "wolf", POSSESSED: "fallen"}


class Talker:
    """The talks of one seat."""

    def __init__(self, options: HybridOptions, prompting: Prompting) -> None:
        """Play under `options`; `prompting` adds the persona to the model's instructions."""
        self._options, self._prompting = options, prompting
        self._turns = TurnMemory[TalkFindings]()

    async def welcome(self, turn: Turn) -> Action:
        """Return the greeting, which needs no model."""
        note_rule(turn, "2", "welcome", "template")
        return say_in_talk(turn.request.spec, self._phrases(turn)("village.welcome"))

    async def talk(self, turn: Turn) -> Action:
        """Return the turn: the first situation that holds, else the model's text."""
        scene = read_scene(turn.observation, turn.request)
        past = self._turns.before(turn.observation)
        found, said, by = TalkFindings(), None, "main"
        if not has_closed(past, scene.day):
            found, said, by = await self._ask(turn, scene)
        table = make_table(past, found, scene.seat, scene.day)
        moment = TalkMoment(
            scene=scene, table=table, past=past, chance=turn.chance, has_text=said is not None
        )
        situation = find_situation(moment)
        action = self._play(turn, situation, said)
        note_table(turn, table.values())
        if situation is None:
            note_rule(turn, "none", "none", by)
        else:
            note_rule(turn, str(situation.number), situation.family, "template")
        if situation is None or situation.family != OVER:
            self._keep(turn, scene, situation, found, action)
        return action

    async def vote(self, turn: Turn) -> Action:
        """Return the vote: the last declared seat, else one drawn at random.

        If there was speech since the last analysis, analyse it first.
        """
        spec = turn.request.spec
        assert isinstance(spec, Choice), "a vote in a talk is a choice"
        past, seat = self._turns.before(turn.observation), turn.observation.seat
        day, found = max((one.where[1] for one in past), default=0), TalkFindings()
        if is_behind(past, turn.observation):
            living = living_seats(turn.observation)
            text = await turn.ask_text(self._votes(turn))
            found = TalkFindings(votes=read_votes(text, living, turn.language))
            self._turns.add(
                AnalysedTurn(
                    request=turn.request.id,
                    moment=len(turn.observation.events),
                    where=(turn.request.phase, day),
                    found=found,
                )
            )
        table = make_table(past, found, seat, day)
        note_table(turn, table.values())
        declared = table.votes.get(seat)
        if declared is not None and declared in spec.options:
            note_rule(turn, "choice", "declared", "template")
            return choose(declared)
        note_rule(turn, "choice", "drawn", "template")
        return choose(_draw(turn, [one for one in spec.options if one != ABSTAIN], spec))

    async def use_power(self, turn: Turn) -> Action:
        """Return the target of the seer's vision or the werewolf's attack."""
        spec = turn.request.spec
        assert isinstance(spec, Choice), "a power chooses a seat"
        if turn.observation.own.part.power == WEREWOLF:
            return choose(self._attack(turn, spec))
        results = dict(read_results(turn.observation))
        unseen = [one for one in spec.options if SeatId(one) not in results] or list(spec.options)
        if not results or len(unseen) == 1:
            return choose(_draw(turn, unseen, spec))
        language = turn.observation.language
        instruction = self._phrases(turn)("analysis.sight", options=list_options(unseen, language))
        wanted = Choice(options=tuple(unseen))
        found = await turn.ask(MethodStep(name="sight", instruction=instruction, spec=wanted))
        return choose(_draw(turn, unseen, spec)) if found is None else found

    def _attack(self, turn: Turn, spec: Choice) -> str:
        """Return the only claimant, else a seat without a claim."""
        past, seat = self._turns.before(turn.observation), turn.observation.seat
        claimants = [one for one, _ in make_table(past, TalkFindings(), seat, 0).rivals(seat)]
        if len(claimants) == 1 and claimants[0] in spec.options:
            return claimants[0]
        others = [one for one in spec.options if len(claimants) > 1 and one not in claimants]
        return _draw(turn, others, spec)

    async def _ask(self, turn: Turn, scene: TalkScene) -> tuple[TalkFindings, Reply | None, str]:
        """Return the findings of the analyses, and the model's reply with its author."""
        steps = {step.name: step for step in self._steps(turn, scene)}
        replies = await turn.ask_all(list(steps.values()))
        found = dict(zip(steps, replies, strict=True))
        said = found["main"] or found.get("backup")
        texts = {name: reply[TEXT] for name, reply in found.items() if reply is not None}
        observation = turn.observation
        seats, language = scene.living, observation.language
        listed = TalkFindings(
            votes=read_votes(texts.get("votes", ""), seats, language),
            claims=read_claims(texts.get("claims", ""), observation.seats, language),
        )
        return listed, said, "backup" if found["main"] is None else "main"

    def _steps(self, turn: Turn, scene: TalkScene) -> list[MethodStep]:
        say = self._phrases(turn)
        steps = [self._votes(turn)]
        if _claims_matter(scene):
            steps.append(
                MethodStep(name="claims", instruction=say("analysis.claims"), tokens=_LISTED)
            )
        main = MethodStep(
            name="main",
            instruction=self._instruct(turn, say, scene),
            spec=turn.request.spec,
            tokens=self._options.talk_tokens,
            temperature=self._options.temperature,
        )
        steps.append(main)
        if self._options.backup == "same":
            steps.append(replace(main, name="backup", tokens=self._options.backup_tokens))
        return steps

    def _votes(self, turn: Turn) -> MethodStep:
        instruction = self._phrases(turn)("analysis.votes")
        return MethodStep(name="votes", instruction=instruction, tokens=_LISTED)

    def _instruct(self, turn: Turn, say: HybridPhrases, scene: TalkScene) -> str:
        demand = prompts.write_demand(turn.observation, turn.request)
        tips = say(f"tips.{_TIPS.get(scene.power, 'plain')}")
        instruction = "\n".join((demand, tips, say("tips.words")))
        return self._prompting.add_persona(instruction, turn.observation, turn.request)

    def _play(self, turn: Turn, situation: TalkSituation | None, said: Reply | None) -> Action:
        """Return the template of the situation, or the model's reply."""
        spec = turn.request.spec
        if situation is None:
            assert said is not None, "a turn without a text is situation 14"
            return said
        say = self._phrases(turn)
        if situation.says == "over" and (over := make_pass(spec, OVER_VARIANT)) is not None:
            return over
        if situation.says != "talk":
            return make_pass(spec, SKIP_VARIANT) or say_in_talk(spec, say("village.wait"))
        text = say(f"village.{situation.template}", target=situation.target)
        return say_in_talk(spec, text, situation.target if situation.addresses else None)

    def _keep(
        self,
        turn: Turn,
        scene: TalkScene,
        situation: TalkSituation | None,
        found: TalkFindings,
        action: Action,
    ) -> None:
        counted = validate(turn.request, action)
        target = situation.target if situation else None
        if situation is not None and situation.claim is not None:
            found = replace(found, claims=(*found.claims, (scene.seat, situation.claim)))
        self._turns.add(
            AnalysedTurn(
                request=turn.request.id,
                moment=len(turn.observation.events),
                where=(turn.request.phase, scene.day),
                family=situation.family if situation else "",
                texts=texts_of(counted) if isinstance(counted, Reply) else (),
                declared=target if situation and situation.declares and target else "",
                subject=target or "",
                found=found,
            )
        )

    def _phrases(self, turn: Turn) -> HybridPhrases:
        return HybridPhrases(turn.observation, self._options.persona)


def _claims_matter(scene: TalkScene) -> bool:
    """Return whether the seat can still claim, or must know the seer for its attack."""
    if scene.day > 1:
        return False
    return scene.power == WEREWOLF or (scene.power == POSSESSED and scene.turn <= _LAST_CLAIM_TURN)


def _draw(turn: Turn, wanted: list[str], spec: Choice) -> str:
    return turn.chance.choice(wanted or list(spec.options))
