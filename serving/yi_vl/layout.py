"""What makes a folder Yi-VL, in either of its two layouts, and what is missing where it is not.

`published`: the files as their authors put them on the hub (01-ai/Yi-VL-6B). `converted`: the
community's LLaVA layout of transformers (BUAADreamer/Yi-VL-6B-hf). Nothing here loads a weight.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from serving.errors import ServingError
from serving.yi_vl.tensors import TensorsError, holds_weights, read_names

Layout = Literal["published", "converted"]

SYSTEM: Final = (
    "This is a chat between an inquisitive human and an AI assistant. Assume the role of the AI "
    "assistant. Read all the images carefully, and respond to the human's questions with "
    "informative, helpful, detailed and polite answers. 这是一个好奇的人类和一个人工智能助手之间的"
    "对话。假设你扮演这个AI助手的角色。仔细阅读所有的图像，并对人类的问题做出信息丰富、有帮助、"
    "详细的和礼貌的回答。"
)
"""The published system text; it is part of the model's interface."""

IMAGE: Final = "<image_placeholder>"
"""What stands for a picture in a prompt."""

STOP: Final = "###"
"""Where a reply ends."""

PROJECTOR: Final = "mlp2x_gelu_Norm"

_SOURCES: Final[tuple[tuple[Layout, str], ...]] = (
    ("published", "LlavaLlamaForCausalLM"),
    ("converted", "LlavaForConditionalGeneration"),
)
_PROJECTORS: Final[Mapping[Layout, tuple[str, ...]]] = {
    "published": tuple(f"model.mm_projector.{layer}.weight" for layer in (0, 1, 3, 4)),
    "converted": tuple(f"multi_modal_projector.linear_{layer}.weight" for layer in (1, 2, 3, 4)),
}
_TOWER_SAMPLE: Final = "vision_tower.vision_model.embeddings.class_embedding"
_NEWER: Final = "model."
_MOST_SPARE: Final = 1_024
"""Tokens behind the words, at most; the conversion has 64."""


class LayoutError(ServingError):
    """A folder is not a whole Yi-VL."""


class Facts(BaseModel):
    """What config.json says of the layout; all else is the model's."""

    model_config = ConfigDict(extra="ignore")

    architectures: list[str] | None = None
    vocab_size: int = 0
    mm_vision_tower: str | None = None
    mm_projector_type: str | None = None
    mm_vision_select_layer: int = -2
    mm_vision_select_feature: str = "patch"
    is_yi_vl_derived_model: bool = False
    image_token_index: int | None = None
    text_config: dict[str, Any] | None = None
    vision_config: dict[str, Any] | None = None

    @property
    def picture_token(self) -> int:
        """The id of the token that stands for a picture: the first behind the vocabulary."""
        return self.vocab_size if self.image_token_index is None else self.image_token_index

    @property
    def tower(self) -> str:
        """The sub-folder of the vision tower in the published layout, without a leading `./`."""
        return str(PurePosixPath(self.mm_vision_tower or ""))


def read_facts(config: object, where: str) -> tuple[Layout, Facts]:
    """Return the layout and the facts of a parsed config.json; `where` names it in errors.

    Raises `LayoutError` where it describes something else than Yi-VL.
    """
    try:
        facts = Facts.model_validate(config)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise LayoutError(
            f"config.json in {where!r} cannot be read: {place}: {first['msg']}"
        ) from error
    names = facts.architectures or []
    found: tuple[Layout, ...] = tuple(kind for kind, name in _SOURCES if name in names)
    if not found:
        wanted = " or ".join(name for _, name in _SOURCES)
        raise LayoutError(
            f"{where!r} was to hold Yi-VL ({wanted}), but its config.json names {names}"
        )
    layout = found[0]
    fault = _fault_of_published(facts) if layout == "published" else _fault_of_converted(facts)
    if fault:
        raise LayoutError(f"config.json in {where!r} was to describe Yi-VL, but {fault}")
    return layout, facts


def read_layout(folder: Path) -> Layout:
    """Return the layout of a whole Yi-VL, or raise `LayoutError`: what is wrong, in one line."""
    layout, facts = _read_config(folder)
    _check_files(folder, layout, facts)
    _check_weights(folder, layout, facts)
    return layout


def check(folder: Path, *, dummy: bool = False) -> str:
    """Return "" where `folder` is a whole Yi-VL, else what is wrong, in one line.

    `dummy`: the weights are not wanted, as for `--load-format dummy`.
    """
    try:
        if not dummy:
            read_layout(folder)
        else:
            layout, facts = _read_config(folder)
            _check_files(folder, layout, facts)
    except LayoutError as error:
        return str(error)
    return ""


def _fault_of_published(facts: Facts) -> str:
    if facts.mm_projector_type != PROJECTOR:
        return f"its mm_projector_type is {facts.mm_projector_type!r}, not {PROJECTOR!r}"
    if not facts.mm_vision_tower:
        return "it names no mm_vision_tower, the sub-folder of the vision tower"
    path = PurePosixPath(facts.mm_vision_tower)
    if path.is_absolute() or ".." in path.parts or facts.tower == ".":
        return f"its mm_vision_tower {facts.mm_vision_tower!r} is no sub-folder of it"
    if facts.mm_vision_select_feature != "patch":
        return f"its mm_vision_select_feature is {facts.mm_vision_select_feature!r}, not 'patch'"
    return "" if facts.vocab_size > 0 else "it tells no vocab_size"


def _fault_of_converted(facts: Facts) -> str:
    if facts.image_token_index is None:
        return "it tells no image_token_index"
    if not facts.text_config or not facts.vision_config:
        return "it has no text_config or no vision_config"
    words: object = facts.text_config.get("vocab_size")
    if not isinstance(words, int):
        return "its text_config tells no vocab_size"
    if not words - _MOST_SPARE <= facts.image_token_index < words:
        return (
            f"its image_token_index {facts.image_token_index} is none of the last tokens of its "
            f"vocabulary of {words}"
        )
    return ""


def _read_config(folder: Path) -> tuple[Layout, Facts]:
    path = folder / "config.json"
    try:
        parsed: object = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise LayoutError(
            f"{str(folder)!r} was to hold Yi-VL, but {path.name} cannot be read: {error}"
        ) from error
    return read_facts(parsed, str(folder))


def _check_files(folder: Path, layout: Layout, facts: Facts) -> None:
    if not any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer.model")):
        raise _missing(folder, "its tokenizer: tokenizer.json or tokenizer.model")
    if layout == "converted":
        if not (folder / "preprocessor_config.json").is_file():
            raise _missing(folder, "its preprocessor_config.json")
        return
    tower = folder / facts.tower
    if not tower.is_dir():
        raise _missing(folder, f"its vision tower, the sub-folder {facts.tower!r}")
    for name in ("config.json", "preprocessor_config.json"):
        if not (tower / name).is_file():
            raise _missing(folder, f"{name} of its vision tower in {facts.tower!r}")


def _check_weights(folder: Path, layout: Layout, facts: Facts) -> None:
    try:
        held = read_names(folder)
    except TensorsError as error:
        raise LayoutError(f"{error}; fetch the model's files again") from error
    if layout == "published":
        _check_projector(folder, layout, held)
        if not holds_weights(folder / facts.tower):
            raise _missing(folder, f"the weights of its vision tower in {facts.tower!r}")
        return
    either = _either(held)
    if not facts.is_yi_vl_derived_model and not either(_PROJECTORS["converted"][-1]):
        raise LayoutError(
            f"{str(folder)!r} was to hold Yi-VL, but is another LLaVA: its projector has no "
            f"LayerNorms and its config.json no mark is_yi_vl_derived_model"
        )
    _check_projector(folder, layout, either)
    if not either(_TOWER_SAMPLE):
        raise _missing(folder, "its vision tower among its weights")


def _either(held: Callable[[str], bool]) -> Callable[[str], bool]:
    """Newer versions of transformers save the same tensors with `model.` before their names."""
    return lambda name: held(name) or held(_NEWER + name)


def _check_projector(folder: Path, layout: Layout, held: Callable[[str], bool]) -> None:
    absent = [name for name in _PROJECTORS[layout] if not held(name)]
    if absent:
        raise _missing(folder, f"the projector's {', '.join(absent)} among its weights")


def _missing(folder: Path, what: str) -> LayoutError:
    return LayoutError(f"{str(folder)!r} was to hold Yi-VL, but lacks {what}; fetch it again whole")
