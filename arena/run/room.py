"""Whether every seat has room for a first prompt: found before a match is played, not in it."""

from collections.abc import Mapping

from arena.core.actions import Ask
from arena.core.options import Options
from arena.core.views import View, view
from arena.errors import ConfigError
from arena.models.chat import Message
from arena.players import prompts
from arena.players.contestants import Contestant
from arena.players.fitting.budget import budget_of
from arena.players.means import Means
from arena.players.roster import asking_of, check_player
from arena.run.needs import opening, told_tokens
from scripts_mm.script import Script


def check_room(
    sides: Mapping[bool, tuple[Contestant, Means]], script: Script, options: Options
) -> None:
    """Raise `ConfigError` where a seat of `script` could not even be asked to introduce itself.

    `sides`: who plays the murderer (True) and the civilians, and what these can take. What a
    policy may leave out of a private script is not counted: rules, role and question must fit
    beside a reply whatever is done.
    """
    opened = opening(script, options)
    found: list[tuple[int, int, str, Contestant]] = []
    for seat in opened.opening.seats:
        murderer = seat in opened.opening.murderers
        if murderer in sides:
            who, means = sides[murderer]
            found.append((*_first(view(opened, seat), who, means), seat, who))
    if not found:
        return
    lacking, reply, seat, who = max(found, key=lambda one: one[0])
    if lacking > 0:
        raise ConfigError(
            f"{seat!r} of script {script.id!r} cannot be played by {who.name!r}: rules, role and "
            f"question with a reply of {reply} tokens take {lacking} more than there is room for; "
            f"choose a context_budget, or a model with a context, that is larger by {lacking} "
            "tokens, or fewer reply_tokens"
        )


def _first(seen: View, who: Contestant, means: Means) -> tuple[int, int]:
    """Return by how many tokens a seat's first prompt is too long, and the tokens of its reply.

    It fits (0 or less) with the whole private script, or at least without it.
    """
    ask = Ask(id="", seat=seen.seat, verb="introduce", phase="introduction")
    wanted = asking_of(check_player(who), means).wanted(seen, ask)
    action, reply = Message(role="user", text=wanted.action), wanted.reply
    whole = told_tokens(means, (*prompts.header(seen), action))
    bare = told_tokens(means, (*prompts.header(seen, "", "you_parts"), action))
    return min(whole, bare) - budget_of(means).room(reply), reply
