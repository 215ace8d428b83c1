"""What each message of a conversation adds to the text of its prompt."""

from collections.abc import Mapping
from typing import Final, Literal

from arena.models.chat import Message
from arena.models.tokens.files import TemplateError
from arena.models.tokens.template import ChatTemplate

Role = Literal["system", "user", "assistant"]

WORD: Final = "Indeed"
"""A text that no template has a reason to change."""

_LEADS: Final[Mapping[Role, tuple[Message, ...]]] = {
    "system": (Message(role="system", text=WORD),),
    "user": (Message(role="system", text=WORD), Message(role="user", text=WORD)),
    "assistant": (
        Message(role="system", text=WORD),
        Message(role="user", text=WORD),
        Message(role="assistant", text=WORD),
    ),
}
_SHOWN: Final = 40


class Pieces:
    """A template taken apart: a piece depends on its message and on who spoke just before.

    Whether a template is such a one is learned by `proof.prove`; here only what shows at once.
    """

    def __init__(self, template: ChatTemplate) -> None:
        """Take `template` apart, or raise `TemplateError`."""
        self.template = template
        self._leads = {
            role: template.render(messages, opened=False) for role, messages in _LEADS.items()
        }
        self.openings: Mapping[Role, str] = {
            role: self._rest(template.render(messages, opened=True), self._leads[role], role)
            for role, messages in _LEADS.items()
        }
        """By who spoke last: what stands between that and the model's reply."""
        reply = self.later("user", Message(role="assistant", text=WORD))
        began = self.openings["user"] + WORD
        if not reply.startswith(began):
            raise TemplateError(
                f"the chat template in {self.template.folder!r} was to keep replies as they are "
                f"returned, but asks for one with {began[-_SHOWN:]!r} and tells it as "
                f"{reply[: len(began)][-_SHOWN:]!r}; use the chat endpoint"
            )
        self.closing = reply[len(began) :]
        """What stands after a reply."""

    def first(self, message: Message) -> str:
        """Return the text of a conversation that holds `message` alone."""
        return self.template.render((message,), opened=False)

    def later(self, before: Role, message: Message) -> str:
        """Return what `message` adds to a conversation whose last message is of role `before`."""
        whole = self.template.render((*_LEADS[before], message), opened=False)
        return self._rest(whole, self._leads[before], message.role)

    def _rest(self, whole: str, lead: str, role: Role) -> str:
        if whole.startswith(lead):
            return whole[len(lead) :]
        at = next(
            (
                place
                for place, pair in enumerate(zip(whole, lead, strict=False))
                if len({*pair}) > 1
            ),
            min(len(whole), len(lead)),
        )
        raise TemplateError(
            f"the chat template in {self.template.folder!r} was to leave earlier messages as they "
            f"are, but once {role} speaks {_excerpt(lead, at)!r} reads {_excerpt(whole, at)!r}; "
            "use the chat endpoint"
        )


def _excerpt(text: str, at: int) -> str:
    return text[max(0, at - _SHOWN // 2) :][:_SHOWN]
