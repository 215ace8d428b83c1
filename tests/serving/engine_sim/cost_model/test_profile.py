"""Engine profiles: the files, the roofline behind some of them, and what is refused."""

from dataclasses import asdict

import pytest

from serving.engine_sim.cost_model.engine_profile import (
    list_engine_profiles,
    load_engine_profile,
    parse_engine_profile,
)
from serving.errors import ProfileError

GOOD = """
name = "small"
basis = "a test"
kv_tokens = 1_600
block = 16
max_batched_tokens = 256
max_seqs = 8
context_tokens = 1_024
"""

ROOFLINE = """
[terms]
token = 5.0e-6

[roofline]
layers = 2
hidden = 64
heads = 4
kv_heads = 2
head_dim = 16
intermediate = 128
vocabulary = 1000
tied = true
tower_bytes = 1.0
reserve_bytes = 1.0
picture_flops = 1.0
memory = 1.0e9
memory_share = 0.9
flops = 1.0e12
flops_share = 0.5
bandwidth = 1.0e11
bandwidth_share = 0.5
"""


def test_every_file_is_a_profile_of_its_name() -> None:
    assert {"cpu-stand-in", "instant", "h200-qwen2.5-vl-3b", "h200-qwen2.5-vl-7b"} <= set(
        list_engine_profiles()
    )
    for name in list_engine_profiles():
        assert load_engine_profile(name).name == name


def test_what_was_not_measured_says_so() -> None:
    for name in list_engine_profiles():
        if name.startswith("h200"):
            assert load_engine_profile(name).basis == "roofline, not measured"


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("h200-qwen2.5-vl-3b", 3_125_233),
        ("h200-qwen2.5-vl-7b", 1_851_099),
        ("h200-qwen2.5-vl-32b", 213_067),
    ],
)
def test_an_h200_holds_the_known_number_of_tokens(name: str, tokens: int) -> None:
    assert load_engine_profile(name).kv_tokens == tokens


def test_roofline_terms_are_those_of_the_arithmetic() -> None:
    terms = load_engine_profile("h200-qwen2.5-vl-7b").terms
    assert terms.token == pytest.approx(2 * 6.525e9 / (790e12 * 0.6), rel=0.01)
    assert terms.context == pytest.approx(57_344 / (4.3e12 * 0.8))
    assert terms.picture * 1_000 == pytest.approx(5.4e12 / (790e12 * 0.6))
    assert terms.step == 1e-3
    assert terms.tokenise * 1_000 == pytest.approx(3e-3)


def test_a_term_that_is_given_goes_before_the_roofline() -> None:
    text = GOOD.replace("kv_tokens = 1_600\n", "") + ROOFLINE
    profile = parse_engine_profile(text, "here")
    assert profile.terms.token == 5e-6
    assert profile.terms.context == pytest.approx(2 * 2 * 2 * 16 * 2 / 5e10)
    assert profile.kv_tokens > 1_000_000


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("kv_tokens = 1_600\n", ""), "wanted kv_tokens or a table"),
        (("kv_tokens = 1_600", "kv_tokens = 31"), "fewer than 2 blocks"),
        (("block = 16", "block = 0"), "'block'"),
        (('basis = "a test"', 'basis = ""'), "'basis'"),
        (("block = 16", "blok = 16"), "'block'"),
        (("name =", "name"), "not TOML"),
    ],
)
def test_a_broken_profile_names_its_fault(change: tuple[str, str], said: str) -> None:
    with pytest.raises(ProfileError, match=said):
        parse_engine_profile(GOOD.replace(*change), "here")


def test_an_unknown_profile_lists_what_there_is() -> None:
    with pytest.raises(ProfileError, match="instant"):
        load_engine_profile("h300")


def test_terms_are_free_where_none_are_given() -> None:
    profile = parse_engine_profile(GOOD, "here")
    assert set(asdict(profile.terms).values()) == {0.0}
    assert profile.blocks == 100
    assert profile.encoder_tokens == 256
