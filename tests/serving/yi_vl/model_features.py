"""The model as an engine's workers build it, whole or split over two ranks."""

import os
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
from vllm.config import set_current_vllm_config
from vllm.distributed import init_distributed_environment, initialize_model_parallel
from vllm.engine.arg_utils import EngineArgs
from vllm.model_executor.model_loader import get_model_loader
from vllm.model_executor.model_loader.utils import initialize_model, process_weights_after_loading

SIDE = 448


def features(folder: str, *, meeting: str = "", ranks: int = 1, rank: int = 0) -> list[list[float]]:
    """Return for two pictures the sum over channels of every hundredth feature.

    `meeting` is the file where the ranks meet, needed for a process's first model.
    """
    config = EngineArgs(
        model=folder,
        config_format="yi_vl",
        tokenizer_mode="yi_vl",
        dtype="float32",
        enforce_eager=True,
        max_model_len=4096,
    ).create_engine_config()
    config.parallel_config.tensor_parallel_size = ranks
    with set_current_vllm_config(config):
        if meeting:
            init_distributed_environment(ranks, rank, meeting, rank, "gloo")
            initialize_model_parallel(ranks)
        model: Any = initialize_model(config)
        get_model_loader(config.load_config).load_weights(model, config.model_config)
        process_weights_after_loading(model, config.model_config, torch.device("cpu"))
        rng = torch.Generator().manual_seed(7)
        pixels = torch.randn(2, 3, SIDE, SIDE, generator=rng)
        with torch.inference_mode():
            seen = model.embed_multimodal(pixel_values=pixels)
            logits = model.compute_logits(torch.randn(3, model.config.text_config.hidden_size))
        if logits is not None:
            words = model.config.image_token_index
            assert logits[:, :words].isfinite().all()
            assert logits[:, words:].eq(-torch.inf).all()
            assert logits.shape[1] == words + 64
        assert {picture.shape[0] for picture in seen} == {1024}
        return [[round(float(x), 3) for x in picture.sum(-1)[::100]] for picture in seen]


def split_features(folder: str, meeting: Path) -> list[list[float]]:
    """Return the features of two processes that share the model, which meet at a new file.

    They are forks of this one, which must not have used PyTorch's threads.
    """
    # As an executor does, so that its workers find each other's memory, and no other's.
    memory = f"{meeting.name}-{os.getpid()}"
    os.environ["VLLM_DIST_IDENT"] = memory
    with get_context("fork").Pool(2) as ranks:
        rank_features = partial(_rank_features, folder, f"file://{meeting}")
        one, two = ranks.map(rank_features, range(2), chunksize=1)
    del os.environ["VLLM_DIST_IDENT"]
    # A fork ends without the destructors that would remove it.
    for left in Path("/dev/shm").glob(f"{memory}-*"):
        left.unlink()
    assert one == two
    return one


def _rank_features(folder: str, meeting: str, rank: int) -> list[list[float]]:
    return features(folder, meeting=meeting, ranks=2, rank=rank)
