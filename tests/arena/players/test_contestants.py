"""Contestants are read as the command line writes them, and what is unknown is named."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.players.baselines import FirstPlayer
from arena.players.contestants import Contestant, read_contestant
from arena.players.naive import NaivePlayer
from arena.players.player_registry import all_players, option_names
from arena.players.prompting import PromptingOptions
from arena.players.roster import (
    check_player,
    limits_of,
    make_player,
    never_votes,
    prompting_of,
    prompting_options,
)
from tests.arena.players.context.stage import SmallModel, board, make_limits


@pytest.mark.parametrize(
    ("text", "model", "player", "options"),
    [
        ("qwen", "qwen", "direct", {}),
        ("qwen+cot", "qwen", "cot", {}),
        ("qwen:temperature=0", "qwen", "direct", {"temperature": "0"}),
        (
            "yi+cot:temperature=1,keep_thought=no",
            "yi",
            "cot",
            {"temperature": "1", "keep_thought": "no"},
        ),
        (
            "m+thinkthrice:parts=mr+sr+sv1,tries=3",
            "m",
            "thinkthrice",
            {"parts": "mr+sr+sv1", "tries": "3"},
        ),
        ("hf:Org/Model-1.5_B", "hf:Org/Model-1.5_B", "direct", {}),
        ("hf:org/model+cot:temperature=0", "hf:org/model", "cot", {"temperature": "0"}),
        ("hf:org/model:temperature=0", "hf:org/model", "direct", {"temperature": "0"}),
        ("naive", None, "naive", {}),
        ("naive:votes=random", None, "naive", {"votes": "random"}),
        ("random:guilty", None, "random", {"guilty": "yes"}),
        ("http://h:8000/v1", "http://h:8000/v1", "direct", {}),
        ("http://h:8000/v1#org/model:7b+cot", "http://h:8000/v1#org/model:7b", "cot", {}),
        (
            "http://h:8000/v1#m+direct:temperature=1",
            "http://h:8000/v1#m",
            "direct",
            {"temperature": "1"},
        ),
        ("https://h/v1+cot", "https://h/v1", "cot", {}),
    ],
)
def test_a_contestant_is_model_player_and_options(
    text: str, model: str | None, player: str, options: dict[str, str]
) -> None:
    found = read_contestant(text)
    assert (found.model, found.player, dict(found.options)) == (model, player, options)
    assert found.name == text


def test_options_reach_the_player() -> None:
    naive = read_contestant("naive:top_k=5,min_score=1.5,confess=off,share")
    assert check_player(naive) == NaivePlayer(top_k=5, min_score=1.5, confess="off", share=True)
    assert make_player(naive, None, None) == check_player(naive)
    cot = read_contestant("m+cot:keep_thought=no,temperature=0.2")
    wanted = PromptingOptions(thought=True, keep_thought=False, temperature=0.2)
    assert check_player(cot) == prompting_options(cot) == wanted
    assert prompting_options(naive) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("m+cot:keep_thought=1", "one of yes, no"),
        ("m+direct:keep_thought=no", "no option 'keep_thought'"),
        ("m:temperature=-1", "temperature must be in"),
        ("m:temperature=hot", "wants a number"),
        ("m:picture_mode=video", "one of inline, notes, board"),
        ("m:overflow=forget", "one of retrieve, summarise, drop_oldest"),
        ("m:context_budget=much", "wants a number"),
        ("m:context_budget=-1", "context_budget must be >= 0"),
        ("naive:share=perhaps", "one of yes, no"),
        ("naive:votes=random,votes=never", "twice"),
        ("+cot", "needs a model"),
        ("", "got nothing"),
        ("m+cott", "did you mean 'cot'"),
        ("m+naive", "needs no model"),
        ("random+cot", r"'random' takes no model and no method; .* 'random' or 'MODEL\+cot'"),
    ],
)
def test_a_wrong_contestant_is_named(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):  # noqa: PT012 - either may find it
        contestant = read_contestant(text)
        check_player(contestant)


def test_a_player_that_needs_a_model_is_not_made_without_one() -> None:
    with pytest.raises(ConfigError, match="needs a model"):
        check_player(Contestant(name="cot", model=None, player="cot"))


@pytest.mark.parametrize("name", all_players())
def test_every_player_can_be_made_and_has_option_names(name: str) -> None:
    kind = all_players()[name]
    contestant = Contestant(name=name, model="m" if kind.needs_model else None, player=name)
    check_player(contestant)
    assert "cot" not in option_names(kind)
    model, limits = (SmallModel(), make_limits()) if kind.needs_model else (None, None)
    assert make_player(contestant, model, limits) is not None


def test_naive_murderers_are_left_out_of_the_electorate() -> None:
    votes = {text: not never_votes(read_contestant(text)) for text in (
        "naive", "naive:votes=random", "naive-data", "random", "qwen"
    )}  # fmt: skip
    assert votes == {
        "naive": False,
        "naive:votes=random": True,
        "naive-data": False,
        "random": True,
        "qwen": True,
    }


def test_options_of_a_contestant_take_precedence_over_those_of_its_model() -> None:
    plain = limits_of(read_contestant("m"), make_limits(context=8192))
    assert (plain.picture_mode, plain.overflow, plain.context_budget) == (
        "inline",
        "drop_oldest",
        0,
    )
    profile = make_limits(
        context=4096, picture_mode="notes", overflow="summarise", context_budget=3000
    )
    assert limits_of(read_contestant("m+cot"), profile).overflow == "summarise"
    text = "m+cot:picture_mode=board,overflow=retrieve,context_budget=2000"
    asked = limits_of(read_contestant(text), replace(profile, compose=board))
    assert (asked.picture_mode, asked.overflow, asked.context_budget, asked.reply_tokens) == (
        "board",
        "retrieve",
        2000,
        500,
    )


def test_no_reply_is_longer_than_its_model_allows() -> None:
    limits = replace(make_limits(), reply_tokens=100)
    for text, tokens in (("m:reply_tokens=50", 50), ("m:reply_tokens=500", 100)):
        assert prompting_of(read_contestant(text), limits).options.reply_tokens == tokens


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("m:context_budget=5000", "context_budget of 5000 .* context of 4096; choose 4096 or less"),
        ("m:picture_mode=board", "nothing here can compose"),
    ],
)
def test_what_a_model_cannot_do_is_refused_at_the_start(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make_player(read_contestant(text), SmallModel(), make_limits())


PACKAGE = """
from dataclasses import dataclass
from arena.players.player_registry import PlainKind
from arena.players.baselines import FirstPlayer

QUIET = PlainKind(about="from a package", options=FirstPlayer(), make=lambda options: options)
WRONG = "no kind"
"""


Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return what installs a package with one entry point, for the time of a test."""

    def add(point: str) -> None:
        (tmp_path / "some_players.py").write_text(PACKAGE, encoding="utf-8")
        info = tmp_path / "some_players-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-players\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[murder_arena.players]\n{point}\n")
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
        all_players.cache_clear()

    yield add
    all_players.cache_clear()


def test_an_installed_package_adds_a_player(install: Install) -> None:
    install("quiet = some_players:QUIET")
    contestant = read_contestant("quiet")
    assert contestant.model is None
    assert make_player(contestant, None, None) == FirstPlayer()


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("naive = some_players:QUIET", "second player named 'naive'"),
        ("quiet = some_players:NOTHING", "cannot be loaded"),
        ("quiet = some_players:WRONG", "must be a PlainKind or a ModelKind, got str"),
    ],
)
def test_a_package_at_fault_is_named(install: Install, point: str, said: str) -> None:
    install(point)
    with pytest.raises(ConfigError, match=said):
        all_players()
