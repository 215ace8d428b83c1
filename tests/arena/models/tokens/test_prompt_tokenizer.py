import json
import time
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.models.chat import Message
from arena.models.tokens.chat_template import ChatTemplate, load_template
from arena.models.tokens.incremental_template import IncrementalTemplate
from arena.models.tokens.model_files import TemplateError
from arena.models.tokens.placeholder import find_placeholder
from arena.models.tokens.prompt_tokenizer import IncrementalPromptTokenizer, load_prompt_tokenizer
from arena.models.tokens.tokenizer import Tokenizer, load_tokenizer
from serving.standin.standin_cache import standin_folder
from tests.arena.models.tokens.models import (
    CHAT,
    END,
    GOOD,
    IMAGE,
    KNIFE,
    LETTER,
    SPECIAL,
    STOP,
    STRINGS,
    TRIMMED,
    make_folder,
    reply,
    system,
    train,
    user,
)

MODELS = ("stand-in", *GOOD, "words, first", "words, always")


@cache
def folder(name: str) -> Path:
    if name == "stand-in":
        return standin_folder()
    place = Path(mkdtemp(prefix="tokens-"))
    if name.startswith("words"):
        return make_folder(place, CHAT, library=train(metaspace=name.split(", ")[1]))
    return make_folder(place, GOOD[name])


@cache
def parts(name: str) -> tuple[IncrementalPromptTokenizer, ChatTemplate, Tokenizer]:
    place = folder(name)
    return load_prompt_tokenizer(place), load_template(place), load_tokenizer(place)


def of_picture(name: str) -> tuple[int, str]:
    text = "<|image_pad|>" if name == "stand-in" else IMAGE
    id_ = parts(name)[2].special_id(text)
    assert id_ is not None
    return id_, text


def of_end(name: str) -> int:
    id_ = parts(name)[2].special_id("<|im_end|>" if name == "stand-in" else END)
    assert id_ is not None
    return id_


BITS = st.sampled_from(
    (
        *(word for word in SPECIAL if word != IMAGE),
        *("<|im_start|>", "<|im_end|>", "<|im_", "<|fro", "|>", "<", "from|>", "</think>"),
        *("谁在花园里", "？", "\U0001f56f", "\U0001f468\u200d\U0001f469", "e\u0301", "\u0338"),
        *("\n", "\n\n\n", " ", "\t", "\r\n", "\u3000", "\x00", "▁", "The garden", "system", "it's"),
    )
)
TEXTS = st.one_of(st.text(max_size=12), st.lists(BITS, max_size=6).map("".join))
PICTURES = st.sampled_from((None, None, LETTER, KNIFE))


@st.composite
def talks(draw: st.DrawFn, *, pictures: bool, ids: bool, words: int) -> tuple[Message, ...]:
    def heard() -> Message:
        return user(draw(TEXTS), draw(PICTURES) if pictures else None)

    def answered() -> Message:
        tokens: list[int] = []
        if ids:
            tokens = draw(st.lists(st.integers(7, words - 1), max_size=5))
            tokens += draw(st.sampled_from(([], [0], [1], [2], [2, 2])))
        return reply(draw(TEXTS), *tokens)

    talk = [system(draw(TEXTS))] if draw(st.booleans()) else []
    talk.append(heard())
    further = (draw(st.booleans()) for _ in range(draw(st.integers(0, 5))))
    return (*talk, *(answered() if replied else heard() for replied in further))


def talk_with(name: str, data: st.DataObject, *, ids: bool) -> tuple[Message, ...]:
    return data.draw(talks(pictures=name not in STRINGS, ids=ids, words=200))


def is_canonical(name: str, message: Message) -> bool:
    """Tell whether a reply's first word stands apart from what opens it, as the model saw it."""
    _, template, tokenizer = parts(name)
    asked = template.render((user("x"),), opened=True)
    whole = template.render((user("x"), message), opened=False)
    ids = tokenizer.encode(asked)
    return tokenizer.encode(whole)[: len(ids)] == ids


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@settings(deadline=None)
@given(data=st.data())
def test_a_prompt_has_the_tokens_of_the_rendered_whole(name: str, data: st.DataObject) -> None:
    speller, template, tokenizer = parts(name)
    talk = tuple(
        message
        for message in talk_with(name, data, ids=False)
        if message.role != "assistant" or is_canonical(name, message)
    )
    assert speller.encode(talk).ids == tokenizer.encode(template.render(talk, opened=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@settings(deadline=None)
@given(data=st.data())
def test_a_prompt_begins_with_the_prompt_and_the_reply_before(
    name: str, data: st.DataObject
) -> None:
    speller, _, _ = parts(name)
    talk = talk_with(name, data, ids=True)
    whole = speller.encode(talk).ids
    for spoken in range(1, len(talk)):
        message = talk[spoken]
        if message.role != "assistant":
            continue
        before = speller.encode(talk[:spoken]).ids
        after = speller.encode(talk[: spoken + 1]).ids
        said = before + array("I", message.ids)
        assert whole[: len(said)] == said
        assert after[: len(said)] == said
        if message.ids:
            # Only the end of the turn stands between the reply and the next opening.
            end = of_end(name)
            assert after[len(said) :].count(end) == (0 if message.ids[-1] == end else 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@settings(deadline=None)
@given(data=st.data())
def test_the_ids_are_also_there_as_json_and_pictures_in_their_places(
    name: str, data: st.DataObject
) -> None:
    speller = parts(name)[0]
    picture, word = of_picture(name)
    talk = talk_with(name, data, ids=True)
    talk = (*talk, user(f"a {word} {word}"), reply("x", 40, picture, 41), reply(f"{word}!"))
    spelling = speller.encode(talk)
    assert json.loads(b"[" + spelling.text + b"]") == list(spelling.ids)
    assert spelling.pictures == tuple(m.picture for m in talk if m.picture)
    places = [at for at, id_ in enumerate(spelling.ids) if id_ == picture]
    assert spelling.picture_indices == tuple(places)


def test_a_reply_without_its_tokens_never_melts_into_what_opens_it() -> None:
    speller, _, tokenizer = parts("chat")
    asked = (user("Who?"),)
    spelt = speller.encode((*asked, reply("\n\nHe."))).ids
    opening = speller.encode(asked).ids
    assert spelt[: len(opening)] == opening
    assert tokenizer.decode(spelt).endswith("assistant\n\n\nHe.<|over|>\n<|from|>assistant\n")
    assert not is_canonical("chat", reply("\n\nHe."))


@pytest.mark.parametrize(
    ("tail", "added"),
    [((), 2), ((2,), 1), ((0,), 2), ((2, 0), 2), ((2, 2), 1), ((2, -1), 0), ((-1,), 2)],
)
def test_what_ends_a_turn_is_added_as_far_as_the_reply_lacks_it(
    tail: tuple[int, ...], added: int
) -> None:
    speller, _, tokenizer = parts("chat")
    assert (tokenizer.special_id(STOP), tokenizer.special_id(END)) == (0, 2)
    newline = tokenizer.encode("\n")[0]
    ids = (50, 51, *(newline if id_ < 0 else id_ for id_ in tail))
    asked = (user("Who?"),)
    opening = len(speller.encode(asked).ids)
    whole = speller.encode((*asked, reply("He", *ids), user("No"))).ids
    rest = whole[opening + len(ids) :]
    assert rest[added] == tokenizer.special_id("<|from|>")
    assert list(rest[:added]) == [2, newline][2 - added :]


def test_replies_of_the_same_words_keep_their_own_tokens() -> None:
    speller = parts("chat")[0]
    talk = (user("Who?"), reply("He", 70, 71), user("Who?"), reply("He", 72, 2), user("Who?"))
    talk = (*talk, reply("He"))
    ids = list(speller.encode(talk).ids)
    assert ids.index(70) < ids.index(72)
    assert speller.encode((user("Who?"), reply("He", 72, 2))).ids.count(72) == 1


def test_a_picture_counts_as_the_tokens_that_the_server_makes_of_it() -> None:
    speller = parts("chat")[0]
    talk = (system("Rules"), user("Look", LETTER), user("", KNIFE), reply("A knife", 60, 2))
    tokens = {LETTER: 12, KNIFE: 5}
    expected = len(speller.encode(talk).ids) + 11 + 4
    assert speller.count(talk, tokens.__getitem__) == expected


def test_a_picture_is_refused_where_the_template_shows_none() -> None:
    speller = parts("trimmed")[0]
    with pytest.raises(TemplateError, match="it takes no pictures"):
        speller.encode((user("Look", LETTER),))


def test_a_prompt_without_messages_is_refused() -> None:
    with pytest.raises(TemplateError, match="must contain messages"):
        parts("chat")[0].encode(())


@pytest.mark.parametrize("key", ["image_token_id", "image_token_index"])
def test_the_placeholder_is_the_token_that_the_configuration_names(
    tmp_path: Path, key: str
) -> None:
    # Three new tokens stand where the picture does; only the configuration tells them apart.
    make_folder(tmp_path)
    (tmp_path / "config.json").unlink()
    assert not spelt_picture(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({key: 5}))
    assert spelt_picture(tmp_path) == [5]


def spelt_picture(place: Path) -> list[int]:
    try:
        spelling = load_prompt_tokenizer(place).encode((user("Look", LETTER),))
    except TemplateError:
        return []
    return [spelling.ids[place] for place in spelling.picture_indices]


class CountingTokenizer(Tokenizer):
    """Counts what it tokenises."""

    seen = 0

    def ids(self, text: str) -> "array[int]":
        self.seen += len(text)
        return super().encode(text)


def counting(most_tokens: int) -> tuple[IncrementalPromptTokenizer, CountingTokenizer]:
    tokenizer = CountingTokenizer(train())
    place = folder("chat")
    pieces = IncrementalTemplate(load_template(place))
    placeholder = find_placeholder(place, pieces, tokenizer)
    return IncrementalPromptTokenizer(
        pieces, tokenizer, placeholder, max_cached_tokens=most_tokens
    ), tokenizer


def grown() -> Iterator[tuple[Message, ...]]:
    talk: tuple[Message, ...] = (system("Rules " * 50), user("You are Ada. " * 50))
    for turn in range(20):
        talk = (*talk, user(f"Ben says {turn}"))
        yield talk
        talk = (*talk, reply(f"I say {turn}", 60 + turn, 2))


def test_a_turn_tokenises_only_what_is_new_though_the_messages_are_made_anew() -> None:
    speller, tokenizer = counting(100_000)
    for turn, talk in enumerate(grown()):
        before = tokenizer.seen
        again = tuple(reply(m.text, *m.ids) if m.ids else user(m.text) for m in talk[1:])
        speller.encode((talk[0], *again))
        assert turn == 0 or tokenizer.seen - before < 100


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 200, 2_000])
def test_the_memory_stays_within_its_bound_and_changes_no_prompt(most: int) -> None:
    small, _ = counting(most)
    large, _ = counting(100_000)
    for talk in grown():
        assert small.encode(talk) == large.encode(talk)
        assert small.cache_size <= most
        assert small.cache_size <= large.cache_size


def test_what_was_not_asked_for_the_longest_is_forgotten_first() -> None:
    speller, tokenizer = counting(400)
    rules = system("The gardener was in the tower at night, so they say. " * 2)
    for turn in range(40):
        before = tokenizer.seen
        speller.encode((rules, user(f"{turn} " + "so " * 20)))
        assert turn == 0 or tokenizer.seen - before < 150


def test_options_are_told_apart_by_their_first_tokens() -> None:
    speller, _, tokenizer = parts("chat")
    firsts = speller.first_tokens(("No", "The gardener", "他"))
    assert firsts is not None
    for option, first in zip(("No", "The gardener", "他"), firsts, strict=True):
        whole = speller.encode((user("Who?"), reply(option))).ids
        assert whole[len(speller.encode((user("Who?"),)).ids)] == first
    assert tokenizer.decode(firsts[:1]) in "No"


@pytest.mark.parametrize(
    "options", [("garden", "gardener"), ("No", ""), ("No", "\nShe"), ("a", "a")]
)
def test_options_that_begin_alike_or_melt_into_the_opening_are_not_told_apart(
    options: tuple[str, ...],
) -> None:
    assert parts("chat")[0].first_tokens(options) is None


def test_a_long_log_that_grew_costs_a_small_part_of_making_it_anew() -> None:
    speller, template, tokenizer = parts("stand-in")
    talk = [system("Rules. " * 300)]
    while len(speller.encode(talk).ids) < 12_000:
        talk += [user(f"{len(talk)} Ben says that it was Cleo. " * 5), reply("So?", *range(60))]

    def seconds(grown: int) -> tuple[float, float]:
        new = [*talk, user(f"{grown} What now?")]
        times = [time.process_time()]
        speller.encode(new)
        times.append(time.process_time())
        tokenizer.encode(template.render(new, opened=True))
        times.append(time.process_time())
        return times[1] - times[0], times[2] - times[1]

    spelt, anew = map(min, zip(*(seconds(grown) for grown in range(10)), strict=True))
    assert spelt < anew / 5


def test_trimmed_words_are_spelt_as_the_template_trims_them() -> None:
    speller, _, tokenizer = parts("trimmed")
    assert "begin|>\n\nNo<|over|>" in tokenizer.decode(speller.encode((user("  No \n"),)).ids)
    assert GOOD["trimmed"] == TRIMMED
