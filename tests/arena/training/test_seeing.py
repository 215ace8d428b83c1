"""The picture encoder sees many pictures at once as it sees each alone."""

from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from PIL import Image
from tokenizers import Tokenizer

pytest.importorskip("torch")

import serving
from arena.training.architecture import make_model
from arena.training.seeing import MERGE, PATCH, TEMPORAL, group_pictures, see
from arena.training.untyped import Tensor, torch

pytestmark = pytest.mark.slow


@pytest.mark.slow
def test_pictures_seen_together_are_as_the_encoder_sees_each() -> None:
    folder = Path(serving.__file__).with_name("mini")
    model = make_model(Tokenizer.from_file(str(folder / "tokenizer.json")), 1)
    rng = Random(4)
    sizes = [(28, 28), (84, 28), (56, 56), (28 * 20, 28), (84, 56), (56, 28)]
    images = [Image.frombytes("RGB", size, rng.randbytes(3 * size[0] * size[1])) for size in sizes]
    with torch.no_grad():
        found = see(model.model.visual, group_pictures(images), "cpu")
        each = [see(model.model.visual, group_pictures([one]), "cpu") for one in images]
        theirs = [model.model.visual(*_as_transformers_does(one)).pooler_output for one in images]
    assert torch.allclose(found, torch.cat(each), atol=1e-5)
    assert torch.allclose(found, torch.cat(theirs), atol=1e-5)


def _as_transformers_does(image: Image.Image) -> tuple[Tensor, Tensor]:
    processor = import_module("transformers").Qwen2VLImageProcessor(
        patch_size=PATCH, merge_size=MERGE, temporal_patch_size=TEMPORAL,
        image_mean=[0.5] * 3, image_std=[0.5] * 3, do_resize=False,
    )  # fmt: skip
    made = processor(images=[image], return_tensors="pt")
    return made["pixel_values"], made["image_grid_thw"]
