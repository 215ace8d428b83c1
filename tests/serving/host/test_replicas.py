"""Engines of several models on one host: every model gets GPUs, and none stays idle."""

import pytest

from serving.errors import ServingError
from serving.host.replica_plan import plan_replicas
from serving.model_files.profile import load_profiles
from tests.serving.hosts import (
    CPU,
    EIGHT_H200,
    H200,
    TWO_A100,
)

PROFILES = load_profiles()
SMALL, LARGE = PROFILES["qwen2.5-vl-7b"], PROFILES["qwen2.5-vl-72b"]


def test_one_small_model_has_an_engine_on_every_gpu() -> None:
    found = plan_replicas([SMALL], EIGHT_H200)[SMALL.name]
    assert sorted(gpu for share in found for gpu in share.gpus) == list(range(8))
    assert len(found) == 8


def test_a_large_model_has_groups_and_a_small_one_the_rest() -> None:
    found = plan_replicas([SMALL, LARGE], EIGHT_H200)
    used = [gpu for shares in found.values() for share in shares for gpu in share.gpus]
    assert sorted(used) == list(range(8))
    assert all(len(share.gpus) >= LARGE.tensor_parallel for share in found[LARGE.name])
    assert len(found[LARGE.name]) >= 1
    assert len(found[SMALL.name]) >= 2


def test_two_models_share_one_gpu_and_a_cpu_has_one_engine_of_each() -> None:
    two = [PROFILES["stand-in"], SMALL]
    for models, host in ((two, H200), ([PROFILES["stand-in"], PROFILES["qwen2.5-vl-3b"]], CPU)):
        found = plan_replicas(models, host)
        assert [*found] == [one.name for one in models]
        assert [len(shares) for shares in found.values()] == [1, 1]


def test_more_models_than_gpus_are_refused() -> None:
    models = [PROFILES[name] for name in ("qwen2.5-vl-7b", "yi-vl-6b", "qwen2.5-vl-3b")]
    with pytest.raises(ServingError, match=r"3 models need a GPU each, but .* has 2"):
        plan_replicas(models, TWO_A100)
