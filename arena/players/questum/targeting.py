"""Targeting: the choice of the seat to ask about a victim in one turn."""

from dataclasses import dataclass

from arena.core.events import QuestionAsked
from arena.core.seats import SeatId
from arena.core.specs import Choice
from arena.players.methods.inquiry import QuestionChoices, own_questions
from arena.players.methods.method_steps import MethodStep
from arena.players.questum.options import QuestumPlayerOptions
from arena.players.questum.score import fill_rounds, mean_gain, score
from arena.players.questum.sensors import VictimView
from arena.players.questum.turn_ledger import VictimKnowledge


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """Aim of a seat's turn."""

    target: SeatId | None = None
    """The seat to ask; None: no question."""
    investigates: bool = False
    """Whether it searches for a clue instead."""
    why: str = ""


async def choose_aim(
    case: VictimView,
    asking: QuestionChoices,
    how: QuestumPlayerOptions,
    known: VictimKnowledge,
    number: int,
) -> Aim:
    """Return the aim in round `number`, and its rule.

    If the game names the target, no score is computed.
    """
    suspects = [seat for seat in asking.targets if seat in known.suspects]
    if len(asking.targets) == 1:
        is_passed = how.targets == "all" and not suspects
        return Aim() if is_passed else Aim(target=asking.targets[0], why="only")
    candidates = tuple(suspects) or asking.targets
    if how.targets == "all":
        return Aim(target=_least_asked(case, candidates), why="turn")
    if how.killer_frames and case.is_killer:
        return Aim(target=await _most_suspected(case, candidates), why="frame")
    scores, promises = await _score(case, candidates, how, known, number)
    if asking.can_investigate and set(promises.values()) == {"low"}:
        return Aim(investigates=True, why="low")
    chance = case.turn.chance
    if chance.random() < how.epsilon:
        drawn = candidates if how.random_from == "suspects" else asking.targets
        return Aim(target=chance.choice(drawn), why="chance")
    return Aim(target=max(candidates, key=lambda seat: scores[seat]), why="score")


async def _score(
    case: VictimView,
    candidates: tuple[SeatId, ...],
    how: QuestumPlayerOptions,
    known: VictimKnowledge,
    number: int,
) -> tuple[dict[SeatId, float], dict[SeatId, str]]:
    """Return the score of each seat, and the promise of further questions to it."""
    read = await case.read([("information", seat) for seat in candidates], "asking")
    promises = {seat: read[seat]["information"].choice for seat in candidates}
    scores: dict[SeatId, float] = {}
    for seat in candidates:
        gains = known.gains.get(seat, ())
        # A seat that was never asked has no rounds to fill.
        gains = fill_rounds(gains, number - 1) if how.dense and gains else gains
        scores[seat] = score(mean_gain(gains, number - 1), promises[seat], how.beta)
        case.note(
            "score", number, seat=seat, information=promises[seat], score=f"{scores[seat]:.6f}"
        )
    return scores, promises


def _least_asked(case: VictimView, candidates: tuple[SeatId, ...]) -> SeatId:
    asked = [one.to for one in own_questions(case.turn.observation, case.about)]
    return min(candidates, key=asked.count)


async def _most_suspected(case: VictimView, candidates: tuple[SeatId, ...]) -> SeatId:
    """Return the seat that the others suspect most; without a reading, the most asked one."""
    step = MethodStep(
        name="asking/frame",
        instruction=case.words("target.frame", options=case.say("choice.or").join(candidates)),
        spec=Choice(options=candidates),
        query=case.victim,
    )
    reply = await case.turn.ask(step)
    if reply is not None:
        return SeatId(reply.values[0][1])
    asked = [one.to for one in case.turn.observation.events if isinstance(one, QuestionAsked)]
    return max(candidates, key=asked.count)
