"""Reference model, run in a child process as in the parity check: transformers needs the shim."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from serving.standin.standin_cache import SHIM

pytestmark = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("transformers") is None,
    reason="no torch and transformers in this environment",
)

PROGRAM = """
import json, sys
from pathlib import Path
import torch
from PIL import Image
from serving.yi_vl.checkpoints.writer import write_checkpoint
from serving.yi_vl.parity.prompt_cases import draw_picture
from serving.yi_vl.parity.reference_model import ReferenceModel, flatten, pad_to_square

place = Path(sys.argv[1])
PROMPT = "Look.\\n\\n### Human: <image_placeholder>\\nWhat is it?\\n### Assistant:"
pictures = [draw_picture("wide")]

def made(name, **how):
    return write_checkpoint(place / name, **how)

published = made("published", layout="published", sharded=True)
reference = ReferenceModel(published)
reply = reference.generate_greedy(PROMPT, pictures, 8)
results = {"tokens": reply.tokens, "sums": float(reply.rows.exp().sum(1).sub(1).abs().max())}

def apart(rows):
    width = min(rows.shape[1], reply.rows.shape[1])
    return float((rows[:, :width] - reply.rows[:, :width]).abs().max())

results["scored"] = apart(reference.score(PROMPT, pictures, reply.tokens))
results["no norms"] = apart(
    ReferenceModel(published, norms=False).score(PROMPT, pictures, reply.tokens))
results["another picture"] = apart(reference.score(PROMPT, [draw_picture("tall")], reply.tokens))
results["bfloat16"] = apart(
    ReferenceModel(published, dtype="bfloat16").score(PROMPT, pictures, reply.tokens))

whole = made("clip", layout="published", pickled=True)
tower = next(whole.glob("vit/*/config.json"))
tower.write_text(json.dumps({"model_type": "clip", "vision_config": json.loads(tower.read_text())}))
others = {
    "converted": made("converted", layout="converted"),
    "newer": made("newer", layout="converted", newer_names=True, sharded=True),
    "pickled, a whole CLIP's configuration": whole,
}
results["others"] = {}
for name, folder in others.items():
    other = ReferenceModel(folder).generate_greedy(PROMPT, pictures, 8)
    results["others"][name] = [other.tokens == reply.tokens, apart(other.rows)]

features = reference.features(pictures[0])
results["features"] = list(features.shape)
tower = reference.tower
inner = getattr(tower, "vision_model", tower)
with torch.inference_mode():
    state = inner.pre_layrnorm(inner.embeddings(reference.pixels(pictures[0])[None]))
    for layer in inner.encoder.layers[:-1]:
        state = layer(state, attention_mask=None)
        state = state[0] if isinstance(state, tuple) else state
    by_hand = reference.projector(state[0, 1:])
results["by hand"] = float((features - by_hand).abs().max())

chunks = reference.tokenise_chunks("the <image_placeholder> captain<image_placeholder>")
alone = [reference.tokenizer.encode(text).ids for text in ("the ", " captain", "")]
results["chunks"] = [chunks, alone]

square = pad_to_square(Image.new("RGB", (40, 11), (9, 8, 7)), [0.48145466, 0.4578275, 0.40821073])
results["square"] = [square.size, [square.getpixel((20, y)) for y in (13, 14, 24, 25)]]
glass = Image.new("RGBA", (2, 1), (10, 20, 30, 0))
glass.putpixel((1, 0), (10, 20, 30, 255))
results["glass"] = [flatten(glass).getpixel((x, 0)) for x in (0, 1)]
results["grey"] = reference.pixels(draw_picture("strip")).shape
try:
    reference.generate_greedy(PROMPT, [], 1)
except ValueError as error:
    results["refused"] = str(error)
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("reference"))],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(SHIM), str(SHIM.parent.parent)]),
            "HF_HUB_OFFLINE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_a_reply_is_the_likeliest_tokens_with_the_logarithms_of_probabilities(
    results: dict[str, Any],
) -> None:
    assert len(results["tokens"]) == 8
    assert len(set(results["tokens"])) > 3
    assert results["sums"] < 1e-4


@pytest.mark.slow
def test_a_reply_that_is_given_scores_as_it_did_when_it_was_generated(
    results: dict[str, Any],
) -> None:
    assert results["scored"] < 1e-4


@pytest.mark.slow
def test_the_norms_of_the_projector_the_picture_and_the_precision_all_show(
    results: dict[str, Any],
) -> None:
    assert results["no norms"] > 1
    assert results["another picture"] > 1
    assert 1e-3 < results["bfloat16"] < 1


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["converted", "newer", "pickled, a whole CLIP's configuration"])
def test_each_layout_gives_the_same(results: dict[str, Any], layout: str) -> None:
    same, apart = results["others"][layout]
    assert same
    assert apart < 1e-4


@pytest.mark.slow
def test_a_picture_has_1024_features_of_the_last_layer_but_one(results: dict[str, Any]) -> None:
    assert results["features"] == [1024, 128]
    assert results["by hand"] < 1e-4


@pytest.mark.slow
def test_each_text_between_pictures_is_tokenised_alone(results: dict[str, Any]) -> None:
    chunks, alone = results["chunks"]
    assert chunks == alone
    assert chunks[-1] == []


@pytest.mark.slow
def test_a_picture_stands_in_the_middle_of_a_square_of_the_mean_colour(
    results: dict[str, Any],
) -> None:
    size, column = results["square"]
    mean, own = [122, 116, 104], [9, 8, 7]
    assert size == [40, 40]
    assert column == [mean, own, own, mean]


@pytest.mark.slow
def test_what_is_transparent_is_white_and_grey_has_three_channels(results: dict[str, Any]) -> None:
    assert results["glass"] == [[255, 255, 255], [10, 20, 30]]
    assert results["grey"] == [3, 448, 448]


@pytest.mark.slow
def test_a_prompt_with_a_picture_too_few_is_refused(results: dict[str, Any]) -> None:
    assert results["refused"] == "expected a picture for each of 1 '<image_placeholder>', got 0"
