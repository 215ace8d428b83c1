"""Download a profile's weights from the hub and check them."""

import os
from pathlib import Path

from serving.errors import EngineError
from serving.hub.hub_download import fetch_args, fetch_model
from serving.model_files.profile import Profile
from serving.model_files.weights import Weights, hub_cache, weights_problem
from serving.process.supervisor import LogLine
from serving.resolution.consent import PICKLE, REMOTE_CODE, is_allowed


async def fetch_weights(
    profile: Profile, weights: Weights, say: LogLine = lambda line: None
) -> Path:
    """Return the folder of a profile's weights in the hub's cache; download missing files.

    Raises `EngineError` with one line if the download fails or is incomplete.
    """
    pickled = is_allowed(PICKLE, os.environ)
    folder = await fetch_model(
        weights.path,
        fetch_args(pickled=pickled, code=is_allowed(REMOTE_CODE, os.environ)),
        cache=hub_cache(os.environ),
        gib=profile.weights_gib.value,
        say=say,
    )
    fault = weights_problem(profile, folder, dummy=weights.dummy, pickled=pickled)
    if fault:
        raise EngineError(f"the hub's {weights.path!r} cannot be served: {fault}")
    return folder
