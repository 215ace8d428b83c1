"""Incremental chat template: the text that each message adds to a prompt."""

from collections.abc import Mapping
from typing import Final, Literal

from arena.models.chat import Message
from arena.models.tokens.chat_template import ChatTemplate
from arena.models.tokens.model_files import TemplateError

Role = Literal["system", "user", "assistant"]

PLAIN_WORD: Final = "Indeed"
"""Text that no template has a reason to change."""

_PREFIX_MESSAGES: Final[Mapping[Role, tuple[Message, ...]]] = {
    "system": (Message(role="system", text=PLAIN_WORD),),
    "user": (Message(role="system", text=PLAIN_WORD), Message(role="user", text=PLAIN_WORD)),
    "assistant": (
        Message(role="system", text=PLAIN_WORD),
        Message(role="user", text=PLAIN_WORD),
        Message(role="assistant", text=PLAIN_WORD),
    ),
}
_EXCERPT_CHARS: Final = 40


class IncrementalTemplate:
    """Chat template whose prompts are a concatenation of increments.

    An increment depends only on its message and on the role before it. `verification` checks
    whether that holds for a template; the constructor finds only obvious contradictions.
    """

    def __init__(self, template: ChatTemplate) -> None:
        """Split `template` into increments, or raise `TemplateError`."""
        self.template = template
        self._prefixes = {
            role: template.render(messages, opened=False)
            for role, messages in _PREFIX_MESSAGES.items()
        }
        self.generation_prompts: Mapping[Role, str] = {
            role: self._strip_prefix(
                template.render(messages, opened=True), self._prefixes[role], role
            )
            for role, messages in _PREFIX_MESSAGES.items()
        }
        """By the role of the last message: the text between that message and the reply."""
        reply = self.render_increment("user", Message(role="assistant", text=PLAIN_WORD))
        began = self.generation_prompts["user"] + PLAIN_WORD
        if not reply.startswith(began):
            raise TemplateError(
                f"the chat template in {self.template.folder!r} should leave replies as they are "
                f"returned, but the generation prompt ends with {began[-_EXCERPT_CHARS:]!r} and "
                f"a reply begins with {reply[: len(began)][-_EXCERPT_CHARS:]!r}; use the chat "
                "endpoint"
            )
        self.reply_suffix = reply[len(began) :]
        """Text after a reply."""

    def render_initial(self, message: Message) -> str:
        """Render a conversation that consists of `message`."""
        return self.template.render((message,), opened=False)

    def render_increment(self, before: Role, message: Message) -> str:
        """Render what `message` adds to a conversation whose last message has role `before`."""
        whole = self.template.render((*_PREFIX_MESSAGES[before], message), opened=False)
        return self._strip_prefix(whole, self._prefixes[before], message.role)

    def _strip_prefix(self, whole: str, lead: str, role: Role) -> str:
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
            f"the chat template in {self.template.folder!r} should leave earlier messages as they "
            f"are, but once {role} speaks {_excerpt(lead, at)!r} reads {_excerpt(whole, at)!r}; "
            "use the chat endpoint"
        )


def _excerpt(text: str, at: int) -> str:
    return text[max(0, at - _EXCERPT_CHARS // 2) :][:_EXCERPT_CHARS]
