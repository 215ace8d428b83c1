"""What a profile says of a model that a server serves, beside what the server says itself."""

from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from arena.models.chat import Message
from arena.players.means import Means
from arena.run.boards import Boards
from arena.run.transport import Known, PictureTokens
from scripts_mm.tokens import tokens
from serving.profile import Profile, load_profiles

_DEFAULT_REPLY_TOKENS = 1024
_PICTURE_TOKENS = 1280
"""Of a picture whose model nobody knows: the most that our own servers let one take."""
_REPLY_SHARE = 4
"""A reply takes at most one part in so many of the context."""


def profile_called(served: str) -> Profile | None:
    """Return the profile of a model that is served as `served`: its name, alias or hub id."""
    return next(
        (
            profile
            for profile in load_profiles().values()
            if served and served in {profile.name, *profile.aliases, *profile.hub_ids}
        ),
        None,
    )


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


def means(
    profile: Profile | None,
    contexts: Sequence[int | None],
    count: Callable[[Sequence[Message]], int],
    *,
    exact: bool,
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
            reply_tokens=_within(reply, context),
            context_tokens=context,
            count=count,
            exact=exact,
            compose=boards,
        )
    budget = min(profile.context_budget, context) if context else profile.context_budget
    return Means(
        reply_tokens=_within(reply, budget or context),
        context_tokens=context,
        count=count,
        exact=exact,
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


def _within(reply: int, context: int | None) -> int:
    return max(1, min(reply, context // _REPLY_SHARE)) if context else reply
