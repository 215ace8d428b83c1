"""With extractive replies a model says nothing but sentences that its prompt holds."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from arena.core.actions import Action
from arena.core.events import ActionRejected, QuestionAsked, Said
from arena.core.observation import Observation, observe
from arena.core.playouts.playout import play_out, start_state
from arena.core.purposes import QUESTION, TARGET, Purpose
from arena.core.requests import DecisionRequest
from arena.core.specs import ABSTAIN
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup
from arena.games.game_registry import find_game
from arena.memory.lexical import split_sentences
from arena.models.chat import ChoiceConstraint, JsonConstraint, Message, Request, VariantConstraint
from arena.models.function_model import FunctionModel
from arena.models.legal_replies import legal_reply
from arena.players.contestants import read_contestant
from arena.players.model_limits import ModelLimits, Shares
from arena.players.replies.extraction import find_sentences, restrict_to
from arena.players.roster import make_player
from arena.players.script_text.first_person import speak_as_role
from arena.players.script_text.naming import People
from arena.players.script_text.own_script import read_own_script
from arena.players.wording import find_wording
from scripts_mm.catalog import find_script
from scripts_mm.script import LANGUAGES, Language, Script
from tests.arena.games.whodunit.scenes import start as start_scene
from tests.arena.games.whodunit.scenes import until
from tests.arena.players.context.stage import make_limits

SCRIPTS = ("quiet-harvest", "last-tram")
GAMES = ("whodunit", "questum", "thinkthrice")


def small_limits() -> ModelLimits:
    shares = Shares(script=250, dialogue=400, introduction=250, quiz=250)
    more = {"overflow": "retrieve", "context_budget": 2_600, "shares": shares}
    return make_limits(16_384, replies="extractive", **more)


def play(script: Script, game: str, asked: list[Request]) -> MatchState:
    """Play a match of a model that draws each reply from what its constraint allows."""
    rules = find_game(game)
    setup = MatchSetup(script=script, options=rules.options(), seed=1, silent=())
    started = start_state(rules, setup)

    def reply(request: Request) -> str:
        asked.append(request)
        return legal_reply(request)

    players = {
        seat: make_player(read_contestant("mini"), FunctionModel(reply), small_limits())
        for seat in started.started.seats
    }

    def decide(observation: Observation, request: DecisionRequest) -> Action:
        return asyncio.run(players[request.seat].act(observation, request, Random(0))).action

    return play_out(rules, setup, decide)


def may_be_said(state: MatchState, script: Script, language: Language) -> frozenset[str]:
    """Return every sentence of the case in the first person, and those of the wording."""
    found: list[str] = []
    for part in state.started.parts:
        role = next(one for one in script.roles if one.name == part.seat)
        texts = [role.script, *(stage.text for stage in role.parts)]
        for text in texts:
            for line in text.splitlines():
                found += [speak_as_role(one, language) for one in split_sentences(line)]
        # A quotation of several sentences stays one.
        for one in read_own_script(observe(state, part.seat)).sentences:
            found += [speak_as_role(one, language), *split_sentences(speak_as_role(one, language))]
    say = find_wording(language)
    for clue in script.clues:
        found += [
            say("extract.clue", title=clue.title, text=one) for one in split_sentences(clue.text)
        ]
    for victim in script.victims:
        found.append(say("extract.denial", victim=victim))
        found.append(say("extract.nothing_between", victim=victim))
    for one in state.started.seats:
        found += [
            say("extract.nothing_of", other=one),
            say("extract.no_motive", other=one),
            say("extract.name", seat=one),
        ]
    found += split_sentences(script.opening)
    return frozenset((*found, say("extract.nothing"), say("extract.nothing_then")))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCRIPTS)
def test_all_that_is_said_stands_in_the_scripts_and_clues_of_the_case(
    name: str, language: Language, game: str
) -> None:
    script, asked = find_script(name, language).script, list[Request]()
    state = play(script, game, asked)
    assert state.ended is not None
    assert not any(isinstance(one, ActionRejected) for one in state.history)
    known = may_be_said(state, script, language)
    said = [one for one in state.history if isinstance(one, Said)]
    assert said
    for event in said:
        for _, text in event.parts:
            if text in state.started.seats or text == ABSTAIN:
                continue
            assert text in known or all(one in known for one in split_sentences(text)), text
    questions = [(one.seat, one.text) for one in state.history if isinstance(one, QuestionAsked)]
    assert len(set(questions)) == len(questions), "no seat puts the same question twice"


def texts_of(limits_of_call: Sequence[Request]) -> Iterator[tuple[Request, str]]:
    for request in limits_of_call:
        if isinstance(request.constraint, ChoiceConstraint):
            yield from ((request, one) for one in request.constraint.options)
        for form in forms_of(request):
            for field in form.fields:
                assert field.options, "no text is free"
                yield from ((request, one) for one in field.options)


def forms_of(request: Request) -> tuple[JsonConstraint, ...]:
    match request.constraint:
        case JsonConstraint() as form:
            return (form,)
        case VariantConstraint(variants=variants):
            return variants
        case _:
            return ()


@pytest.mark.slow
def test_what_is_left_of_a_sentence_after_an_abbreviation_is_not_offered() -> None:
    asked: list[Request] = []
    play(find_script("first-night", "en").script, "whodunit", asked)
    offered = {text for _, text in texts_of(asked)}
    assert len(offered) > 50
    assert "side must pass it." not in offered


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_asked_what_it_knows_of_itself(game: str) -> None:
    asked: list[Request] = []
    state = play(find_script("last-tram", "en").script, game, asked)
    put = [one for one in state.history if isinstance(one, QuestionAsked)]
    assert put
    assert not any(one.to in one.text for one in put)
    forms = [
        {field.name: field.options for field in form.fields}
        for one in asked
        for form in forms_of(one)
    ]
    told = [one for one in forms if QUESTION in one and TARGET in one]
    assert all(len(one[TARGET]) == 1 for one in told)
    assert game != "whodunit" or any(len(one[QUESTION]) > 1 for one in told)


@pytest.mark.slow
def test_a_murderer_is_offered_no_sentence_about_its_deed() -> None:
    script, asked = find_script("quiet-harvest", "en").script, list[Request]()
    state = play(script, "whodunit", asked)
    guilty = state.started.murderers[0]
    own = read_own_script(observe(state, guilty, 1))
    hidden = {
        speak_as_role(one, "en")
        for one, may in zip(own.sentences, own.spoken, strict=True)
        if not may
    }
    offered = {text for call, text in texts_of(asked) if call.call_id.seat == guilty}
    assert hidden
    assert not hidden & offered


def test_an_answer_may_deny_the_deed_and_repeat_itself_but_a_speech_may_not() -> None:
    state = until(start_scene(), "share_and_ask")
    request, moment = pending(state)[0], len(state.history)
    seen = observe(state, request.seat, moment)
    own = [speak_as_role(one, "en") for one in split_sentences(seen.own.script)]
    said = Said(seat=request.seat, request="earlier", act="speak", parts=(("text", own[0]),))
    heard = replace(seen, events=(*seen.events, said))
    prompt = (Message(role="user", text=f"{seen.own.script} Otto Lamm"),)
    speech = find_sentences(heard, request, prompt)
    answered = replace(request, context=((QUESTION, f"Was it you, {request.seat}?"),))
    answer = find_sentences(heard, answered, prompt)
    denial = find_wording("en")("extract.denial", victim="Otto Lamm")
    assert own[0] not in speech.spoken
    assert {own[0], denial} <= {*answer.spoken}
    assert denial not in speech.spoken
    assert own[0] in find_sentences(seen, request, prompt).spoken


def test_without_a_sentence_that_may_be_said_there_is_still_something_to_say() -> None:
    state = until(start_scene(), "share_and_ask")
    request = pending(state)[0]
    found = find_sentences(observe(state, request.seat), request, ())
    assert found.spoken == (find_wording("en")("extract.nothing"),)
    held = restrict_to(None, found)
    assert held == ChoiceConstraint(options=found.spoken)


def test_a_contestant_may_write_freely_although_its_profile_is_extractive() -> None:
    asked: list[Request] = []

    def reply(request: Request) -> str:
        asked.append(request)
        return legal_reply(request)

    state = start_scene()
    for name, is_free in (("mini", False), ("mini+direct:replies=free", True)):
        player = make_player(read_contestant(name), FunctionModel(reply), small_limits())
        request = pending(state)[0]
        asyncio.run(player.act(observe(state, request.seat), request, Random(0)))
        assert (asked[-1].constraint is None) == is_free


def test_a_conclusion_repeats_what_was_said_of_others_and_nothing_said_of_oneself() -> None:
    state = until(start_scene(), "conclude")
    request, seen = pending(state)[0], observe(state, pending(state)[0].seat)
    other, third = [one for one in seen.seats if one != request.seat][:2]
    text = f"I was in the kitchen. {third} had been out since nine."
    said = Said(seat=other, request="earlier", act="speak", parts=(("text", text),))
    found = find_sentences(
        replace(seen, events=(*seen.events, said)), request, (Message(role="user", text=text),)
    )
    assert found.why[third] == (f"{third} had been out since nine.",)
    assert f"{third} had been out since nine." in found.spoken
    assert "I was in the kitchen." not in found.spoken


def test_a_reason_too_long_for_a_conclusion_leaves_that_it_is_unknown() -> None:
    state = until(start_scene(), "conclude")
    request, seen = pending(state)[0], observe(state, pending(state)[0].seat)
    other = next(one for one in seen.seats if one != request.seat)
    long = f"You saw {other} {'walk on and ' * 30}go home."
    found = find_sentences(
        replace(seen, events=(), role=replace(seen.own, script=long)), request, ()
    )
    assert found.why[other] == (find_wording("en")("extract.no_motive", other=other),)


@pytest.mark.slow
def test_a_conclusion_gives_a_reason_for_the_seat_that_it_names() -> None:
    asked: list[Request] = []
    play(find_script("last-tram", "en").script, "whodunit", asked)
    concluded = [one for one in asked if isinstance(one.constraint, VariantConstraint)]
    forms = [
        {field.name: field.options for field in form.fields}
        for one in concluded
        for form in forms_of(one)
    ]
    motives = [one for one in forms if "motive" in one]
    assert not any(
        field.optional for one in concluded for form in forms_of(one) for field in form.fields
    ), "every conclusion names a culprit"
    assert motives
    for one in motives:
        (culprit,) = one["culprit"]
        assert sum(len(max(one[key], key=len)) for key in ("method", "motive")) <= 440
        people = People("en", (culprit,), ())
        assert all(people.are_named(text, culprit) for text in one["motive"]), one
        assert not {*one["method"]} & {*one["motive"]}


def test_a_seat_whose_script_does_not_name_it_says_its_name() -> None:
    request = pending(start_scene())[0]
    seen = observe(start_scene(), request.seat)
    assert request.purpose is Purpose.INTRODUCE
    nameless = replace(seen, role=replace(seen.own, script="You drove the car for nine years."))
    assert find_sentences(nameless, request, ()).spoken == (
        f"I am {request.seat}. I drove the car for nine years.",
        f"I am {request.seat}.",
    )


@pytest.mark.parametrize(
    ("language", "content", "filed"),
    [
        (
            "en",
            ("Found by the stove: a glove.", "From 21:39 to 22:15 Lisbeth did not leave."),
            (
                "Exhibit 9 of file XN 1057-33, 4 February.", "Handed in by Quincy Attwood.",
                "From the papers of the Gentian Grand Hotel, handed in by Ada.",
            ),
        ),
        (
            "zh",
            ("那晚邬大川带来的是件绿大衣。", "炉边有一只手套，卷宗里没有写。"),
            ("更夫殷磐交来。", "（12月7日，第9件，XA 5802-18号）"),
        ),
    ],
)  # fmt: skip
def test_how_a_clue_came_into_the_file_is_not_said(
    language: Language, content: tuple[str, ...], filed: tuple[str, ...]
) -> None:
    state = until(start_scene(), "conclude")
    request, seen = pending(state)[0], observe(state, pending(state)[0].seat)
    text = (" " if language == "en" else "").join((*content, *filed))
    clue = replace(seen.clues[0], text=text)
    found = find_sentences(
        replace(seen, language=language, clues=(clue,)), request, (Message(role="user", text=text),)
    )
    offered = "\n".join((*found.spoken, *found.how))
    assert all(one in offered for one in content)
    assert not any(one in offered for one in filed)


@pytest.mark.parametrize(
    ("sentence", "has_picture", "is_quoted"),
    [
        ("Only the nib of one make leaves blotted strokes.", False, True),
        ("Was the kiosk open at nine?", False, False),
        ("I wound the clock and nobody came past me.", False, False),
        ("The porter says: I wound the clock and nobody came.", False, True),
        ("You found it behind the picture and showed it to nobody.", False, False),
        ("It was in the flask before the tea.", False, False),
        ("All is in one hand, that of H.", False, False),
        ("The photographer stood in the third row.", True, False),
        ("On the left stands NAME with a lamp.", True, True),
    ],
)
def test_a_clue_is_quoted_where_a_sentence_says_something_alone(
    sentence: str, has_picture: bool, is_quoted: bool
) -> None:
    state = until(start_scene(), "conclude")
    request, seen = pending(state)[0], observe(state, pending(state)[0].seat)
    text = sentence.replace("NAME", seen.seats[-1])
    pictures = next(one.pictures for one in seen.clues if one.pictures) if has_picture else ()
    clue = replace(seen.clues[0], text=text, pictures=pictures)
    found = find_sentences(
        replace(seen, clues=(clue,)), request, (Message(role="user", text=text),)
    )
    assert any(text in one for one in found.spoken) == is_quoted


def test_how_it_was_done_is_not_a_clue_about_a_seat_alone() -> None:
    state = until(start_scene(), "conclude")
    request, seen = pending(state)[0], observe(state, pending(state)[0].seat)
    other, [victim, *_] = seen.seats[-1], seen.victims
    text = f"{other} was in the kitchen at nine. {other} stood behind {victim} at ten."
    clue = replace(seen.clues[0], text=text, pictures=())
    opening = f"{victim} was found dead in the hall. Nobody knows who killed {victim}."
    found = find_sentences(
        replace(seen, clues=(clue,), opening=opening), request, (Message(role="user", text=text),)
    )
    offered = "\n".join(found.how)
    assert "in the hall" in offered
    assert "who killed" not in offered
    assert "at ten" in offered
    assert "at nine" not in offered
