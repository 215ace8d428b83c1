"""Contestants are read as DESIGN 4 says, and what is not there is named."""

from dataclasses import replace

import pytest

from arena.errors import ConfigError
from arena.players.contestants import Contestant, read_contestant
from arena.players.naive import NaivePlayer
from arena.players.roster import (
    PLAYERS,
    check_player,
    make_player,
    means_of,
    never_votes,
    option_names,
)
from arena.players.style import Style
from tests.players.fitting.stage import SmallModel, board, means


@pytest.mark.parametrize(
    ("text", "model", "player", "options"),
    [
        ("qwen", "qwen", "direct", {}),
        ("qwen+cot", "qwen", "cot", {}),
        ("qwen:temperature=0", "qwen", "direct", {"temperature": "0"}),
        (
            "yi+cot:cot_calls=1,keep_thought=no",
            "yi",
            "cot",
            {"cot_calls": "1", "keep_thought": "no"},
        ),
        (
            "m+thinkthrice:parts=mr+sr+sv1,tries=3",
            "m",
            "thinkthrice",
            {"parts": "mr+sr+sv1", "tries": "3"},
        ),
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
    assert check_player(read_contestant("naive:top_k=5,confess=off")) == NaivePlayer(
        top_k=5, confess="off"
    )
    assert check_player(read_contestant("m+cot:cot_calls=1,temperature=0.2")) == Style(
        cot=True, cot_calls=1, temperature=0.2
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("m+cot:cot_calls=3", "one of 1, 2"),
        ("m+direct:cot_calls=1", "no option 'cot_calls'"),
        ("m:temperature=-1", "temperature must be in"),
        ("m:temperature=hot", "wants a number"),
        ("m:picture_mode=video", "one of inline, notes, board"),
        ("m:overflow=forget", "one of retrieve, summarise, drop_oldest"),
        ("m:context_budget=much", "wants a number"),
        ("m:context_budget=-1", "context_budget must be >= 0"),
        ("naive:votes=random,votes=never", "twice"),
        ("+cot", "needs a model"),
    ],
)
def test_a_wrong_option_is_named(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):  # noqa: PT012 - either may find it
        contestant = read_contestant(text)
        check_player(contestant)


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_can_be_made_and_tells_its_options(name: str) -> None:
    kind = PLAYERS[name]
    contestant = Contestant(name=name, model="m" if kind.needs_model else None, player=name)
    check_player(contestant)
    assert "cot" not in option_names(kind)
    if not kind.needs_model:
        assert make_player(contestant, None, None) is not None


def test_naive_murderers_stand_outside_the_electorate() -> None:
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


def test_a_seat_is_told_things_as_its_options_say_or_else_as_its_model_wants() -> None:
    plain = means_of(read_contestant("m"), means(context=8192))
    assert (plain.picture_mode, plain.overflow, plain.context_budget) == (
        "inline",
        "drop_oldest",
        0,
    )
    profile = means(context=4096, picture_mode="notes", overflow="summarise", context_budget=3000)
    assert means_of(read_contestant("m+cot"), profile).overflow == "summarise"
    text = "m+cot:picture_mode=board,overflow=retrieve,context_budget=2000"
    asked = means_of(read_contestant(text), replace(profile, compose=board))
    assert (asked.picture_mode, asked.overflow, asked.context_budget, asked.reply_tokens) == (
        "board",
        "retrieve",
        2000,
        500,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("m:context_budget=5000", "context_budget of 5000 .* context of 4096; choose 4096 or less"),
        ("m:picture_mode=board", "nothing here can compose"),
    ],
)
def test_what_a_model_cannot_do_is_refused_at_the_start(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make_player(read_contestant(text), SmallModel(), means())
