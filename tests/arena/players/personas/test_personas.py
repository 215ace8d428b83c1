"""Personas: data that changes how a seat is asked to speak, and nothing else."""

import string
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from arena.core.observation import observe, observe_request
from arena.core.purposes import Purpose
from arena.core.state import pending
from arena.games.wording import load_wording
from arena.players.contestants import read_contestant
from arena.players.personas import (
    PERSONAS,
    PersonaName,
    PersonaOption,
    find_persona,
    load_persona,
)
from arena.players.player_registry import ModelKind, all_players, option_names
from arena.players.prompting import Prompting, PromptingOptions
from arena.players.roster import check_player
from scripts_mm.script import Language
from tests.arena.games.whodunit.scenes import start, until
from tests.arena.players.context.stage import make_limits
from tests.arena.players.scripted_replies import (
    Model,
    demand,
    form,
    name_of,
    player_of,
    seat,
    voice,
)
from tests.table import case

_WORDING = Path(__file__).parents[4] / "arena" / "players" / "wording" / "hybrid"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
every = pytest.mark.parametrize("name", PERSONAS)
_WORDS = {"draft", "rewrite", "question", "reply"}
"""Calls for words that may be heard."""
in_both = pytest.mark.parametrize("language", LANGUAGES)


def slots(text: str) -> set[str]:
    """Return the names that a template is filled with."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def plain(language: Language) -> dict[str, str]:
    """Return the plain templates."""
    texts = load_wording(_WORDING / f"{language}.toml").texts
    return {key: one for key, one in texts.items() if key.split(".")[0] in {"village", "case"}}


@every
@in_both
def test_a_persona_has_every_template_with_the_same_names_in_it(
    name: PersonaName, language: Language
) -> None:
    own, common = load_persona(name, language).templates.texts, plain(language)
    assert set(own) == set(common)
    for key, text in own.items():
        assert slots(text) == slots(common[key]), key


@every
@in_both
def test_a_persona_describes_itself_with_five_examples_or_more(
    name: PersonaName, language: Language
) -> None:
    persona = load_persona(name, language)
    assert len(persona.examples) >= 5
    assert all(plain_one != said for plain_one, said in persona.examples.items())
    style = persona.style()
    described = (persona.self_word, persona.gender, persona.age, persona.character, persona.tone)
    assert all(one in style for one in (*described, persona.endings, persona.avoid))
    assert all(said in style for said in persona.examples.values())


def test_templates_of_different_personas_differ() -> None:
    for language in LANGUAGES:
        texts = [load_persona(name, language).templates.texts for name in PERSONAS]
        for key in texts[0]:
            assert len({one[key] for one in (*texts, plain(language))}) == len(PERSONAS) + 1, key


@in_both
@pytest.mark.parametrize("persona", get_args(PersonaOption))
def test_every_spoken_request_is_asked_for_in_the_style(
    persona: PersonaOption, language: Language
) -> None:
    prompting = Prompting(options=PromptingOptions(persona=persona), limits=make_limits(None))
    state = start(script=replace(case(), language=language))
    for kind in ("introduce", "share_and_ask", "answer", "conclude", "vote"):
        state = until(state, kind)
        request = pending(state)[0]
        seen = observe_request(state, request)
        found = find_persona(persona, seen)
        instruction = prompting.prompt_request(seen, request).instruction
        is_styled = found is not None and found.style() in instruction
        assert is_styled == (persona != "none" and request.purpose != Purpose.VOTE)


def test_each_gives_the_seats_the_five_in_turn() -> None:
    state = start()
    found = [find_persona("each", observe(state, seat)) for seat in state.started.seats]
    assert tuple(one.name for one in found if one) == PERSONAS


def test_a_persona_changes_no_fact_of_a_prompt() -> None:
    """All of the prompt but the style is as without a persona."""
    state = start()
    request = pending(state)[0]
    texts: list[str] = []
    for option in ("", ":persona=elderly"):
        model = Model()
        one = seat(request.seat, f"direct{option}")
        one.model, one.player = model, player_of(f"direct{option}", model)
        one.answer(state, request)
        texts.append(demand(model.requests[0]))
    style = load_persona("elderly", "en").style()
    assert texts[1] == f"{texts[0]}\n{style}"


def test_every_model_player_has_the_option() -> None:
    for name, kind in all_players().items():
        if isinstance(kind, ModelKind):
            assert "persona" in option_names(kind)
            options = check_player(read_contestant(f"m+{name}:persona=child"))
            assert kind.prompting(options).persona == "child"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "purpose", "spoken"),
    [
        ("thinkthrice", Purpose.ANSWER, ("reply-1/draft", "reply-1/rewrite")),
        ("thinkthrice", Purpose.INTRODUCE, ("reply-1/draft", "reply-1/rewrite")),
        ("thinkthrice", Purpose.ASK, ("sharing-1/draft", "question")),
        ("werewolf-qa", Purpose.ANSWER, ("draft",)),
    ],
)
def test_the_words_that_a_method_prepares_are_asked_for_in_the_style(
    player: str, purpose: Purpose, spoken: tuple[str, ...]
) -> None:
    """What the seat only asks itself is nobody's speech."""
    style = load_persona("elderly", "en").style()
    innocent = next(one.name for one in case().roles if one.name not in case().truth.culprits)
    replies = {"timeline": "At nine I read.", "pieces": "Where were you?"}
    verdicts = {"reply-1/gate": "yes", "reply-1/contained": form(**{"1": "no"})}
    one = seat(innocent, f"{player}:persona=elderly", voice(replies | verdicts))
    one.take(one.turn(start(), purpose))
    styled = {name_of(call): style in demand(call) for call in one.model.requests}
    assert set(spoken) <= set(styled)
    for name, is_styled in styled.items():
        assert is_styled == (name.rpartition("/")[2] in _WORDS), name


def test_an_onlooker_has_no_persona() -> None:
    state = start()
    seen = replace(observe(state, state.started.seats[0]), is_onlooker=True)
    assert find_persona("child", seen) is None


def test_a_reason_beside_a_vote_is_not_asked_for_in_the_style() -> None:
    state = until(start(vote_with_reason=True), "vote")
    request = pending(state)[0]
    prompting = Prompting(options=PromptingOptions(persona="child"), limits=make_limits(None))
    instruction = prompting.prompt_request(observe_request(state, request), request).instruction
    assert load_persona("child", "en").style() not in instruction
