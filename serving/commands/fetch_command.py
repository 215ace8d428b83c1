"""`arena fetch`: download a model from the hub after showing its size and licence."""

import os
from pathlib import Path
from typing import Annotated

import typer

from serving.commands.command_output import AsJson, print_line, print_object, report_errors
from serving.commands.consent_options import add_consent_options
from serving.commands.fetch_consent import fetch_with_progress, is_at_terminal
from serving.errors import ServingError
from serving.host.hardware import detect
from serving.hub.hub_download import check_disk_space, model_cache_folder
from serving.hub.hub_profile import HUB_PREFIX, hub_profile
from serving.model_files.profile import Profile, find_profile
from serving.model_files.profile_file import ALIASES
from serving.model_files.weights import (
    Weights,
    describe_silent_hub,
    find_weights,
    hub_cache,
    is_hub_reachable,
    models_folder,
)
from serving.resolution.consent import FETCH, PICKLE, REMOTE_CODE, allow, is_allowed, offer_of
from serving.resolution.name_resolution import resolve_here


def add_commands(app: typer.Typer) -> None:
    """Register this module's command with the arena's command line."""
    app.command("fetch")(fetch_command)


@add_consent_options(PICKLE, REMOTE_CODE)
def fetch_command(
    model: Annotated[
        str, typer.Argument(help="A profile or alias (see `arena models`), or a hub id ORG/NAME.")
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Download a model from the hub; the same command resumes after an interruption."""
    with report_errors():
        profile, weights = _find(model)
        is_here = weights.local
        folder = Path(weights.path)
        if not is_here:
            _check_fetchable(profile, weights)
            _confirm(profile, yes=yes, may_ask=not as_json)
            folder = fetch_with_progress(profile, weights)
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
    """Return the profile and its weights, local or on the hub; raises `ServingError` if neither."""
    with allow(FETCH):  # running the command is the consent to query the hub
        if model.lower() in ALIASES:
            found = resolve_here(model, detect(), environ=_without_endpoints())
            if found.profile is None or found.weights is None or found.profile.is_substitute:
                raise ServingError(f"nothing to fetch for {model!r}: {found.why}")
            return found.profile, found.weights
        if model.startswith(HUB_PREFIX) or "/" in model:
            profile = hub_profile(model.removeprefix(HUB_PREFIX))
        else:
            profile = find_profile(model, also=ALIASES)
    return profile, find_weights(profile, models_folder(os.environ))


def _without_endpoints() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "ARENA_ENDPOINTS"}


def _check_fetchable(profile: Profile, weights: Weights) -> None:
    """Raise `ServingError` if the download cannot start."""
    if profile.is_substitute:
        raise ServingError(f"{profile.name!r} comes with the arena; there is nothing to fetch")
    if weights.origin == "none":
        raise ServingError(f"{profile.name!r} cannot be fetched: {weights.note}")
    if not is_hub_reachable():
        raise ServingError(f"{profile.name!r} cannot be fetched: {describe_silent_hub()}")
    check_disk_space(
        weights.path,
        model_cache_folder(hub_cache(os.environ), weights.path),
        profile.weights_gib.value,
    )


def _confirm(profile: Profile, *, yes: bool, may_ask: bool) -> None:
    """Show the cost of a download, and raise `ServingError` if the user declines."""
    print_line(
        f"{profile.name}: {offer_of(profile).describe()}{profile.remark and f'; {profile.remark}'}"
    )
    if yes or is_allowed(FETCH, os.environ):
        return
    if not (may_ask and is_at_terminal()):
        raise ServingError("nothing was fetched: without a terminal, --yes is required")
    if not typer.confirm("Fetch it?", err=True):
        raise ServingError("nothing was fetched")
