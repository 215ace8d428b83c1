"""Engine profiles: memory, limits and cost terms of one engine, one TOML file each."""

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from serving.engine_sim.cost_model.roofline import Roofline, estimate_roofline
from serving.errors import ProfileError

SchedulingPolicy = Literal["fcfs", "priority"]
"""The order of waiting requests (vLLM's --scheduling-policy)."""
_Count = Annotated[int, Field(gt=0, strict=True)]
_Cost = Annotated[float, Field(ge=0, strict=True)]
_NO_OTHER_KEYS: Final = ConfigDict(extra="forbid")
"""For the reader of files: it refuses unknown keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTerms:
    """The costs of an engine's work, in seconds; `step_cost` adds them up.

    A step costs `step`, the greater of `weights` and `token` x tokens computed, `context` x tokens
    of context read by decodes, `pair` x pairs of new token and token before it in prefill,
    `sequence` x sequences, and `picture` x picture tokens encoded. Before the first step, a request
    costs one server thread `request`, plus `tokenise` x its tokens if it arrives as text, and
    another thread `byte` x bytes of pictures plus `process` x tokens of pictures that it has not
    processed before.
    """

    __pydantic_config__ = _NO_OTHER_KEYS

    step: _Cost = 0.0
    weights: _Cost = 0.0
    token: _Cost = 0.0
    context: _Cost = 0.0
    pair: _Cost = 0.0
    sequence: _Cost = 0.0
    picture: _Cost = 0.0
    request: _Cost = 0.0
    tokenise: _Cost = 0.0
    byte: _Cost = 0.0
    process: _Cost = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineProfile:
    """One engine. `basis` says whether its terms were measured (where, when) or computed.

    `kv_tokens` is the size of the KV cache and `block` of one block, in tokens; `encoder_tokens` is
    both the encoder's budget per step and its cache; `watermark` is the share of blocks kept free
    at admission; `context_tokens` is the longest prompt with its reply.
    """

    __pydantic_config__ = _NO_OTHER_KEYS

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
    basis: Annotated[str, Field(min_length=1)]
    kv_tokens: _Count
    block: _Count
    max_batched_tokens: _Count
    max_seqs: _Count
    encoder_tokens: _Count
    context_tokens: _Count
    terms: CostTerms = CostTerms()
    policy: SchedulingPolicy = "priority"
    watermark: Annotated[float, Field(ge=0, lt=1)] = 0.0

    @property
    def blocks(self) -> int:
        """Return the blocks of the KV cache, the null block among them (vLLM's num_gpu_blocks)."""
        return self.kv_tokens // self.block


TERM_NAMES: tuple[str, ...] = tuple(field.name for field in fields(CostTerms))
"""The names of all terms."""
_PROFILE: Final = TypeAdapter(EngineProfile)


def parse_engine_profile(text: str, where: str) -> EngineProfile:
    """Return the engine profile that a TOML text holds; `where` names the file in errors.

    A table [roofline] gives the terms and the KV tokens that the file itself does not give. Raises
    `ProfileError` with the file and the field at fault.
    """
    try:
        read: dict[str, Any] = tomllib.loads(text)
        if "roofline" in read:
            reached = estimate_roofline(Roofline.model_validate(read.pop("roofline")))
            read = {"kv_tokens": reached.kv_tokens, **read}
            read["terms"] = dict(reached.terms) | read.get("terms", {})
        elif "kv_tokens" not in read:
            raise ProfileError(f"{where}: wanted kv_tokens or a table [roofline], found neither")
        read = {"encoder_tokens": read.get("max_batched_tokens"), **read}
        profile = _PROFILE.validate_python(read)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{where} is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ProfileError(f"{where}: field {field!r}: {first['msg'].lower()}") from error
    if profile.kv_tokens < 2 * profile.block:
        raise ProfileError(
            f"{where}: {profile.kv_tokens} kv_tokens are fewer than 2 blocks of {profile.block}"
        )
    return profile


def list_engine_profiles() -> tuple[str, ...]:
    """Return the names of all engine profiles."""
    folder = files("serving").joinpath("engine_sim", "profiles")
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def load_engine_profile(name: str) -> EngineProfile:
    """Return the engine profile of this name. Raises `ProfileError` that lists the known names."""
    return parse_engine_profile(_read_profile(name), f"serving/engine_sim/profiles/{name}.toml")


def load_roofline(name: str) -> Roofline | None:
    """Return the table [roofline] of the engine profile `name`, or None if it has none.

    Raises `ProfileError` for an unknown profile.
    """
    figures = tomllib.loads(_read_profile(name)).get("roofline")
    return None if figures is None else Roofline.model_validate(figures)


def _read_profile(name: str) -> str:
    known = list_engine_profiles()
    if name not in known:
        raise ProfileError(f"no engine profile {name!r}; there are {', '.join(known)}")
    entry = files("serving").joinpath("engine_sim", "profiles", f"{name}.toml")
    return entry.read_text(encoding="utf-8")
