"""A player whose method prepares questions: what such methods share."""

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
    """A player that puts questions which its method prepared."""

    async def put_question(
        self,
        turn: Turn,
        asking: QuestionChoices,
        chosen: Mapping[str, str],
        instruction: str,
        fixed: tuple[str, str],
        seen: Observation | None = None,
    ) -> Action:
        """Return the model's question after `instruction`, to the seat and about whom is `chosen`.

        Where no attempt can be read, the `fixed` question is put, after the `fixed` statement if
        there must be one.
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
        """Return the place at which the model looks for a clue."""
        spec = narrow(turn.request.spec, INVESTIGATE_VARIANT, {})
        return await self.reply(turn, demand(turn, spec, instruction), spec)

    def fall_back(self, turn: Turn, action: Action, fallback: Reply | None) -> Action:
        """Return `action`, or `fallback` where it is illegal and was the last attempt.

        The log then holds what is said, and not the reply that was not heard.
        """
        is_illegal = isinstance(validate(turn.request, action), Invalid)
        if fallback is None or not is_illegal or turn.request.attempts_left > 1:
            return action
        self.direct.mark_answered_elsewhere(turn.observation, turn.request)
        turn.note("fallback", instead_of="reply")
        return fallback


def demand(turn: Turn, spec: ActionSpec | None, instruction: str) -> str:
    """Return what the game demands under `spec`, and the method's `instruction` for it."""
    request = turn.request if spec is None else replace(turn.request, spec=spec)
    wanted = prompts.write_demand(turn.observation, request)
    return f"{instruction}\n\n{wanted}" if instruction else wanted


def choices(target: SeatId, asking: QuestionChoices, victim: str) -> dict[str, str]:
    """Return what a question is narrowed to: whom it is for, and about whom it is."""
    return {TARGET: target} | ({VICTIM: victim} if victim in asking.victims else {})
