"""What models are told, one file a language; the door through which the texts come in."""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from scripts_mm.script import Language

_HERE = Path(__file__).parent
_TAG = re.compile(r"<(\|?/?[A-Za-z_][\w .:-]{0,40}\|?)>")
_MARKS = str.maketrans({"“": "‘", "”": "’", "【": "[", "】": "]", "\r": " ", "\n": " "})


class Wording:
    """The texts of one language: `wording("rules.head", name=value)` gives one, filled in."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def __call__(self, key: str, **values: object) -> str:
        """Return the text `key`; the values are filled in as they are and never read as texts."""
        return self._texts[key].format_map(values)

    @property
    def texts(self) -> Mapping[str, str]:
        """Every text by its key."""
        return self._texts


@lru_cache(maxsize=2)
def wording(language: Language) -> Wording:
    """Return the texts of `language`."""
    tables = tomllib.loads((_HERE / f"{language}.toml").read_text(encoding="utf-8"))
    return Wording(
        MappingProxyType(
            {
                f"{table}.{key}": str(text)
                for table, texts in tables.items()
                for key, text in texts.items()
            }
        )
    )


def defused(text: str) -> str:
    """Return `text` without what a chat template or tokenizer would take as a marker of its own."""
    return _TAG.sub(r"‹\1›", text).replace("###", "＃＃＃")


def quoted(text: str) -> str:
    """Return `text` as it may stand between quotation marks in a prompt.

    Other players' words are untrusted: a line break, a closing quotation mark, a chat template's
    marker or a heading could make them look like the host's words or an instruction.
    """
    return " ".join(defused(text).translate(_MARKS).split())
