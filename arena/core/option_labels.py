"""Labels of options in prompts and on screens; elsewhere options have the names of the rules."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from arena.core.specs import ABSTAIN
from scripts_mm.script import Language, PartName

ABSTAIN_LABELS: Mapping[Language, str] = MappingProxyType({"en": "abstain", "zh": "弃权"})
PART_LABELS: Mapping[Language, Mapping[PartName, str]] = MappingProxyType(
    {
        "en": {
            "story": "Your story",
            "script": "What you did and saw",
            "relationship": "You and the others",
            "performance": "How you behave",
            "purpose": "Your goals",
            "ability": "What you can do",
        },
        "zh": {
            "story": "你的故事",
            "script": "你的经历",
            "relationship": "人物关系",
            "performance": "你的表现",
            "purpose": "你的目的",
            "ability": "你的能力",
        },
    }
)
"""Headings of the parts of a staged private script."""
_SEPARATORS: Mapping[Language, str] = MappingProxyType({"en": ", ", "zh": "、"})


def option_label(option: str, language: Language) -> str:
    """Return the label of `option` in prompts, in replies and on screens."""
    return ABSTAIN_LABELS[language] if option == ABSTAIN else option


def list_options(options: Iterable[str], language: Language) -> str:
    """Return the labels of `options`, separated as `language` requires."""
    return _SEPARATORS[language].join(option_label(option, language) for option in options)
