"""The weights of a profile, fetched from the hub and checked."""

import os
from pathlib import Path

from serving.consent import PICKLE, REMOTE_CODE, is_allowed
from serving.errors import EngineError
from serving.fetching import fetch, fetch_program
from serving.profile import Profile
from serving.supervise import Say
from serving.weights import Weights, fault_of, hub_cache


async def fetch_profile(profile: Profile, weights: Weights, say: Say = lambda line: None) -> Path:
    """Return the folder of the hub's cache with the weights of a profile, fetched if need be.

    Raises `EngineError` in one line where they cannot be fetched, or where what came is not whole.
    """
    pickled = is_allowed(PICKLE, os.environ)
    folder = await fetch(
        weights.path,
        fetch_program(pickled=pickled, code=is_allowed(REMOTE_CODE, os.environ)),
        cache=hub_cache(os.environ),
        gib=profile.weights_gib.value,
        say=say,
    )
    fault = fault_of(profile, folder, dummy=weights.dummy, pickled=pickled)
    if fault:
        raise EngineError(f"what the hub has as {weights.path!r} cannot be served: {fault}")
    return folder
