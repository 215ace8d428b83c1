"""What a seat remembers: exchanges and clue cards, the nearest to what is asked."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.core.actions import choose, fill, say
from arena.core.events import (
    Announced,
    ClueRevealed,
    Event,
    PhaseStarted,
    PromptAdjusted,
    QuestionAsked,
    Said,
    SeatEliminated,
    TurnSkipped,
    VotesTallied,
)
from arena.core.observation import Observation, observe
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending
from arena.errors import EndpointUnavailableError
from arena.memory.embedding import Vectors
from arena.memory.ngram_embedder import NGRAMS
from arena.players.methods.memory_units import MemoryUnit, list_units
from tests.arena.players.context.moments import shown
from tests.arena.players.thinkthrice.stage import host_question, seat, seat_question
from tests.table import (
    NAMES,
    act,
    legal,
    secret,
)

ADA, BRAM, CLEO, DIRK, EDDA = (SeatId(name) for name in NAMES)


def asked(seat: str, to: str, text: str, request: str = "q") -> QuestionAsked:
    return QuestionAsked(seat=SeatId(seat), request=request, to=SeatId(to), text=text)


def said(seat: str, text: str, to: str | None = None, request: str = "q/answer") -> Said:
    target = None if to is None else SeatId(to)
    return Said(seat=SeatId(seat), request=request, act="a", parts=(("text", text),), to=target)


def seen_with(*events: Event) -> Observation:
    return replace(observe(host_question(), ADA), events=events, clues=())


def units(*events: Event) -> list[tuple[int, ...]]:
    return [unit.events for unit in list_units(seen_with(*events))]


def test_a_question_and_its_answer_are_one_memory() -> None:
    seen = seen_with(
        asked(ADA, BRAM, "Where were you?"),
        PhaseStarted(phase="p"),
        said(BRAM, "At home.", to=ADA),
        said(CLEO, "I am the smith."),
    )
    assert list_units(seen) == (
        MemoryUnit(events=(0, 2), text=f"{ADA}, {BRAM}: Where were you?\n{BRAM}: At home."),
        MemoryUnit(events=(3,), text=f"{CLEO}: I am the smith."),
    )


def test_answers_find_their_questions_in_any_order() -> None:
    two = (asked(ADA, BRAM, "One?", "q1"), asked(ADA, BRAM, "Two?", "q2"))
    second = said(BRAM, "2", to=ADA, request="q2/answer")
    first = said(BRAM, "1", to=ADA, request="q1/answer")
    assert units(*two, second, first) == [(0, 3), (1, 2)]
    other = said(BRAM, "?", to=ADA, request="other")
    assert units(*two, other, other) == [(0, 2), (1, 3)], "else the first open one"
    crossed = (asked(ADA, BRAM, "?", "a"), asked(BRAM, ADA, "?", "b"))
    assert units(*crossed, said(ADA, "!", to=BRAM, request="b/x")) == [(0,), (1, 2)]
    assert units(said(BRAM, "To nobody's question.", to=ADA)) == [(0,)]


def test_what_is_no_talk_is_no_memory() -> None:
    assert not units(
        PhaseStarted(phase="p"),
        TurnSkipped(seat=ADA, request="q", act="a", cause="invalid"),
        Announced(topic="host_question", values=(("question", "Who?"),), audience="all"),
        SeatEliminated(seat=EDDA, cause="attack"),
    )
    assert units(VotesTallied(votes=((ADA, 2),), leaders=(ADA,), named=(ADA,))) == [(0,)]


def test_each_clue_card_is_a_memory() -> None:
    state = host_question(rounds_before=0, rounds_after=1)
    chance = Random(1)
    while not any(isinstance(event, ClueRevealed) for event in state.history[20:]):
        state = act(state, pending(state)[0], legal(pending(state)[0], chance))
    texts = [unit.text for unit in list_units(observe(state, BRAM))]
    assert "A note\nCLUE-OF-BRAM" in texts
    assert "Log book\nThe page of the day is torn out." in texts
    assert "Plan of the tower\n" in texts
    assert "A note\nCLUE-OF-BRAM" not in [one.text for one in list_units(observe(state, ADA))]


def talk(*exchanges: tuple[str, str], **options: Any) -> MatchState:
    """Return a match in which Bram asked Ada all this, and asks her once more."""
    state = host_question(**options)
    state = act(state, pending(state)[0], say("I am Ada Quill, the clerk."))
    for question, answer in exchanges:
        request = pending(state)[0]
        state = act(state, request, fill(target=ADA, question=question))
        state = act(state, pending(state)[0], say(answer))
    return state


def ask(state: MatchState, question: str) -> MatchState:
    return act(state, pending(state)[0], fill(target=ADA, question=question))


def test_a_prompt_holds_the_memories_that_bear_on_the_question_and_no_others() -> None:
    state = talk(
        ("Who owns the lantern?", "The lantern belongs to Edda."),
        ("Do you like herring?", "I never eat herring."),
        ("Who broke the window?", "A gull broke it."),
    )
    one = seat(parts="mr")
    one.answer(ask(state, "When did you last see the lantern of Edda?"))
    prompt = one.model.prompt("draft")
    assert "“The lantern belongs to Edda.”" in prompt
    assert "Who owns the lantern?" in prompt
    assert "herring" not in prompt
    assert "are those that you remember now" in prompt


def test_no_more_than_the_best_memories_are_shown_and_in_their_order() -> None:
    words = [("lantern " * (n + 1), f"answer {n} on the lantern") for n in range(3)]
    one = seat(parts="mr", top_k=2, min_similarity=-1.0)
    one.answer(ask(talk(*words), "lantern lantern lantern lantern"))
    prompt = one.model.prompt("draft")
    found = [n for n in range(3) if f"answer {n} on" in prompt]
    assert len(found) == 2
    assert prompt.index(f"answer {found[0]}") < prompt.index(f"answer {found[1]}")


def test_a_threshold_above_all_finds_nothing() -> None:
    one = seat(parts="mr", min_similarity=0.999)
    one.answer(ask(talk(("Who owns the lantern?", "Edda.")), "The lantern?"))
    assert "Edda.”" not in one.model.prompt("draft")
    assert "remember" not in one.model.demand("draft")


def test_without_memory_there_is_the_script_and_what_is_asked() -> None:
    one = seat(parts="none")
    one.answer(ask(talk(("Who owns the lantern?", "It is Edda's lantern.")), "Whose lantern?"))
    prompt = one.model.prompt("draft")
    assert secret(ADA) in prompt
    assert "Whose lantern?" in prompt
    assert "Edda's lantern" not in prompt
    assert "the clerk" not in prompt


def test_the_question_itself_is_no_memory_of_it() -> None:
    one = seat(parts="mr")
    one.answer(ask(talk(), "Whose lantern is it, and who is the clerk?"))
    prompt = one.model.prompt("draft")
    assert prompt.count("Whose lantern is it") == 1
    assert "the clerk.”" in prompt


def test_checks_see_no_memory() -> None:
    one = seat()
    one.answer(ask(talk(("Who owns the lantern?", "LANTERN-OF-EDDA")), "The lantern?"))
    for call in one.model.requests:
        holds = any("LANTERN-OF-EDDA" in message.text for message in call.messages)
        assert holds == call.call_id.chunk.endswith("draft"), call.call_id.chunk


def before_vote(**options: Any) -> MatchState:
    state = host_question(rounds_before=0, rounds_after=0, ballots=2, **options)
    chance = Random(1)
    while not pending(state)[0].sampled:
        state = act(state, pending(state)[0], legal(pending(state)[0], chance))
    return state


@pytest.mark.parametrize("parts", ["none", "mr", "mr+sr+sv3"])
def test_a_vote_is_one_call_with_all_clue_cards(parts: str) -> None:
    state = before_vote()
    one = seat({"": ADA}, parts=parts, min_similarity=1.0)
    assert one.answer(state).action == choose(ADA)
    [call] = one.model.requests
    assert call.temperature == 0.7, "one of several ballots is a sample"
    text = "\n".join(message.text for message in call.messages)
    assert "The page of the day is torn out." in text
    assert len(shown(call.messages)) == 2
    assert "question " not in text.split("Log book")[0].split("What everybody knows")[1]
    alone = replace(pending(state)[0], sampled=False)
    assert seat({"": ADA}, parts=parts).answer(state, alone).action == choose(ADA)


def test_ballots_at_the_same_moment_are_samples_of_one_prompt() -> None:
    state, one = before_vote(), seat({"": ADA})
    first, second = (request for request in pending(state) if request.seat == ADA)
    one.answer(state, first)
    one.answer(state, second)
    prompts = [call.messages for call in one.model.requests]
    assert prompts[0] == prompts[1]


class Failing:
    """An embedder whose server is away."""

    name = "failing"
    is_repeatable = False
    threshold = 0.3

    async def embed(self, texts: Sequence[str]) -> Vectors:
        raise EndpointUnavailableError(f"no vectors for {len(texts)} texts")


class Planted:
    """An embedder that finds what holds one word as near as can be, and all else far."""

    name = "planted"
    is_repeatable = True
    threshold = 0.3

    def __init__(self, word: str) -> None:
        self.word = word

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array(
            [[1.0, 0.0] if self.word in one else [0.0, 1.0] for one in texts], "float32"
        )


def test_without_vectors_the_search_is_by_words_and_the_record_says_so() -> None:
    state = ask(talk(("Who owns the lantern?", "Edda.")), "Whose lantern?")
    one = seat(parts="mr", embedder=Failing())
    answer = one.answer(state)
    [lexical] = [event for event in answer.reports if isinstance(event, PromptAdjusted)]
    assert lexical.adjustment == "search_lexical"
    assert "Who owns the lantern?" in one.model.prompt("draft")
    found = seat(parts="mr", embedder=NGRAMS).answer(state)
    assert not [event for event in found.reports if isinstance(event, PromptAdjusted)]


def test_what_is_near_is_what_the_embedder_says() -> None:
    state = ask(talk(("On herring?", "PLANTED one"), ("On tea?", "UNRELATED one")), "PLANTED?")
    one = seat(parts="mr", embedder=Planted("PLANTED"))
    one.answer(state)
    assert "PLANTED one" in one.model.prompt("draft")
    assert "UNRELATED" not in one.model.prompt("draft")


def test_what_a_seat_alone_was_told_stays_and_so_does_who_left() -> None:
    state = host_question()
    seen = seen_with(
        said(BRAM, "Herring."),
        Announced(topic="no_cards", audience=(ADA,)),
        SeatEliminated(seat=EDDA, cause="attack"),
        Announced(topic="no_cards", audience="all"),
    )
    for parts, kept in (("mr", (1, 2)), ("none", ())):
        one = seat(parts=parts, min_similarity=1.0)
        request = pending(state)[0]
        asyncio.run(one.player.act(seen, request, Random(1)))
        prompt = one.model.prompt("draft")
        assert prompt.count("This case has no clue cards.") == (1 in kept)
        assert (f"{EDDA} has left the game" in prompt) == (2 in kept)
        assert "Herring" not in prompt


def test_an_exchange_at_another_seat_is_no_secret_of_it() -> None:
    one = seat()
    state = seat_question()
    one.answer(state)
    for call in one.model.requests:
        text = "\n".join(message.text for message in call.messages)
        for name in NAMES[1:]:
            assert secret(name) not in text
        assert "CLUE-OF-BRAM" not in text
