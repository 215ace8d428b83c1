"""What a seat looks up: its own script and log alone, and in a resumed match the same."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.observation import observe
from arena.core.state import pending
from arena.errors import EndpointUnavailableError
from arena.games.whodunit.options import WhodunitOptions
from arena.memory.ngram_embedder import NGRAMS
from arena.models.chat import Message
from arena.models.function_model import FunctionModel
from arena.players.context.prompt_builder import PromptBuilder
from arena.players.prompting import PromptingOptions
from tests.arena.memory.embedders import FlakyEmbedder
from tests.arena.players.context.moments import late_moment, text_of
from tests.arena.players.context.stage import (
    Played,
    SmallModel,
    build,
    long_case,
    make_builder,
    make_limits,
    play,
    resume,
)
from tests.arena.players.context.test_properties import build_or_none
from tests.arena.players.random_games import (
    RULES,
    TRUTH,
    answer_all,
    heard_secrets,
    talk,
)
from tests.table import (
    NAMES,
    begin,
    secret,
    setup,
)

DOWN = EndpointUnavailableError("http://host does not answer")
SHORT = PromptingOptions(reply_tokens=512)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    rules=RULES,
    seed=st.integers(0, 10**6),
    room=st.integers(2200, 5000),
    characters=st.sampled_from([100, 3000, 9000]),
)
def test_no_embedder_ever_sees_what_its_seat_may_not_know(
    rules: WhodunitOptions, seed: int, room: int, characters: int
) -> None:
    chance = Random(seed)
    state = begin(setup(rules, seed=seed, script=long_case(characters)))
    spies = {name: FlakyEmbedder() for name in NAMES}
    builders = {
        name: PromptBuilder(
            FunctionModel(lambda _: "A note."),
            make_limits(room, overflow="retrieve", reply_tokens=64, embedder=spies[name]),
        )
        for name in NAMES
    }
    seen: dict[str, int] = dict.fromkeys(NAMES, 0)
    while requests := pending(state):
        known = heard_secrets(state)
        for request in requests:
            prompt = build_or_none(builders[request.seat], observe(state, request.seat), request)
            if prompt is not None:
                builders[request.seat].append(prompt, (Message(role="assistant", text="So."),))
            asked = spies[request.seat].asked
            text = "\n".join(asked[seen[request.seat] :])
            seen[request.seat] = len(asked)
            foreign = {secret(name) for name in NAMES if name != request.seat} - known
            assert not {marker for marker in (*foreign, *TRUTH) if marker in text}
            if request.seat != NAMES[1] and rules.clues != "owner":
                assert "CLUE-OF-BRAM" not in text
        state = answer_all(state, requests, lambda request: talk(request, chance))


def test_what_bears_on_the_question_is_shown_and_what_does_not_is_not() -> None:
    lines = [f"On day {n} you counted sacks of flour in the barn." for n in range(400)]
    lines[250] = "You buried the telescope beneath the old pear tree."
    script = long_case(10)
    roles = tuple(replace(role, script="\n".join(lines)) for role in script.roles)
    whole = replace(script, roles=roles)
    seen, request = late_moment(words="Who buried a telescope?", script=whole)
    builder = make_builder(make_limits(3000, overflow="retrieve", reply_tokens=64))
    text = text_of(build(builder, seen, request).messages)
    assert "telescope beneath the old pear tree" in text
    assert text.count("sacks of flour") < 200


def test_where_the_embedder_fails_words_are_searched_and_the_record_says_so() -> None:
    seen, request = late_moment()
    failing = FlakyEmbedder(failing=frozenset({0}), error=DOWN)
    found: list[str] = []
    for embedder in (failing, NGRAMS):
        limits = make_limits(2000, overflow="retrieve", reply_tokens=64, embedder=embedder)
        prompt = build(make_builder(limits), seen, request)
        found.append(",".join(one.adjustment for one in prompt.adjustments))
    assert ["search_lexical" in one for one in found] == [True, False]
    assert all("log_retrieved" in one for one in found)


def play_with(embedder: FlakyEmbedder) -> Played:
    return play(SHORT, make_limits(overflow="retrieve", embedder=embedder), model=SmallModel())


@pytest.mark.slow
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_resumed_match_finds_what_it_found_though_the_server_fails_otherwise_now(
    part: float,
) -> None:
    whole = play_with(FlakyEmbedder(failing=frozenset(range(2, 900, 3)), error=DOWN))
    searches = [call for call in whole.order if call.request.call_id.kind == "search"]
    lexical = whole.adjustments("search_lexical")
    assert 3 < len(lexical) < len(searches)
    again = FlakyEmbedder(failing=frozenset({0}), error=DOWN)
    limits = make_limits(overflow="retrieve", embedder=again)
    went = resume(whole, int(part * len(whole.events)), SHORT, limits)
    assert went.events == whole.events
    assert not went.order, "nothing was asked again"
    assert again.calls == 0


@pytest.mark.slow
def test_without_a_record_a_failing_embedder_changes_the_prompts() -> None:
    """The test above would not notice otherwise."""
    good = play_with(FlakyEmbedder())
    bad = play_with(FlakyEmbedder(failing=frozenset({0}), error=DOWN))
    assert good.model.requests != bad.model.requests
    assert play_with(FlakyEmbedder()).model.requests == good.model.requests
