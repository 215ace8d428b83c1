"""One night among werewolves, for four seats or more of any script."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.core.actions import Reply, Values
from arena.core.chance import generator, option_order, seat_order
from arena.core.events import (
    Announced,
    Event,
    MatchEnded,
    PhaseStarted,
    RequestsOpened,
    Said,
    SeatEliminated,
    TurnSkipped,
    VoteCast,
    VotesTallied,
)
from arena.core.observation import Observation
from arena.core.option_labels import list_options
from arena.core.options import GameOptions, option, require_least
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId, SeatPart
from arena.core.specs import (
    ABSTAIN,
    CHOICE,
    TEXT,
    ActionSpec,
    Choice,
    Form,
    FreeText,
    OneOf,
    Variant,
)
from arena.core.state import MatchState
from arena.core.voting import VoteRule, tally_votes, vote_result
from arena.games.wording import Wording
from scripts_mm.script import Script, ScriptError


@dataclass(frozen=True, slots=True, kw_only=True)
class OneNightOptions(GameOptions):
    """The options of the game, next to those that all games have."""

    talk_rounds: int = option(4, "most rounds of talk")
    revotes: int = option(1, "how often a tied vote is held again; then one of the tied is drawn")

    def __post_init__(self) -> None:
        """Refuse values with which no match can be played."""
        super(OneNightOptions, self).__post_init__()
        require_least(self, "talk_rounds", 1, most=100)
        require_least(self, "revotes", 0, most=10)


class OneNight:
    """The culprits of the script are werewolves, and one other seat, drawn by lot, is a seer."""

    name: str = "one-night"
    about: str = "One Night: attacks and visions, talk until all are done, one vote of the living"
    options: type[GameOptions] = OneNightOptions
    presets: Mapping[str, Mapping[str, object]] = {"default": {}, "short": {"talk_rounds": 1}}

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return what every seat is."""
        del options
        wolves = tuple(SeatId(name) for name in script.murderers)
        village = tuple(SeatId(name) for name in script.names if name not in wolves)
        if len(script.names) < 4 or not 0 < len(wolves) < len(village):
            raise ScriptError(
                f"script {script.id!r} has {len(wolves)} murderers among {len(script.names)} "
                "roles; one-night needs four roles or more, and fewer werewolves than others"
            )
        seer = generator(seed, "seer").choice(village)
        return tuple(_part(SeatId(name), wolves, seer) for name in script.names)

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Return what the game master does next: every call starts one phase, or ends the match."""
        phase = state.phase
        if phase is None:
            return _start_night(state)
        match phase.phase:
            case "night":
                return _start_dawn(state)
            case "dawn":
                return _start_talk(state, 1)
            case "talk":
                if phase.round == _options(state).talk_rounds or not _talkers(state):
                    return _start_vote(state, 1, state.living)
                return _start_talk(state, phase.round + 1)
            case _:
                return _count(state)

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return what an accepted answer makes happen."""
        match request.kind:
            case "hunt" | "foresee":
                return (_use_power(state, request, reply),)
            case "talk":
                return (_talk(request, reply),)
            case _:
                return (
                    VoteCast(
                        seat=request.seat,
                        request=request.id,
                        choice=reply[CHOICE],
                        ballot=request.round,
                        audience=(request.seat,),
                    ),
                )

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Keep nothing of an incomplete answer; only a silence in the talk is noticed by all."""
        del state, partial
        return (), request.kind == "talk"

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return nothing: no event triggers another."""
        del state, event
        return ()

    def texts(self, observation: Observation) -> "OneNightTexts":
        """Return how the game reads to an observer."""
        return OneNightTexts(observation)


GAME = OneNight()


def _part(seat: SeatId, wolves: tuple[SeatId, ...], seer: SeatId) -> SeatPart:
    if seat not in wolves:
        return SeatPart(seat=seat, faction="civilians", power="seer" if seat == seer else "")
    pack = tuple(wolf for wolf in wolves if wolf != seat)
    return SeatPart(seat=seat, faction="murderer", power="werewolf", knows=pack)


def _options(state: MatchState) -> OneNightOptions:
    options = state.started.options
    assert isinstance(options, OneNightOptions), f"{type(options).__name__} of another game"
    return options


def _request(
    state: MatchState, kind: str, seat: SeatId, phase: str, number: int, spec: ActionSpec
) -> DecisionRequest:
    options = state.started.options
    return DecisionRequest(
        id=f"{phase}-{number}/{seat}",
        seat=seat,
        kind=kind,
        phase=phase,
        round=number,
        spec=spec,
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )


def _start_night(state: MatchState) -> tuple[Event, ...]:
    started = state.started
    village = Choice(options=started.members("civilians"))
    hunt = OneOf(
        variants=(Variant(name="attack", spec=village), Variant(name="peek", spec=village))
    )
    requests: list[DecisionRequest] = []
    for part in started.parts:
        if part.power == "werewolf":
            requests.append(_request(state, "hunt", part.seat, "night", 1, hunt))
        elif part.power == "seer":
            others = tuple(seat for seat in started.seats if seat != part.seat)
            foresee = Choice(options=others)
            requests.append(_request(state, "foresee", part.seat, "night", 1, foresee))
    return (
        PhaseStarted(phase="night"),
        RequestsOpened(requests=tuple(requests), mode="simultaneous"),
    )


def _use_power(state: MatchState, request: DecisionRequest, reply: Reply) -> Event:
    target = SeatId(reply[CHOICE])
    part = state.started.part(target)
    topic, found = reply.variant, ""
    if topic == "peek":
        found = part.power or "villager"
    elif request.kind == "foresee":
        topic, found = "vision", part.faction
    values = (("seat", target), ("found", found))
    return Announced(topic=topic, values=values, audience=(request.seat,))


def _start_dawn(state: MatchState) -> tuple[Event, ...]:
    dawn = PhaseStarted(phase="dawn")
    attacks = Counter(
        dict(event.values)["seat"]
        for event in state.history
        if isinstance(event, Announced) and event.topic == "attack"
    )
    if not attacks:
        return (dawn, Announced(topic="quiet", audience="all"))
    most = [seat for seat in state.started.seats if attacks[seat] == max(attacks.values())]
    victim = generator(state.started.seed, "attack").choice(most)
    return (dawn, SeatEliminated(seat=victim, cause="attack"))


_TALK = OneOf(
    variants=(
        Variant(name="talk", spec=FreeText()),
        Variant(name="over", spec=Form(fields=())),
    )
)


def _talkers(state: MatchState) -> tuple[SeatId, ...]:
    """Return the living seats that have not said that they are done."""
    done = {
        dict(event.values)["seat"]
        for event in state.history
        if isinstance(event, Announced) and event.topic == "over"
    }
    return tuple(seat for seat in state.living if seat not in done)


def _start_talk(state: MatchState, number: int) -> tuple[Event, ...]:
    started = state.started
    order = seat_order(_talkers(state), started, "talk", number)
    requests = tuple(_request(state, "talk", seat, "talk", number, _TALK) for seat in order)
    return (
        PhaseStarted(phase="talk", round=number),
        RequestsOpened(requests=requests, mode="turns"),
    )


def _talk(request: DecisionRequest, reply: Reply) -> Event:
    if reply.variant == "over":
        return Announced(topic="over", values=(("seat", request.seat),), audience="all")
    return Said(
        seat=request.seat,
        request=request.id,
        act="talk",
        parts=((TEXT, reply[TEXT]),),
        truncated=bool(reply.truncated),
    )


def _start_vote(
    state: MatchState, ballot: int, candidates: tuple[SeatId, ...]
) -> tuple[Event, ...]:
    started = state.started
    requests: list[DecisionRequest] = []
    for seat in seat_order(state.living, started, "vote", ballot):
        choices = (*(one for one in candidates if one != seat), ABSTAIN)
        name = f"vote-{ballot}/{seat}"
        shown = option_order(choices, started.options, started.seed, name, is_vote=True)
        requests.append(_request(state, "vote", seat, "vote", ballot, Choice(options=shown)))
    tied = candidates if ballot > 1 else ()
    return (
        PhaseStarted(phase="vote", round=ballot, candidates=tied),
        RequestsOpened(requests=tuple(requests), mode="simultaneous"),
    )


def _count(state: MatchState) -> tuple[Event, ...]:
    assert state.phase is not None
    ballot, started = state.phase.round, state.started
    ballots: dict[str, str] = {
        event.seat: event.choice
        for event in state.history
        if isinstance(event, VoteCast) and event.ballot == ballot
    }
    rule = VoteRule(tie="revote" if ballot <= _options(state).revotes else "random")
    tally = tally_votes(ballots, rule, state.living, generator(started.seed, "tie", ballot))
    counted = VotesTallied(
        votes=tally.votes,
        leaders=tally.leaders,
        named=tally.named,
        ballots=tuple((seat, ballots.get(seat, ABSTAIN)) for seat in state.living),
        ballot=ballot,
    )
    if tally.is_tied:
        tied = tuple(seat for seat in state.living if seat in tally.named)
        return (counted, *_start_vote(state, ballot + 1, tied))
    out = tuple(SeatEliminated(seat=SeatId(name), cause="vote") for name in tally.named)
    return (counted, *out, _end(state, vote_result(tally, rule, started.murderers) == "civ_win"))


def _end(state: MatchState, village_wins: bool) -> MatchEnded:
    started = state.started
    return MatchEnded(
        outcome="civ_win" if village_wins else "murderer_win",
        murderers=started.murderers,
        winners=started.members("civilians" if village_wins else "murderer"),
    )


class OneNightTexts:
    """How the game reads to one observer."""

    def __init__(self, observation: Observation) -> None:
        """Read the texts in the language of `observation`."""
        options = observation.options
        assert isinstance(options, OneNightOptions), f"{type(options).__name__} of another game"
        self._observation, self._options = observation, options
        self._say = _WORDING[observation.language]

    def rules(self) -> str:
        """Return the rules, as the options make them."""
        options, tie = self._options, "draw" if self._options.revotes == 0 else "revote"
        told = self._say(f"rules.tie_{tie}", revotes=options.revotes)
        return self._say("rules.all", rounds=options.talk_rounds, tie=told)

    def case(self) -> str:
        """Return nothing: the opening says it all."""
        return ""

    def role(self) -> str:
        """Return the seat's side and power."""
        part = self._observation.own.part
        pack = self._names(part.knows) if part.knows else self._say("role.alone")
        return self._say(f"role.{part.power or 'villager'}", pack=pack)

    def line(self, event: Event) -> str:
        """Return the line that tells an event of this game."""
        match event:
            case PhaseStarted():
                key = "line.revote" if event.candidates else f"line.{event.phase}"
                names = self._names(event.candidates)
                return self._say(key, round=event.round, names=names)
            case SeatEliminated(seat=seat, cause=cause):
                return self._say(f"line.out_{cause}", seat=seat)
            case Announced(topic=topic, values=values):
                told = dict(values)
                found = self._say.get(f"found.{told.get('found')}")
                return self._say(f"line.{topic}", seat=told.get("seat", ""), found=found)
            case TurnSkipped(seat=seat, act=act):
                return self._say.get(f"line.skip_{act}", seat=seat)
            case _:
                return ""

    def instruction(self, request: DecisionRequest) -> str:
        """Return what the seat must do now."""
        spec = request.spec.variants[0].spec if isinstance(request.spec, OneOf) else request.spec
        names = self._names(spec.options) if isinstance(spec, Choice) else ""
        return self._say(f"action.{request.kind}", options=names)

    def thought(self, request: DecisionRequest) -> str:
        """Return what the seat should think about."""
        del request
        return self._say("action.thought")

    def culprit(self) -> str:
        """Return what a silent question calls the one who must be found."""
        return self._say("culprit")

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase."""
        return self._say(f"title.{phase.phase}", round=phase.round)

    def action_name(self, act: str) -> str:
        """Return the name of a kind of request."""
        return self._say.get(f"act.{act}") or act

    def part_name(self, name: str) -> str:
        """Return the name of a value of a form; this game has no forms."""
        return name

    def result(self, state: MatchState) -> Sequence[str]:
        """Return who won."""
        if state.ended is None or not state.ended.winners:
            return ()
        names = self._names(state.ended.winners)
        return (self._say(f"result.{state.ended.outcome}", names=names),)

    def _names(self, options: Sequence[str]) -> str:
        return list_options(options, self._observation.language)


_WORDING: Mapping[str, Wording] = {
    "en": Wording(
        {
            "rules.all": (
                "A werewolf hides among you. At night each werewolf attacks one player or looks at "
                "one, and the seer looks at one. The player with most attacks leaves the game. By "
                "day you talk, at most {rounds} rounds, until everybody is done. Then the "
                "living vote in secret, and who has most votes leaves the game. {tie} If a "
                "werewolf is voted out, all villagers win, dead or alive; else the werewolves win."
            ),
            "rules.tie_draw": "A tie is decided by lot.",
            "rules.tie_revote": "A tie is voted on again (at most: {revotes}), then drawn.",
            "role.villager": "You are a villager.",
            "role.seer": "You are the seer, a villager who sees at night on which side one is.",
            "role.werewolf": "You are a werewolf. The other werewolves: {pack}.",
            "role.alone": "none",
            "line.night": "[Host] Night falls.",
            "line.dawn": "[Host] The sun rises.",
            "line.talk": "[Host] Talk, round {round}.",
            "line.vote": "[Host] It is time to vote.",
            "line.revote": "[Host] A tie. Vote again, for one of: {names}.",
            "line.quiet": "[Host] Nobody was attacked.",
            "line.attack": "[Host, to you alone] You attacked {seat}.",
            "line.peek": "[Host, to you alone] {seat} is {found}.",
            "line.vision": "[Host, to you alone] {seat} is on the side of {found}.",
            "line.over": "{seat} has nothing more to say.",
            "line.out_attack": "[Host] {seat} was attacked and leaves the game.",
            "line.out_vote": "[Host] {seat} is voted out.",
            "line.skip_talk": "{seat} says nothing.",
            "found.villager": "a villager",
            "found.seer": "the seer",
            "found.civilians": "the village",
            "found.murderer": "the werewolves",
            "culprit": "a werewolf",
            "action.hunt": (
                "Attack one of these players, or look at one: {options}. Reply with a JSON object: "
                '{{"action": "attack" or "peek", "choice": a name from the list}}.'
            ),
            "action.foresee": (
                "Look at one of these players: {options}. Reply with the name only."
            ),
            "action.talk": (
                "Say something to everybody, or be done for this day. Reply with a JSON object: "
                '{{"action": "talk", "text": what you say}}, or {{"action": "over"}}.'
            ),
            "action.vote": (
                "Who is a werewolf? Choose one of: {options}. Reply with the name only."
            ),
            "action.thought": "Who knows what, and who lies?",
            "title.night": "Night",
            "title.dawn": "Dawn",
            "title.talk": "Talk, round {round}",
            "title.vote": "Vote",
            "act.talk": "talk",
            "act.hunt": "hunt",
            "act.foresee": "vision",
            "act.vote": "vote",
            "result.civ_win": "The village wins: {names}.",
            "result.murderer_win": "The werewolves win: {names}.",
        }
    ),
    "zh": Wording(
        {
            "rules.all": (
                "你们之中藏着狼人。夜里每个狼人袭击一名玩家或查看一名玩家的身份，预言家查看一名玩家。"
                "被袭击次数最多的玩家出局。白天讨论，最多{rounds}轮，直到所有人都表示说完。"
                "然后存活的玩家不记名投票，得票最多者出局。{tie}投票出局的是狼人，全体村民获胜，"
                "无论生死；否则狼人获胜。"
            ),
            "rules.tie_draw": "平票时抽签决定。",
            "rules.tie_revote": "平票时重新投票，最多{revotes}次，仍然平票则抽签决定。",
            "role.villager": "你是村民。",
            "role.seer": "你是预言家，属于村民阵营，夜里可以查看一名玩家属于哪个阵营。",
            "role.werewolf": "你是狼人。其他狼人：{pack}。",
            "role.alone": "无",
            "line.night": "【主持人】天黑了。",
            "line.dawn": "【主持人】天亮了。",
            "line.talk": "【主持人】讨论，第{round}轮。",
            "line.vote": "【主持人】开始投票。",
            "line.revote": "【主持人】平票，请在{names}之中重新投票。",
            "line.quiet": "【主持人】昨夜无人被袭击。",
            "line.attack": "【主持人，只告诉你】你袭击了{seat}。",
            "line.peek": "【主持人，只告诉你】{seat}是{found}。",
            "line.vision": "【主持人，只告诉你】{seat}属于{found}。",
            "line.over": "{seat}没有更多要说的。",
            "line.out_attack": "【主持人】{seat}被袭击，出局。",
            "line.out_vote": "【主持人】{seat}被投票出局。",
            "line.skip_talk": "{seat}没有发言。",
            "found.villager": "村民",
            "found.seer": "预言家",
            "found.civilians": "村民阵营",
            "found.murderer": "狼人阵营",
            "culprit": "狼人",
            "action.hunt": (
                "从这些玩家中袭击一名，或查看一名的身份：{options}。用JSON对象回答："
                '{{"action": "attack"或"peek", "choice": 名单中的一个名字}}。'
            ),
            "action.foresee": "从这些玩家中查看一名：{options}。只回答名字。",
            "action.talk": (
                "对所有人发言，或者结束今天的发言。用JSON对象回答："
                '{{"action": "talk", "text": 你要说的话}}，或{{"action": "over"}}。'
            ),
            "action.vote": "谁是狼人？从这些中选一个：{options}。只回答名字。",
            "action.thought": "谁知道什么？谁在说谎？",
            "title.night": "夜晚",
            "title.dawn": "天亮",
            "title.talk": "讨论，第{round}轮",
            "title.vote": "投票",
            "act.talk": "发言",
            "act.hunt": "夜间行动",
            "act.foresee": "查验",
            "act.vote": "投票",
            "result.civ_win": "村民获胜：{names}。",
            "result.murderer_win": "狼人获胜：{names}。",
        }
    ),
}
