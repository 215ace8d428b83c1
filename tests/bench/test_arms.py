"""What the arms are, and which of them a server can serve."""

from dataclasses import asdict

import pytest

from arena.bench.arms import ARMS, OURS, chosen, lack
from arena.bench.wires import Facts, Feature
from arena.errors import ConfigError

NAMES = (
    "open_trie",
    "open_random",
    "static_best",
    "sequential",
    "sequential_volatile",
    "gather_32",
    "gather_128",
    "ours",
    "ours_without_admission",
    "ours_without_order",
    "ours_without_media_once",
    "ours_without_token_in",
    "ours_without_priority",
    "ours_without_parallel_asks",
)
ALL: frozenset[Feature] = frozenset(
    {"capacity", "token_in", "chat", "media_once", "priority", "pictures"}
)


def facts(features: frozenset[Feature]) -> Facts:
    return Facts(name="a model", engine="an engine", features=features)


def test_the_arms_are_those_that_reports_name() -> None:
    assert tuple(ARMS) == NAMES
    assert all(name == arm.name for name, arm in ARMS.items())


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("ours_without_admission", "live"),
        ("ours_without_order", "order"),
        ("ours_without_media_once", "media_once"),
        ("ours_without_token_in", "token_in"),
        ("ours_without_priority", "priority"),
        ("ours_without_parallel_asks", "parallel"),
    ],
)
def test_an_ablation_differs_from_ours_in_its_one_part(name: str, part: str) -> None:
    ours, other = asdict(ARMS[OURS]), asdict(ARMS[name])
    differing = {key for key in ours if ours[key] != other[key]}
    assert differing - {"name", "about", "needs"} == {part}


def test_the_volatile_arm_differs_from_the_sequential_in_the_layout_alone() -> None:
    plain, other = asdict(ARMS["sequential"]), asdict(ARMS["sequential_volatile"])
    assert {key for key in plain if plain[key] != other[key]} == {"name", "about", "volatile"}


def test_no_name_means_all_arms_and_names_come_in_the_order_of_the_table() -> None:
    assert [arm.name for arm in chosen(())] == list(NAMES)
    assert [arm.name for arm in chosen(("ours", "sequential"))] == ["sequential", "ours"]


def test_an_unknown_arm_is_answered_with_all_that_there_are() -> None:
    with pytest.raises(ConfigError, match=r"no arm 'theirs'; there are: open_trie, .*asks$"):
        chosen(("ours", "theirs"))


def test_a_server_that_has_everything_lacks_nothing() -> None:
    assert {lack(arm, facts(ALL)) for arm in ARMS.values()} == {""}


@pytest.mark.parametrize(
    ("missing", "arms", "said"),
    [
        ("token_in", {"ours_without_token_in"}, "token ids"),
        ("media_once", {"ours_without_media_once"}, "uuid"),
        ("pictures", {"ours_without_media_once"}, "no pictures"),
        ("priority", {"ours_without_priority"}, "priorities"),
        ("capacity", {name for name in NAMES if name.startswith("ours")}, "KV capacity"),
    ],
)
def test_what_a_server_lacks_skips_the_arms_that_need_it_and_says_so(
    missing: Feature, arms: set[str], said: str
) -> None:
    lacking = {name: lack(arm, facts(ALL - {missing})) for name, arm in ARMS.items()}
    assert {name for name, why in lacking.items() if why} == arms
    assert all(said in lacking[name] for name in arms)
