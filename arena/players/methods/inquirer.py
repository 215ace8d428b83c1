"""Base of players whose method prepares questions."""

from collections.abc import Mapping
from dataclasses import replace

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Action, Reply, UnparsedReply
from arena.core.observation import Observation
from arena.core.purposes import INVESTIGATE_VARIANT, STATEMENT, TARGET, VICTIM
from arena.core.seats import SeatId
from arena.core.specs import ActionSpec
from arena.players import prompts
from arena.players.methods.inquiry import QuestionChoices, fill_question, narrow
from arena.players.methods.method_player import MethodPlayer
from arena.players.methods.method_steps import Turn


class Inquirer(MethodPlayer):
    """A player that asks questions prepared by its method."""

    async def put_question(
        self,
        turn: Turn,
        asking: QuestionChoices,
        chosen: Mapping[str, str],
        instruction: str,
        fixed: tuple[str, str],
        seen: Observation | None = None,
    ) -> Action:
        """Return the model's question after `instruction`, with target and victim in `chosen`.

        If no attempt can be parsed, the `fixed` question is asked, after the `fixed` statement if
        one is required.
        """
        spec = narrow(
            turn.request.spec, asking.variant.name, {name: (one,) for name, one in chosen.items()}
        )
        action = await self.reply(turn, demand(turn, spec, instruction), spec, seen)
        given = action.partial if isinstance(action, UnparsedReply) else ()
        text, statement = fixed
        said = dict(given).get(STATEMENT, "") or statement
        return self.fall_back(turn, action, fill_question(asking, chosen, text, said))

    async def investigate(self, turn: Turn, instruction: str = "") -> Action:
        """Return the model's choice of a place to search for a clue."""
        spec = narrow(turn.request.spec, INVESTIGATE_VARIANT, {})
        return await self.reply(turn, demand(turn, spec, instruction), spec)

    def fall_back(self, turn: Turn, action: Action, fallback: Reply | None) -> Action:
        """Return `action`, or `fallback` if it is illegal and was the last attempt.

        The log then has the fallback's words instead of the illegal reply.
        """
        is_illegal = isinstance(validate(turn.request, action), Invalid)
        if fallback is None or not is_illegal or turn.request.attempts_left > 1:
            return action
        self.direct.mark_answered_elsewhere(turn.observation, turn.request)
        turn.note("fallback", instead_of="reply")
        return fallback


def demand(turn: Turn, spec: ActionSpec | None, instruction: str) -> str:
    """Return the game's instruction under `spec`, followed by the method's `instruction`."""
    request = turn.request if spec is None else replace(turn.request, spec=spec)
    wanted = prompts.write_demand(turn.observation, request)
    return f"{instruction}\n\n{wanted}" if instruction else wanted


def choices(target: SeatId, asking: QuestionChoices, victim: str) -> dict[str, str]:
    """Return the fixed choices of a question: its target and its victim."""
    return {TARGET: target} | ({VICTIM: victim} if victim in asking.victims else {})
