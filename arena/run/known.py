"""What a profile says of a model that a server serves, beside what the server says itself."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from arena.models.chat import Message
from arena.players.means import Means, reply_within
from arena.run.boards import Boards
from arena.run.transport import Known, PictureTokens
from scripts_mm.tokens import tokens
from serving.profile import Profile, load_profiles

_DEFAULT_REPLY_TOKENS = 1024
_PICTURE_TOKENS = 1280
"""Of a picture whose model nobody knows: the most that our own servers let one take."""
_CACHED = "models--"
"""How the hub's cache calls the folder of a model: `models--OWNER--NAME/snapshots/REVISION`."""


def profile_called(served: str, root: str = "") -> Profile | None:
    """Return the profile of a model that is served as `served`, else of what the server loaded.

    Each is a profile's name, alias or hub id, or a folder that is called so, in any case.
    """
    for said in (served, root):
        names = set(_names(said))
        for profile in load_profiles().values():
            if names & {_last(one) for one in (profile.name, *profile.aliases, *profile.hub_ids)}:
                return profile
    return None


def known(profile: Profile | None, folder: Path | None) -> Known:
    """Return what is known of a model, for a server of it; `folder`: where its tokenizer lies."""
    if profile is None:
        return Known(picture_tokens=lambda picture: _PICTURE_TOKENS, folder=folder)
    return Known(
        picture_tokens=_picture_tokens(profile),
        folder=folder,
        template=_template(profile),
        stop=profile.stop,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How a model's tokens are counted."""

    messages: Callable[[Sequence[Message]], int]
    """As they stand in a prompt, pictures included."""
    exact: bool
    """Whether with the model's own tokenizer, else guessed, too high."""
    words: Callable[[str], int] | None = None
    """Of a text by itself; None where that would be guessed."""


def means(
    profile: Profile | None,
    contexts: Sequence[int | None],
    counts: Counts,
    *,
    boards: Boards,
) -> Means:
    """Return what a model can take whose servers tell `contexts` (tokens; None: not told).

    Of several servers the smallest context counts for all, so that a match is the same wherever
    it is played.
    """
    told = [context for context in contexts if context is not None]
    context = min(told, default=profile.context_tokens if profile else None)
    reply = profile.reply_tokens if profile else _DEFAULT_REPLY_TOKENS
    if profile is None:
        return Means(
            reply_tokens=reply_within(reply, context),
            context_tokens=context,
            count=counts.messages,
            exact=counts.exact,
            words=counts.words,
            compose=boards,
        )
    budget = min(profile.context_budget, context) if context else profile.context_budget
    return Means(
        reply_tokens=reply_within(reply, budget, context),
        context_tokens=context,
        count=counts.messages,
        exact=counts.exact,
        words=counts.words,
        stop=profile.stop,
        pictures=profile.images_per_prompt,
        picture_mode=profile.picture_mode,
        overflow=profile.overflow,
        context_budget=budget,
        compose=boards,
    )


def told(means: Means) -> dict[str, object]:
    """Return what the record says of `means`; a contestant's own options stand in its name."""
    return {
        "context_tokens": means.context_tokens,
        "context_budget": means.context_budget,
        "reply_tokens": means.reply_tokens,
        "overflow": means.overflow,
        "picture_mode": means.picture_mode,
        "pictures": means.pictures,
        "counted": "exactly" if means.exact else "guessed",
    }


def _picture_tokens(profile: Profile) -> PictureTokens:
    family, most = profile.family, profile.max_pixels
    return lambda picture: tokens(picture.width, picture.height, family, max_pixels=most)


def _template(profile: Profile) -> Path | None:
    """Return the chat template that servers of the profile are given, which lies in serving."""
    if not profile.chat_template:
        return None
    return Path(str(files("serving").joinpath(profile.chat_template)))


def _last(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2].casefold()


def _names(said: str) -> Iterator[str]:
    """Return what a served name or a folder may be a model's name by; nothing where it is empty."""
    if last := _last(said):
        yield last
    for part in said.split("/"):
        if part.startswith(_CACHED):
            yield part.rpartition("--")[2].casefold()
