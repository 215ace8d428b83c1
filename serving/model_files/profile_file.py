"""The schema of a profile's TOML file, and its consistency checks."""

import tomllib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from serving.errors import ProfileError

Family = Literal["other", "smolvlm", "qwen2-vl", "qwen2.5-vl", "qwen3-vl", "yi-vl"]
"""Families with equal rules for pictures and prompts, the oldest generation first within a line.
"other" are single models, without a family alias.
"""

FAMILIES: tuple[Family, ...] = get_args(Family)

_LINES: Mapping[str, tuple[Family, ...]] = MappingProxyType(
    {"qwen": ("qwen2-vl", "qwen2.5-vl", "qwen3-vl"), "yi": ("yi-vl",)}
)

ALIASES: Mapping[str, tuple[Family, ...]] = MappingProxyType(
    {**_LINES, **{family: (family,) for family in FAMILIES if family != "other"}}
)
"""Aliases for the best model of one or more families that this host can serve."""

PictureMode = Literal["inline", "notes", "board"]
Overflow = Literal["retrieve", "summarise", "drop_oldest"]
Replies = Literal["free", "extractive"]

_Count = Annotated[int, Field(gt=0)]
_Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]


class _PictureTable(BaseModel):
    """The table [pictures] of a profile's file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    images_per_prompt: _Count
    min_pixels: _Count
    max_pixels: _Count
    patch: _Count
    merge: _Count


class _ShapeTable(BaseModel):
    """The table [shape]: the language model's shape from the published config.json."""

    model_config = ConfigDict(extra="forbid", strict=True)

    layers: _Count
    heads: _Count
    kv_heads: _Count
    head_dim: _Count
    source: str


class ProfileFile(BaseModel):
    """A profile's file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: _Name
    family: Family
    hub_id: str
    licence: Annotated[str, Field(min_length=1)]
    architecture: str
    parameters: _Count
    parameters_8bit: Annotated[int, Field(ge=0)] = 0
    value_bytes: Literal[2, 4] = 2
    context_tokens: _Count
    serve_tokens: _Count
    reply_tokens: _Count = 1024
    flags: list[str] = []
    plugin: str = ""
    conversions: list[str] = []
    fetch_from: str = ""
    chat_template: str = ""
    stop: list[str] = []
    picture_mode: PictureMode = "inline"
    overflow: Overflow | None = None
    replies: Replies = "free"
    context_budget: Annotated[int, Field(ge=0)] = 0
    script_tokens: Annotated[int, Field(ge=0)] = 0
    dialogue_tokens: Annotated[int, Field(ge=0)] = 0
    picture_tokens: Annotated[int, Field(ge=0)] = 0
    stand_in: bool = False
    bundled: bool = False
    takes_seed: bool = False
    aliases: list[_Name] = []
    tensor_parallel: _Count = 1
    shape: _ShapeTable
    pictures: _PictureTable


def parse_profile_file(text: str, where: str) -> ProfileFile:
    """Parse a TOML text; raises `ProfileError` with `where` and the field at fault."""
    try:
        read = ProfileFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{where} is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ProfileError(f"{where}: field {field!r}: {first['msg'].lower()}") from error
    fault = _contradiction(read)
    if fault:
        raise ProfileError(f"{where}: {fault}")
    return read


def _contradiction(read: ProfileFile) -> str:
    shape, pictures = read.shape, read.pictures
    faults = {
        "a stand-in or bundled model has no hub_id and any other has one, but hub_id is "
        f"{read.hub_id!r}": (read.stand_in or read.bundled) != (read.hub_id == ""),
        f"fetch_from {read.fetch_from!r} is none of its conversions": read.fetch_from
        not in ("", *read.conversions),
        f"serve_tokens {read.serve_tokens} is more than context_tokens {read.context_tokens}": (
            read.serve_tokens > read.context_tokens
        ),
        "pictures.min_pixels is more than pictures.max_pixels": (
            pictures.min_pixels > pictures.max_pixels
        ),
        "parameters_8bit is more than parameters": read.parameters_8bit > read.parameters,
        f"{shape.heads} heads cannot share {shape.kv_heads} KV heads": (
            shape.heads % shape.kv_heads > 0
        ),
    }
    return next((fault for fault, holds in faults.items() if holds), "")
