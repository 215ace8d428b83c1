"""Model profiles: the requirements of a model, one TOML file each in serving/profiles."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

from serving.errors import ProfileError
from serving.model_files.profile_file import (
    FAMILIES,
    Family,
    Overflow,
    PictureMode,
    ProfileFile,
    Replies,
    parse_profile_file,
)

GIB = 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedValue:
    """A number, whether it was computed or measured, and a note on its source."""

    value: float
    basis: Literal["computed", "measured"]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The settings to serve one model. Pixels are per picture, tokens are the model's own.

    `context_tokens` is the model's published context, `serve_tokens` the engine's --max-model-len;
    `reply_tokens` caps one reply; `tensor_parallel` is the least number of GPUs to split it over.
    `plugin` is the vLLM entry point that it needs, `stop` are its stop strings. `conversions` are
    hub ids of the same weights in another layout, `fetch_from` the one to fetch if the published
    files are pickled; `chat_template` is a file under serving/ for a model whose folder has none.
    `picture_mode`, `overflow` and `context_budget` (tokens of a prompt with its reply; 0: the whole
    context) set how prompts are fitted into a small context; under `overflow=retrieve`,
    `script_tokens` and `dialogue_tokens` limit script and dialogue in a prompt (0: no limit); with
    `replies=extractive` replies consist of sentences of the prompt. `picture_tokens` is the most
    tokens of a picture; 0: its family's rule decides. The weights of a `bundled` model are part of
    the arena, those of a `stand_in` are random and built locally.
    """

    name: str
    family: Family
    hub_id: str
    licence: str
    architecture: str
    parameters_b: float
    weights_gib: SourcedValue
    kv_bytes_per_token: SourcedValue
    heads: int
    kv_heads: int
    context_tokens: int
    serve_tokens: int
    reply_tokens: int
    images_per_prompt: int
    min_pixels: int
    max_pixels: int
    patch: int
    merge: int
    flags: tuple[str, ...] = ()
    plugin: str = ""
    conversions: tuple[str, ...] = ()
    fetch_from: str = ""
    chat_template: str = ""
    stop: tuple[str, ...] = ()
    picture_mode: PictureMode = "inline"
    overflow: Overflow | None = None
    replies: Replies = "free"
    context_budget: int = 0
    script_tokens: int = 0
    dialogue_tokens: int = 0
    picture_tokens: int = 0
    stand_in: bool = False
    bundled: bool = False
    eight_bit: bool = False
    takes_seed: bool = False
    aliases: tuple[str, ...] = ()
    tensor_parallel: int = 1
    remark: str = ""

    @property
    def is_substitute(self) -> bool:
        """Whether it can replace another model: it is tiny and needs no download."""
        return self.stand_in or self.bundled

    @property
    def folder(self) -> str:
        """The folder of its weights in a models folder: its name, or the hub id of `hf:ID`."""
        return self.name.removeprefix("hf:")

    @property
    def token_side(self) -> int:
        """Pixels along one side of one picture token: 28 (patch 14, merge 2) or 32."""
        return self.patch * self.merge

    @property
    def hub_ids(self) -> tuple[str, ...]:
        """Every hub id of these weights, the published one first."""
        return (self.hub_id, *self.conversions)

    @property
    def fetch_id(self) -> str:
        """The hub id whose weights are safetensors."""
        return self.fetch_from or self.hub_id


def parse_profile(text: str, where: str) -> Profile:
    """Return the profile that a TOML text holds; `where` names the file in errors.

    Weights are parameters x bytes each; KV bytes per token are 2 (keys and values) x layers x
    KV heads x head size x bytes each. Raises `ProfileError` with the file and the field at fault.
    """
    read = parse_profile_file(text, where)
    return Profile(
        name=read.name,
        family=read.family,
        hub_id=read.hub_id,
        licence=read.licence,
        architecture=read.architecture,
        parameters_b=read.parameters / 1e9,
        weights_gib=_weights(read),
        kv_bytes_per_token=_kv_bytes(read),
        heads=read.shape.heads,
        kv_heads=read.shape.kv_heads,
        context_tokens=read.context_tokens,
        serve_tokens=read.serve_tokens,
        reply_tokens=read.reply_tokens,
        flags=tuple(read.flags),
        plugin=read.plugin,
        conversions=tuple(read.conversions),
        fetch_from=read.fetch_from,
        chat_template=read.chat_template,
        stop=tuple(read.stop),
        picture_mode=read.picture_mode,
        overflow=read.overflow,
        replies=read.replies,
        context_budget=read.context_budget,
        script_tokens=read.script_tokens,
        dialogue_tokens=read.dialogue_tokens,
        picture_tokens=read.picture_tokens,
        stand_in=read.stand_in,
        bundled=read.bundled,
        eight_bit=read.parameters_8bit > 0,
        takes_seed=read.takes_seed,
        aliases=tuple(read.aliases),
        tensor_parallel=read.tensor_parallel,
        **read.pictures.model_dump(),
    )


@cache
def load_profiles() -> Mapping[str, Profile]:
    """Return every profile by name, sorted by family and size.

    Raises `ProfileError` if a file is invalid or two profiles claim one name or alias.
    """
    found: list[Profile] = []
    claimed: dict[str, str] = {}
    for entry in sorted(files("serving").joinpath("profiles").iterdir(), key=lambda e: e.name):
        if not entry.name.endswith(".toml"):
            continue
        profile = parse_profile(entry.read_text(encoding="utf-8"), f"serving/profiles/{entry.name}")
        for name in (profile.name, *profile.aliases):
            if name in claimed:
                raise ProfileError(f"{entry.name} and {claimed[name]} both claim {name!r}")
            claimed[name] = entry.name
        found.append(profile)
    found.sort(key=_sort_key)
    return MappingProxyType({profile.name: profile for profile in found})


def find_profile(name: str, also: Iterable[str] = (), near: Iterable[str] = ()) -> Profile:
    """Return the profile of this name or alias.

    Raises `ProfileError` that lists all names, near misses first; `also` are further names of the
    caller, and `near` are names of other things that a near miss can mean.
    """
    profiles = load_profiles()
    named = {alias: profile for profile in profiles.values() for alias in profile.aliases}
    named.update(profiles)
    found = named.get(name.lower())
    if found is not None:
        return found
    there_is = [*also, *profiles]
    close = get_close_matches(name.lower(), [*there_is, *named, *near], n=3, cutoff=0.6)
    hint = f", did you mean {' or '.join(map(repr, dict.fromkeys(close)))}?" if close else ";"
    raise ProfileError(f"no model {name!r}{hint} there are {', '.join(there_is)}")


def stand_ins() -> tuple[Profile, ...]:
    """Return the untrained models that are built locally, the oldest family first.

    They never replace a model of another name.
    """
    return tuple(profile for profile in load_profiles().values() if profile.stand_in)


def _sort_key(profile: Profile) -> tuple[bool, int, float, float]:
    generation = FAMILIES.index(profile.family)
    return profile.is_substitute, generation, profile.parameters_b, profile.weights_gib.value


def _weights(read: ProfileFile) -> SourcedValue:
    plain = read.parameters - read.parameters_8bit
    size = plain * read.value_bytes + read.parameters_8bit
    kept = f", {read.parameters_8bit:,} of them in 1 byte" if read.parameters_8bit else ""
    note = f"{read.parameters:,} parameters x {read.value_bytes} bytes{kept}"
    return SourcedValue(value=size / GIB, basis="computed", note=note)


def _kv_bytes(read: ProfileFile) -> SourcedValue:
    shape = read.shape
    size = 2 * shape.layers * shape.kv_heads * shape.head_dim * read.value_bytes
    heads = f"{shape.kv_heads} KV heads x {shape.head_dim} x {read.value_bytes} bytes"
    note = f"2 x {shape.layers} layers x {heads}; {shape.source}"
    return SourcedValue(value=size, basis="computed", note=note)
