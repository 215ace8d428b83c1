"""`arena fetch`: bring a model from the hub to this host, once its size and licence are known."""

import os
from pathlib import Path
from typing import Annotated

import typer

from serving.consent import FETCH, PICKLE, REMOTE_CODE, allowing, is_allowed, offer_of
from serving.console import AsJson, one_line_errors, print_object, say
from serving.errors import ServingError
from serving.fetching import check_space, kept_in
from serving.hardware import detect
from serving.hub_model import HUB, hub_profile
from serving.options import allows
from serving.prepare import fetch_shown, is_at_terminal
from serving.profile import Profile, find_profile
from serving.resolve import ALIASES, resolve_here
from serving.weights import Weights, find_weights, hub_cache, hub_reachable, models_folder


def add_commands(app: typer.Typer) -> None:
    """Register this module's command with the arena's command line."""
    app.command("fetch")(fetch_command)


@allows(PICKLE, REMOTE_CODE)
def fetch_command(
    model: Annotated[
        str, typer.Argument(help="A profile or alias (see `arena models`), or a hub id ORG/NAME.")
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Fetch a model from the hub; the same command goes on after an interruption."""
    with one_line_errors():
        profile, weights = _find(model)
        is_here = weights.local
        folder = Path(weights.path)
        if not is_here:
            _check(profile, weights)
            _agree(profile, yes=yes, may_ask=not as_json)
            folder = fetch_shown(profile, weights)
    command = f"arena match --civ {profile.name} --murderer naive"
    if as_json:
        print_object(
            {
                "profile": profile.name,
                "hub_id": weights.path if not is_here else profile.fetch_id,
                "licence": profile.licence,
                "gib": round(profile.weights_gib.value, 2),
                "fetched": not is_here,
                "folder": str(folder),
                "command": command,
            }
        )
        return
    typer.echo(f"{profile.name} is {'' if not is_here else 'already '}in {folder}")
    typer.echo(f"play it: {command}")


def _find(model: str) -> tuple[Profile, Weights]:
    """Return what to fetch, or where it is already; `ServingError` where it cannot be fetched."""
    with allowing(FETCH):  # the command is the consent to ask the hub what it has
        if model.lower() in ALIASES:
            found = resolve_here(model, detect(), environ=_without_endpoints())
            if found.profile is None or found.weights is None or found.profile.is_substitute:
                raise ServingError(f"nothing to fetch for {model!r}: {found.why}")
            return found.profile, found.weights
        if model.startswith(HUB) or "/" in model:
            profile = hub_profile(model.removeprefix(HUB))
        else:
            profile = find_profile(model, also=ALIASES)
    return profile, find_weights(profile, models_folder(os.environ))


def _without_endpoints() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "ARENA_ENDPOINTS"}


def _check(profile: Profile, weights: Weights) -> None:
    """Raise `ServingError` where the download cannot begin."""
    if profile.is_substitute:
        raise ServingError(f"{profile.name!r} comes with the arena; there is nothing to fetch")
    if weights.origin == "none":
        raise ServingError(f"{profile.name!r} cannot be fetched: {weights.note}")
    if not hub_reachable():
        raise ServingError(f"{profile.name!r} cannot be fetched: the hub does not answer")
    check_space(
        weights.path, kept_in(hub_cache(os.environ), weights.path), profile.weights_gib.value
    )


def _agree(profile: Profile, *, yes: bool, may_ask: bool) -> None:
    """Show what a download takes, and raise `ServingError` where the user does not want it."""
    say(f"{profile.name}: {offer_of(profile).describe()}{profile.remark and f'; {profile.remark}'}")
    if yes or is_allowed(FETCH, os.environ):
        return
    if not (may_ask and is_at_terminal()):
        raise ServingError("nothing was fetched: --yes allows it where nobody can be asked")
    if not typer.confirm("Fetch it?", err=True):
        raise ServingError("nothing was fetched")
