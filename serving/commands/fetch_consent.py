"""Before engines start: ask for consent to download missing models, and fetch them."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from serving.commands.command_output import print_line
from serving.errors import ServingError
from serving.host.hardware import detect
from serving.hub.hub_download import cache_size_gib, model_cache_folder
from serving.hub.hub_profile import hub_profile
from serving.hub.weights_download import fetch_weights
from serving.model_files.profile import GIB, Profile
from serving.model_files.weights import Weights, hub_cache
from serving.resolution.consent import FETCH, ConsentNeeded, DownloadOffer, allow, is_allowed
from serving.resolution.name_resolution import resolve_all
from serving.resolution.resolution_types import Resolution

_EVERY: Final = 0.5
"""Seconds between two updates of the progress bar."""


def prepare_models(names: Sequence[str | None], folder: Path, *, may_ask: bool) -> None:
    """Fetch the missing models among `names`; None: a player without a model.

    With `may_ask` at a terminal, the user is asked first; otherwise only `--fetch` permits it.
    `folder` is for results. Raises `ServingError` if a download fails.
    """
    models = [name for name in dict.fromkeys(names) if name is not None]
    if not models:
        return
    hardware = detect(folder)

    def resolve() -> Mapping[str, Resolution]:
        try:
            return resolve_all(models, hardware)
        except ConsentNeeded:
            raise
        except ServingError:  # the code that starts the engines reports it
            return {}

    asks = may_ask and is_at_terminal() and not is_allowed(FETCH, os.environ)
    agreed = asks and _ask_consent(resolve)
    with allow(*((FETCH,) if agreed else ())):
        if is_allowed(FETCH, os.environ):
            fetch_resolved(resolve())


def fetch_resolved(found: Mapping[str, Resolution]) -> None:
    """Fetch the resolved models that are on the hub, each once."""
    wanted = {
        one.profile.name: (one.profile, one.weights)
        for one in found.values()
        if one.profile and one.weights and one.weights.origin == "hub" and not one.weights.dummy
    }
    for profile, weights in wanted.values():
        fetch_with_progress(profile, weights)


def fetch_with_progress(profile: Profile, weights: Weights) -> Path:
    """Fetch the weights of a profile with a progress bar on standard error; return their folder."""
    return asyncio.run(_fetch_with_progress(profile, weights))


def is_at_terminal() -> bool:
    """Return whether a person can be asked: standard input and error are terminals."""
    return sys.stdin.isatty() and sys.stderr.isatty()


async def _fetch_with_progress(profile: Profile, weights: Weights) -> Path:
    if not sys.stderr.isatty():
        return await fetch_weights(profile, weights, print_line)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True))
    with bar:
        async with asyncio.TaskGroup() as group:
            showing = group.create_task(_update_bar(bar, profile, weights))
            try:
                return await fetch_weights(profile, weights)
            finally:
                showing.cancel()


async def _update_bar(bar: Progress, profile: Profile, weights: Weights) -> None:
    """Update the progress bar with the size of the model in the hub's cache."""
    kept = model_cache_folder(hub_cache(os.environ), weights.path)
    total = profile.weights_gib.value * GIB
    task = bar.add_task(weights.path, total=total)
    while True:
        held = await asyncio.to_thread(cache_size_gib, kept)
        bar.update(task, completed=min(held * GIB, total))
        await asyncio.sleep(_EVERY)


def _ask_consent(resolve: Callable[[], Mapping[str, Resolution]]) -> bool:
    """Return whether there are models to fetch and the user agrees."""
    while offers := _offers(resolve):
        if not typer.confirm(_question(offers), err=True):
            return False
        unknown = [one for one in offers if not one.gib]
        if not unknown:
            return True
        with allow(FETCH):
            for offer in unknown:
                hub_profile(offer.hub_id)
    return False


def _offers(resolve: Callable[[], Mapping[str, Resolution]]) -> list[DownloadOffer]:
    try:
        return [one.offer for one in resolve().values() if one.offer]
    except ConsentNeeded as needed:
        return [needed.offer]


def _question(offers: Sequence[DownloadOffer]) -> str:
    unknown = [one.hub_id for one in offers if not one.gib]
    if unknown:
        return f"Ask the hub how large {' and '.join(unknown)} is?"
    what = " and ".join(dict.fromkeys(f"{one.name}: {one.describe()}" for one in offers))
    return f"Fetch a real model, {what}?"
