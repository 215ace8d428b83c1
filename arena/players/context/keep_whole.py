"""The policy of a reader that needs complete prompts: it refuses instead of shortening."""

from arena.errors import UnanswerableError
from arena.players.context.log_entries import to_messages
from arena.players.context.overflow import FittedPrompt, OverflowTask, join_base


class KeepWhole:
    """Policy without omissions: a prompt that does not fit ends the match as an error."""

    async def fit(self, task: OverflowTask) -> FittedPrompt:
        """Raise `UnanswerableError`."""
        base = join_base(task.whole_header(), to_messages(task.entries), task.tail)
        there = None if task.budget.is_observed else task.budget.free(0)
        hint = suggest_context(task.count(base) + task.reply, there)
        raise UnanswerableError(f"{task.request.seat}'s prompt does not fit: {hint}")


def suggest_context(needed: int, there: int | None) -> str:
    """Return the context that a whole prompt needs, and the alternatives, for an error message.

    `there`: the available tokens; None: unknown, since the server refused the prompt.
    """
    room = "the server has fewer" if there is None else f"there are {there}"
    return (
        f"to read everything whole it needs {needed} tokens, its reply included, and {room}; "
        "choose a model with a larger context, or overflow=retrieve, which searches for "
        "text relevant to a question"
    )
