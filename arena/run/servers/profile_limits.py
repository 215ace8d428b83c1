"""Limits and endpoint hints of a model, from its profile and its servers' reports."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

from arena.models.chat import Message
from arena.players.context.token_budget import UNLIMITED
from arena.players.model_limits import ModelLimits, Shares, cap_reply_tokens
from arena.run.servers.endpoint_transport import EndpointHints, PictureTokens
from arena.run.servers.picture_grids import GridComposer
from scripts_mm.vision_tokens import VISION_FAMILIES, VisionFamily, count_vision_tokens
from serving.model_files.profile import Profile, load_profiles

_DEFAULT_REPLY_TOKENS = 1024
DEFAULT_PICTURE_TOKENS = 1280
"""Tokens of a picture for a model without a profile: the maximum that our own servers allow."""
_HUB_CACHE_PREFIX = "models--"
"""Prefix of a model's folder in the hub cache: `models--OWNER--NAME/snapshots/REVISION`."""


def find_profile_by_served_name(served_name: str, root: str = "") -> Profile | None:
    """Find the profile of a model by its served name, else by the `root` that the server loaded.

    Either can be a profile's name, alias or hub id, or a folder of that name; case is ignored.
    """
    for said in (served_name, root):
        names = set(_model_names(said))
        for profile in load_profiles().values():
            if names & {
                _base_name(one) for one in (profile.name, *profile.aliases, *profile.hub_ids)
            }:
                return profile
    return None


def build_endpoint_hints(profile: Profile | None, tokenizer_folder: Path | None) -> EndpointHints:
    """Build the hints for an endpoint; `tokenizer_folder` is the local folder of the weights."""
    if profile is None:
        return EndpointHints(
            picture_tokens=lambda picture: DEFAULT_PICTURE_TOKENS,
            tokenizer_folder=tokenizer_folder,
        )
    return EndpointHints(
        picture_tokens=_make_picture_count(profile),
        tokenizer_folder=tokenizer_folder,
        template=_template_path(profile),
        stop=profile.stop,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCounters:
    """Functions that count a model's tokens."""

    messages: Callable[[Sequence[Message]], int]
    """Tokens of messages in a prompt, pictures included."""
    exact: bool
    """Whether the counts come from the model's own tokenizer; else they are high estimates."""
    text: Callable[[str], int] | None = None
    """Tokens of a text without a message frame; None if that would be an estimate."""


def build_model_limits(
    profile: Profile | None,
    contexts: Sequence[int | None],
    counts: TokenCounters,
    *,
    grids: GridComposer,
) -> ModelLimits:
    """Build the limits of a model from its profile and its replicas' `contexts`.

    `contexts` are in tokens; None: that replica does not report one. The smallest applies to all
    replicas, so that a match is the same on each of them.
    """
    reported = [context for context in contexts if context is not None]
    context = min(reported, default=profile.context_tokens if profile else None)
    reply = profile.reply_tokens if profile else _DEFAULT_REPLY_TOKENS
    if profile is None:
        return ModelLimits(
            reply_tokens=cap_reply_tokens(reply, context),
            context_tokens=context,
            count=counts.messages,
            exact=counts.exact,
            count_text=counts.text,
            compose=grids,
        )
    budget = min(profile.context_budget, context) if context else profile.context_budget
    return ModelLimits(
        reply_tokens=cap_reply_tokens(reply, budget, context),
        context_tokens=context,
        count=counts.messages,
        exact=counts.exact,
        count_text=counts.text,
        pictures=profile.images_per_prompt,
        picture_mode=profile.picture_mode,
        overflow=profile.overflow,
        replies=profile.replies,
        context_budget=budget,
        compose=grids,
        shares=_shares(profile),
    )


def _shares(profile: Profile) -> Shares | None:
    """Return the shares of script and talk in prompts; None: the profile has none."""
    if not profile.script_tokens and not profile.dialogue_tokens:
        return None
    script = profile.script_tokens or UNLIMITED
    dialogue = profile.dialogue_tokens or UNLIMITED
    return Shares(script=script, dialogue=dialogue, introduction=script, quiz=script)


def describe_limits(limits: ModelLimits) -> dict[str, object]:
    """Return the limits for run.json; a contestant's name contains its own options."""
    return {
        "context_tokens": limits.context_tokens,
        "context_budget": limits.context_budget,
        "reply_tokens": limits.reply_tokens,
        "overflow": limits.overflow,
        "picture_mode": limits.picture_mode,
        "pictures": limits.pictures,
        "counted": "exactly" if limits.exact else "guessed",
        **({} if limits.replies == "free" else {"replies": limits.replies}),
        **({} if limits.shares is None else {"shares": asdict(limits.shares)}),
    }


def _make_picture_count(profile: Profile) -> PictureTokens:
    ruled: dict[str, VisionFamily] = {family: family for family in VISION_FAMILIES}
    family = ruled.get(profile.family)
    if profile.picture_tokens or family is None:
        return lambda picture: profile.picture_tokens or DEFAULT_PICTURE_TOKENS
    most = profile.max_pixels
    return lambda picture: count_vision_tokens(
        picture.width, picture.height, family, max_pixels=most
    )


def _template_path(profile: Profile) -> Path | None:
    """Return the chat template that servers of the profile use, from the serving package."""
    if not profile.chat_template:
        return None
    return Path(str(files("serving").joinpath(profile.chat_template)))


def _base_name(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2].casefold()


def _model_names(said: str) -> Iterator[str]:
    """Yield the model names that a served name or a folder can mean; none for an empty one."""
    if last := _base_name(said):
        yield last
    for part in said.split("/"):
        if part.startswith(_HUB_CACHE_PREFIX):
            yield part.rpartition("--")[2].casefold()
