"""Checkpoint layouts of Yi-VL: which of the two a folder has, and what it lacks.

`published`: the files as the authors published them (01-ai/Yi-VL-6B). `converted`: the community's
LLaVA layout for transformers (BUAADreamer/Yi-VL-6B-hf). No weight is loaded here.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from serving.errors import ServingError
from serving.yi_vl.weight_index import WeightIndexError, has_weights, read_tensor_names

Layout = Literal["published", "converted"]

PROJECTOR_TYPE: Final = "mlp2x_gelu_Norm"
"""`mm_projector_type` of both published sizes."""

_ARCHITECTURES: Final[tuple[tuple[Layout, str], ...]] = (
    ("published", "LlavaLlamaForCausalLM"),
    ("converted", "LlavaForConditionalGeneration"),
)
_PROJECTOR_TENSORS: Final[Mapping[Layout, tuple[str, ...]]] = {
    "published": tuple(f"model.mm_projector.{layer}.weight" for layer in (0, 1, 3, 4)),
    "converted": tuple(f"multi_modal_projector.linear_{layer}.weight" for layer in (1, 2, 3, 4)),
}
_TOWER_SAMPLE: Final = "vision_tower.vision_model.embeddings.class_embedding"
_NEW_PREFIX: Final = "model."
"""Prefix of every tensor name in checkpoints saved by transformers 4.52 and later."""

_MAX_SPARE_TOKENS: Final = 1_024
"""Limit of the tokens after the vocabulary; the known conversions have 64."""


class LayoutError(ServingError):
    """A folder is not a complete Yi-VL."""


class CheckpointInfo(BaseModel):
    """Fields of config.json that distinguish the layouts and locate their parts."""

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
    def image_token_id(self) -> int:
        """Id of the image token: the first after the vocabulary."""
        return self.vocab_size if self.image_token_index is None else self.image_token_index

    @property
    def tower(self) -> str:
        """Path of the vision tower's folder in the published layout, without a leading `./`.

        It is relative to the checkpoint or absolute, as in the published code.
        """
        return str(PurePosixPath(self.mm_vision_tower or ""))


def locate_tower_file(model: str, tower: str, name: str) -> tuple[str, str]:
    """Return where the file `name` of a tower is: a folder or hub id, and a path below it.

    `tower` is relative to `model`, or absolute, or empty: then the file is the model's own.
    """
    if PurePosixPath(tower).is_absolute():
        return tower, name
    return model, f"{tower}/{name}" if tower else name


def parse_config(config: object, where: str) -> tuple[Layout, CheckpointInfo]:
    """Return the layout and the fields of a decoded config.json; `where` names it in errors.

    Raises `LayoutError` if it describes another model.
    """
    try:
        info = CheckpointInfo.model_validate(config)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "the whole file"
        raise LayoutError(
            f"config.json in {where!r} cannot be read: {field}: {first['msg']}"
        ) from error
    names = info.architectures or []
    found: tuple[Layout, ...] = tuple(kind for kind, name in _ARCHITECTURES if name in names)
    if not found:
        expected = " or ".join(name for _, name in _ARCHITECTURES)
        raise LayoutError(
            f"{where!r} should hold Yi-VL ({expected}), but its config.json names {names}"
        )
    layout = found[0]
    problem = (
        _find_published_problem(info) if layout == "published" else _find_converted_problem(info)
    )
    if problem:
        raise LayoutError(f"config.json in {where!r} should describe Yi-VL, but {problem}")
    return layout, info


def read_layout(folder: Path) -> Layout:
    """Return the layout of a complete Yi-VL; `LayoutError` names what is wrong in one line."""
    layout, info = _read_config(folder)
    _check_files(folder, layout, info)
    _check_weights(folder, layout, info)
    return layout


def find_layout_problem(folder: Path, *, dummy: bool = False) -> str:
    """Return "" if `folder` is a complete Yi-VL, else what is wrong, in one line.

    `dummy`: weights are not needed, as with `--load-format dummy`.
    """
    try:
        if not dummy:
            read_layout(folder)
        else:
            layout, info = _read_config(folder)
            _check_files(folder, layout, info)
    except LayoutError as error:
        return str(error)
    return ""


def _find_published_problem(info: CheckpointInfo) -> str:
    if info.mm_projector_type != PROJECTOR_TYPE:
        return f"its mm_projector_type is {info.mm_projector_type!r}, not {PROJECTOR_TYPE!r}"
    if not info.mm_vision_tower:
        return "it has no mm_vision_tower, the folder of the vision tower"
    if ".." in PurePosixPath(info.mm_vision_tower).parts or info.tower in {".", "/"}:
        return (
            f"its mm_vision_tower {info.mm_vision_tower!r} is neither a sub-folder of the "
            "checkpoint nor an absolute path"
        )
    if info.mm_vision_select_feature != "patch":
        return f"its mm_vision_select_feature is {info.mm_vision_select_feature!r}, not 'patch'"
    return "" if info.vocab_size > 0 else "it has no vocab_size"


def _find_converted_problem(info: CheckpointInfo) -> str:
    if info.image_token_index is None:
        return "it has no image_token_index"
    if not info.text_config or not info.vision_config:
        return "it has no text_config or no vision_config"
    words: object = info.text_config.get("vocab_size")
    if not isinstance(words, int):
        return "its text_config has no vocab_size"
    if not words - _MAX_SPARE_TOKENS <= info.image_token_index < words:
        return (
            f"its image_token_index {info.image_token_index} is not among the last tokens of its "
            f"vocabulary of {words}"
        )
    return ""


def _read_config(folder: Path) -> tuple[Layout, CheckpointInfo]:
    path = folder / "config.json"
    try:
        content: object = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise LayoutError(
            f"{str(folder)!r} should hold Yi-VL, but {path.name} cannot be read: {error}"
        ) from error
    return parse_config(content, str(folder))


def _check_files(folder: Path, layout: Layout, info: CheckpointInfo) -> None:
    if not any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer.model")):
        raise _missing_part(folder, "its tokenizer: tokenizer.model or tokenizer.json")
    if layout == "converted":
        if not (folder / "preprocessor_config.json").is_file():
            raise _missing_part(folder, "its preprocessor_config.json")
        return
    tower = folder / info.tower  # an absolute path replaces the folder
    if not tower.is_dir():
        raise _missing_part(folder, f"its vision tower, the folder {info.tower!r}")
    for name in ("config.json", "preprocessor_config.json"):
        if not (tower / name).is_file():
            raise _missing_part(folder, f"{name} of its vision tower in {info.tower!r}")


def _check_weights(folder: Path, layout: Layout, info: CheckpointInfo) -> None:
    try:
        has_tensor = read_tensor_names(folder)
    except WeightIndexError as error:
        raise LayoutError(f"{error}; download the model's files again") from error
    if layout == "published":
        _check_projector(folder, layout, has_tensor)
        if not has_weights(folder / info.tower):
            raise _missing_part(folder, f"the weights of its vision tower in {info.tower!r}")
        return
    has_either = _with_new_prefix(has_tensor)
    if not info.is_yi_vl_derived_model and not has_either(_PROJECTOR_TENSORS["converted"][-1]):
        raise LayoutError(
            f"{str(folder)!r} should hold Yi-VL, but is another LLaVA: its projector has no "
            f"LayerNorms and its config.json has no is_yi_vl_derived_model"
        )
    _check_projector(folder, layout, has_either)
    if not has_either(_TOWER_SAMPLE):
        raise _missing_part(folder, "its vision tower among its weights")


def _with_new_prefix(has_tensor: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda name: has_tensor(name) or has_tensor(_NEW_PREFIX + name)


def _check_projector(folder: Path, layout: Layout, has_tensor: Callable[[str], bool]) -> None:
    absent = [name for name in _PROJECTOR_TENSORS[layout] if not has_tensor(name)]
    if absent:
        raise _missing_part(folder, f"the projector's {', '.join(absent)} among its weights")


def _missing_part(folder: Path, part: str) -> LayoutError:
    return LayoutError(
        f"{str(folder)!r} should hold Yi-VL, but lacks {part}; download the missing files"
    )
