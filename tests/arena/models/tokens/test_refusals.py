"""Templates that cannot be spelt message by message are refused when they are read."""

import json
from pathlib import Path

import pytest
from tokenizers import AddedToken

from arena.errors import ConfigError
from arena.models.tokens.chat_template import load_template
from arena.models.tokens.incremental_template import IncrementalTemplate
from arena.models.tokens.model_files import TemplateError
from arena.models.tokens.prompt_tokenizer import load_prompt_tokenizer
from arena.models.tokens.template_verification import verify_token_ids
from arena.models.tokens.tokenizer import load_tokenizer
from tests.arena.models.tokens.models import (
    CHAT,
    ENDLESS,
    FORGETS_THOUGHTS,
    GOOD,
    HINTS_ONCE,
    LAST_IS_MARKED,
    NUMBERED,
    NUMBERED_PICTURES,
    OPENS_A_THOUGHT,
    PLAIN_WORDS,
    START,
    TURN_BY_TURN,
    UPPER_ROLES,
    USERS_WITHOUT_TOKEN,
    make_folder,
    train,
    with_tokens,
)

REWRITES = "should leave earlier messages as they are"
NO_TOKEN = "should begin messages and end replies with a special token"
REFUSED = {
    "earlier thoughts are taken out": (FORGETS_THOUGHTS, REWRITES),
    "a thought is opened": (OPENS_A_THOUGHT, "should leave replies as they are returned"),
    "words divide": (PLAIN_WORDS, NO_TOKEN),
    "roles in capitals divide": (UPPER_ROLES, NO_TOKEN),
    "replies have no end": (ENDLESS, NO_TOKEN),
    "users begin with a word": (USERS_WITHOUT_TOKEN, NO_TOKEN),
    "a hint is given once": (HINTS_ONCE, REWRITES),
    "users must wait": (TURN_BY_TURN, "says: speak in turns"),
    "messages are numbered": (NUMBERED, REWRITES),
    "the last message is marked": (LAST_IS_MARKED, REWRITES),
    "pictures are numbered": (NUMBERED_PICTURES, REWRITES),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_template_is_refused_with_what_was_seen(tmp_path: Path, name: str) -> None:
    template, said = REFUSED[name]
    folder = make_folder(tmp_path / "some-model", template)
    with pytest.raises(TemplateError) as caught:
        load_prompt_tokenizer(folder)
    line = str(caught.value)
    assert said in line
    assert repr(str(folder)) in line
    assert "\n" not in line
    assert isinstance(caught.value, ConfigError)


@pytest.mark.parametrize("name", GOOD)
def test_a_template_whose_pieces_stand_alone_is_taken(tmp_path: Path, name: str) -> None:
    load_prompt_tokenizer(make_folder(tmp_path, GOOD[name]))


def test_what_reads_otherwise_is_quoted(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, FORGETS_THOUGHTS)
    with pytest.raises(TemplateError, match=r"<think>.* reads .*; use the chat endpoint"):
        load_prompt_tokenizer(folder)


def test_a_special_token_that_reaches_out_is_refused(tmp_path: Path) -> None:
    library = with_tokens(AddedToken(f"\n{START}", special=True, normalized=False))
    with pytest.raises(TemplateError, match="with a special token"):
        load_prompt_tokenizer(make_folder(tmp_path, library=library))


def test_other_tokens_than_those_of_the_whole_are_refused(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    pieces, tokenizer = IncrementalTemplate(load_template(folder)), load_tokenizer(folder)
    with pytest.raises(TemplateError, match="should give each message the tokens that it has in"):
        verify_token_ids(lambda messages: tokenizer.encode("no"), pieces, tokenizer, pictures=True)


def test_a_token_that_is_not_special_divides_no_messages(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, CHAT, library=train(metaspace="first"))
    load_prompt_tokenizer(folder)
    saved = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    for token in saved["added_tokens"]:
        token["special"] = token["content"] != START
    (folder / "tokenizer.json").write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(TemplateError, match="with a special token"):
        load_prompt_tokenizer(folder)
