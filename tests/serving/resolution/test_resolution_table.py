"""What `qwen`, `yi` and `hf:ORG/NAME` are on each kind of host, and the same table in docs/."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from serving.errors import ServingError
from serving.host.hardware import Hardware
from serving.hub.config_profile import HubFacts, compute_profile
from serving.model_files.profile import Profile
from serving.model_files.weights import Weights
from serving.resolution.consent import ConsentNeeded, DownloadOffer
from serving.resolution.name_resolution import resolve_name
from serving.resolution.resolution_types import ResolutionContext
from tests.serving.hosts import CPU, H200

DOCUMENT = Path(__file__).parents[3] / "docs" / "models.md"
HUB_ID = "org/model"
NAMES = ("qwen", "yi", f"hf:{HUB_ID}")
CONFIG = {
    "architectures": ["InternVLForConditionalGeneration"],
    "text_config": {
        "hidden_size": 896,
        "max_position_embeddings": 32_768,
        "num_attention_heads": 14,
        "num_hidden_layers": 24,
        "num_key_value_heads": 2,
    },
    "vision_config": {"image_size": 448, "patch_size": 28},
}
ANY = compute_profile(
    HubFacts(hub_id=HUB_ID, config=CONFIG, processor={}, weight_bytes=2 * 10**9, licence="mit")
)
"""What the files of any model of the hub say: a billion parameters."""


@dataclass(frozen=True)
class Place:
    """A host and where weights are: "here", on the "hub" (with or without consent), "nowhere"."""

    host: Hardware
    weights: str
    may_fetch: bool = False

    def weights_of(self, profile: Profile) -> Weights:
        if profile.bundled:
            return Weights(path="serving/mini", origin="bundled")
        if self.weights == "here" and not profile.stand_in:
            return Weights(path=f"/models/{profile.folder}", origin="folder")
        if self.weights == "hub" and not profile.stand_in:
            return Weights(path=profile.fetch_id, origin="hub")
        return Weights(path="", origin="none", note="looked in /models, and the hub is off")

    def profile_of(self, hub_id: str) -> Profile:
        if self.weights == "here" or self.may_fetch:
            return ANY
        if self.weights == "hub":
            offer = DownloadOffer(name=f"hf:{hub_id}", hub_id=hub_id)
            raise ConsentNeeded("`arena fetch hf:org/model` or --fetch asks the hub", offer)
        raise ServingError("no files of 'org/model' on this host, and the hub is off")

    def played(self, name: str) -> tuple[str, str]:
        """Return what plays as `name` and why; "nothing" where it is refused."""
        here = ResolutionContext(
            endpoints={},
            hardware=self.host,
            weights_of=self.weights_of,
            hub_reachable=lambda: True,
            profile_of=self.profile_of,
            may_fetch=self.may_fetch,
        )
        try:
            found = resolve_name(name, here)
        except ServingError as error:
            return "nothing", str(error)
        assert found.profile is not None
        return found.profile.name, found.why


FOUR_CORES = replace(CPU, cores=4)
PLACES: Mapping[str, Place] = {
    "GPU (H200), weights here": Place(H200, "here"),
    "GPU, hub with consent": Place(H200, "hub", may_fetch=True),
    "GPU, hub without consent": Place(H200, "hub"),
    "GPU, offline": Place(H200, "nowhere"),
    "4 CPU cores, weights here": Place(FOUR_CORES, "here"),
    "4 CPU cores, hub with consent": Place(FOUR_CORES, "hub", may_fetch=True),
    "4 CPU cores, hub without consent": Place(FOUR_CORES, "hub"),
    "4 CPU cores, offline": Place(FOUR_CORES, "nowhere"),
    "2 CPU cores, weights here": Place(CPU, "here"),
}
ANY_NAME = ANY.name
EXPECTED: Mapping[str, tuple[str, str, str]] = {
    "GPU (H200), weights here": ("qwen2.5-vl-72b-fp8", "yi-vl-34b", ANY_NAME),
    "GPU, hub with consent": ("qwen2.5-vl-72b-fp8", "yi-vl-34b", ANY_NAME),
    "GPU, hub without consent": ("mini", "mini", "nothing"),
    "GPU, offline": ("mini", "mini", "nothing"),
    "4 CPU cores, weights here": ("qwen3-vl-2b", "mini", ANY_NAME),
    "4 CPU cores, hub with consent": ("qwen3-vl-2b", "mini", ANY_NAME),
    "4 CPU cores, hub without consent": ("mini", "mini", "nothing"),
    "4 CPU cores, offline": ("mini", "mini", "nothing"),
    "2 CPU cores, weights here": ("mini", "mini", ANY_NAME),
}
SAID: Mapping[tuple[str, str], str] = {
    ("GPU (H200), weights here", "qwen"): "the largest profile that fits here and has weights in",
    ("GPU, hub with consent", "qwen"): "with 71 GiB to fetch from the hub",
    ("GPU, hub without consent", "qwen"): "`arena fetch qwen2.5-vl-72b-fp8` or --fetch gets a real",
    ("GPU, hub without consent", ANY_NAME): "`arena fetch hf:org/model` or --fetch",
    ("GPU, offline", "yi"): "the hub is off: the trained mini model on the GPU plays",
    ("4 CPU cores, weights here", "qwen"): "about 9 minutes for a short match",
    ("4 CPU cores, weights here", "yi"): "yi-vl-6b, whose weights are here, takes about 28 minutes",
    (
        "4 CPU cores, hub without consent",
        "qwen",
    ): "`arena fetch qwen3-vl-2b` or --fetch gets a real",
    ("4 CPU cores, hub without consent", "yi"): "`arena fetch yi-vl-6b` gets a real model (about",
    ("4 CPU cores, offline", ANY_NAME): "and the hub is off",
    ("2 CPU cores, weights here", "qwen"): "its own name, qwen3-vl-2b, plays it",
}


def rows() -> list[str]:
    """Return the rows of the table in docs/models.md."""
    return [
        f"| {place} | `{name}` | {played if played == 'nothing' else f'`{played}`'} | {why} |"
        for place, where in PLACES.items()
        for name in NAMES
        for played, why in [where.played(name)]
    ]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", NAMES)
def test_each_name_is_what_the_table_says_and_says_why(place: str, name: str) -> None:
    played, why = PLACES[place].played(name)
    assert played == EXPECTED[place][NAMES.index(name)]
    assert SAID.get((place, name), "") in why
    assert "\n" not in why
    if played == "mini":
        assert f"the trained mini model on the {'GPU' if 'GPU' in place else 'CPU'} plays" in why


def test_the_table_in_the_documentation_is_this_one() -> None:
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    start = lines.index("| --- | --- | --- | --- |") + 1
    assert lines[start : start + len(rows())] == rows()
