"""Choice of the language of a screen."""

from collections.abc import Mapping
from types import MappingProxyType

from arena.view.i18n.en import EN
from arena.view.i18n.messages import Messages
from arena.view.i18n.zh import ZH

MESSAGES: Mapping[str, Messages] = MappingProxyType({"en": EN, "zh": ZH})
"""Messages in every language of a script."""


def messages_for(*languages: str, encoding: str = "utf-8") -> Messages:
    """Return the messages of the language if `languages` are all one known language, else English.

    They are also English if `encoding` lacks characters of the other language.
    """
    found = set(languages)
    messages = MESSAGES.get(found.pop(), EN) if len(found) == 1 else EN
    return messages if can_encode("".join(messages.heads.values()), encoding) else EN


def can_encode(text: str, encoding: str) -> bool:
    """Tell whether `encoding` has every character of `text`."""
    try:
        text.encode(encoding)
    except (LookupError, UnicodeError):
        return False
    return True
