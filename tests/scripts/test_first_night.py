"""The bundled script "first-night": both languages, one case, solvable, fair, true to its facts."""

import json
import re
from collections import Counter
from functools import cache
from itertools import chain
from typing import Any

import pytest

from scripts_mm.catalog import LIBRARY, find_script
from scripts_mm.files import LoadedScript
from scripts_mm.lint import lint
from scripts_mm.lint_texts import length
from scripts_mm.script import LANGUAGES, Clue, Language, Question, Script

FOLDER = LIBRARY / "first-night"
CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?!\d)")
WORDS: dict[Language, range] = {"en": range(300, 701), "zh": range(500, 1_101)}
"""Words (en) or characters (zh) of a private script."""


@cache
def loaded(language: Language) -> LoadedScript:
    return find_script("first-night", language)


def script(language: Language) -> Script:
    return loaded(language).script


@cache
def facts() -> dict[str, Any]:
    return json.loads((FOLDER / "facts.json").read_text(encoding="utf-8"))


def role_id(name: str) -> str:
    return next(key for key, one in facts()["people"].items() if name in (one["en"], one["zh"]))


def clue_text(clue: Clue) -> str:
    told = [clue.title, clue.text, *(picture.transcript for picture in clue.pictures)]
    return "\n".join([*told, *(picture.description for picture in clue.pictures)])


def texts(one: Script) -> dict[str, str]:
    """Return every text that tells what happened, by who knows it."""
    truth = one.truth
    private = {role_id(role.name): role.script + role.mission for role in one.roles}
    clues = {f"clue:{clue.id}": clue_text(clue) for clue in one.clues}
    rest = {
        "opening": one.opening,
        "truth": "\n".join((truth.text, truth.method, truth.motive)),
        "keys": "\n".join(key.text for key in truth.key_clues),
    }
    return {**private, **clues, **rest}


def public(one: Script) -> str:
    clues = "\n".join(clue_text(clue) for clue in one.clues if clue.owner is None)
    names = "\n".join(role.name for role in one.roles)
    return "\n".join((one.opening, clues, names, one.civilian_mission, one.murderer_mission))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_script_loads_and_lint_finds_no_fault(language: Language) -> None:
    found = lint(loaded(language))
    assert [one for one in found if one.severity != "info"] == []
    assert {one.code for one in found} <= {"unused-clue"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_five_roles_are_played_one_of_them_guilty_and_the_victim_is_none(
    language: Language,
) -> None:
    one = script(language)
    assert len(one.roles) == 5
    assert len(one.murderers) == len(one.truth.culprits) == 1
    assert not {*one.victims} & {*one.names}
    guilty = one.role(one.murderers[0])
    assert guilty.introduction
    assert guilty.reply
    assert all(role.mission and role.aliases for role in one.roles)


@pytest.mark.parametrize("language", LANGUAGES)
def test_private_scripts_have_a_length_that_can_be_played(language: Language) -> None:
    for role in script(language).roles:
        assert length(role.script, language) in WORDS[language], role.name


def shape(one: Script) -> dict[str, Any]:
    """Return everything that must not depend on the language."""
    at = {name: nth for nth, name in enumerate(one.names)}
    return {
        "id": one.id,
        "guilty": [at[name] for name in one.truth.culprits],
        "clues": [
            (clue.id, clue.stage, at[clue.owner] if clue.owner else None, bool(clue.text))
            for clue in one.clues
        ],
        "pictures": [(picture.file, picture.kind) for picture in one.pictures],
        "questions": [
            (q.id, q.kind, q.keys, len(q.options), q.clues, q.hops, at[q.role] if q.role else None)
            for q in one.questions
        ],
        "key clues": [
            (key.id, key.hops, key.clues, [at[name] for name in key.holders])
            for key in one.truth.key_clues
        ],
        "key roles": [at[name] for name in one.truth.key_roles],
        "misleading": one.truth.misleading,
    }


def test_both_languages_have_one_structure() -> None:
    assert shape(script("en")) == shape(script("zh"))


def test_roles_stand_in_the_same_order_in_both_languages() -> None:
    assert [role_id(name) for name in script("en").names] == [
        role_id(name) for name in script("zh").names
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_are_many_of_both_kinds_small_and_described(language: Language) -> None:
    one = loaded(language)
    kinds = Counter(picture.kind for picture in one.script.pictures)
    assert len(one.script.pictures) >= 7
    assert kinds["text"] >= 3
    assert kinds["media"] >= 2
    for picture in one.script.pictures:
        assert picture.transcript, picture.file
        assert picture.description, picture.file
        assert picture.width <= 1_000, picture.file
        assert picture.height <= 1_400, picture.file
        assert picture.width * picture.height <= 1_000_000, picture.file
        assert len(one.read(picture)) <= 400_000, picture.file


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_letter_misleads_and_two_clues_belong_to_innocent_roles(language: Language) -> None:
    one = script(language)
    owners = [clue.owner for clue in one.clues if clue.owner]
    assert one.truth.misleading == ("letter",)
    assert len(owners) == 2
    assert not {*owners} & {*one.murderers}


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_have_four_options_and_keys_at_every_position_alike(language: Language) -> None:
    questions = script(language).questions
    kinds = Counter(question.kind for question in questions)
    assert len(questions) >= 40
    assert all(kinds[kind] >= 7 for kind in ("lsu", "tiu", "miu", "mmr"))
    assert all(len(question.options) == 4 and len(question.keys) == 1 for question in questions)
    assert Counter(question.keys[0] for question in questions) == {0: 12, 1: 12, 2: 12, 3: 12}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_role_has_four_questions_on_its_script_with_four_key_positions(
    language: Language,
) -> None:
    one = script(language)
    for name in one.names:
        own = [question for question in one.questions if question.role == name]
        assert {question.keys[0] for question in own} == {0, 1, 2, 3}, name
        assert all(question.kind == "lsu" for question in own)


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_on_pictures_rest_on_pictures_of_their_kind(language: Language) -> None:
    one = script(language)
    kinds = {clue.id: {p.kind for p in clue.pictures} for clue in one.clues if not clue.owner}
    for question in one.questions:
        if question.kind in ("tiu", "miu"):
            wanted = "text" if question.kind == "tiu" else "media"
            assert [kinds[clue] for clue in question.clues] == [{wanted}], question.id
    hops = {question.hops for question in one.questions if question.kind == "mmr"}
    assert {0, 1, 2, 3} <= {hop for hop in hops if hop is not None}


def test_the_question_for_the_murderer_has_the_murderer_as_key() -> None:
    for language in LANGUAGES:
        one = script(language)
        last = one.questions[-1]
        assert last.options[last.keys[0]] in one.truth.culprits
        assert {*last.options} <= {*one.names}


def is_longest(question: Question) -> bool:
    right = len(question.options[question.keys[0]])
    return all(
        len(option) < right for at, option in enumerate(question.options) if at not in question.keys
    )


def is_shortest(question: Question) -> bool:
    right = len(question.options[question.keys[0]])
    return all(
        len(option) > right for at, option in enumerate(question.options) if at not in question.keys
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_found_by_the_length_of_the_options(language: Language) -> None:
    questions = script(language).questions
    assert sum(map(is_longest, questions)) <= len(questions) / 4
    assert sum(map(is_shortest, questions)) <= len(questions) / 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clock_time_agrees_with_the_fact_table(language: Language) -> None:
    for place, text in texts(script(language)).items():
        known = {one["time"] for one in facts()["timeline"] if place in one["known_by"]}
        assert {*CLOCK.findall(text)} == known, place


def test_a_role_names_the_same_times_in_both_languages() -> None:
    for one, other in zip(script("en").roles, script("zh").roles, strict=True):
        assert CLOCK.findall(one.script) == CLOCK.findall(other.script), one.name


def test_the_timeline_runs_forward_and_names_only_people_and_clues_that_exist() -> None:
    times = [one["time"] for one in facts()["timeline"]]
    known = {*texts(script("en"))}
    assert times == sorted(times)
    for one in facts()["timeline"]:
        assert {*one["who"]} <= {*facts()["people"]}, one
        assert {*one["known_by"]} <= known, one


def test_nobody_is_at_two_places_in_one_minute() -> None:
    walking = {("20:14", "miles"), ("20:12", "iris"), ("20:11", "nell"), ("20:22", "iris")}
    seen: dict[tuple[str, str], set[str]] = {}
    for one in facts()["timeline"]:
        for who in one["who"]:
            if one["place"] != "away":
                seen.setdefault((one["time"], who), set()).add(one["place"])
    twice = {key for key, places in seen.items() if len(places) > 1}
    assert twice <= walking


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_stands_where_the_fact_table_says(language: Language) -> None:
    told = texts(script(language))
    for number, places in facts()["numbers"].items():
        whole = re.compile(rf"(?<![\d,]){re.escape(number)}(?![\d,]*\d)")
        assert [place for place in places if not whole.search(told[place])] == [], number


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_secret_of_a_role_stands_in_public_text(language: Language) -> None:
    one = script(language)
    open_text = public(one).casefold()
    private = "\n".join(role.script for role in one.roles).casefold()
    assert {*facts()["secrets"]} == {role_id(name) for name in one.names}
    for owner, words in facts()["secrets"].items():
        for word in words[language]:
            assert word in private, (owner, word)
            assert word not in open_text, (owner, word)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_people_are_called_as_in_the_fact_table(language: Language) -> None:
    one = script(language)
    played = {
        person[language]: person["part"]
        for person in facts()["people"].values()
        if person["part"] in ("murderer", "civilian")
    }
    assert {*one.names} == {*played}
    assert [name for name, part in played.items() if part == "murderer"] == [*one.murderers]


def left(knowledge: set[str]) -> set[str]:
    """Return who may have done it for somebody who has all of `knowledge` (roles and clues)."""
    return {
        one["who"]
        for one in facts()["at_the_blow"]["whereabouts"]
        if one["who"] not in knowledge
        and not any({*proof} <= knowledge for proof in one["shut_out_by"])
    }


def civilians() -> set[str]:
    return {key for key, one in facts()["people"].items() if one["part"] == "civilian"}


def pictures() -> set[str]:
    return {f"clue:{clue.id}" for clue in script("en").clues if clue.pictures}


def test_all_civilians_with_the_pictures_are_left_with_the_murderer_alone() -> None:
    assert left(civilians() | pictures()) == {"miles"}


def test_no_civilian_solves_the_case_alone() -> None:
    for civilian in civilians():
        assert len(left({civilian} | pictures())) > 1, civilian


def without(picture: str) -> set[str]:
    """Return whom everybody's knowledge leaves if nobody looks at `picture`, oneself not spared."""
    knowledge = (civilians() | pictures()) - {picture}
    return {
        one["who"]
        for one in facts()["at_the_blow"]["whereabouts"]
        if not any({*proof} <= knowledge for proof in one["shut_out_by"])
    }


def test_without_the_plan_or_the_photograph_somebody_else_is_left() -> None:
    assert without("clue:none") == {"miles"}
    assert without("clue:plan") == {"miles", "felix"}
    assert without("clue:photo") == {"miles", "nell"}


def test_at_the_time_of_the_blow_everybody_but_the_murderer_is_elsewhere() -> None:
    blow = facts()["at_the_blow"]
    places = {
        one["who"]: one["place"]
        for one in blow["whereabouts"]
        if one["since"] <= blow["time"] <= one["until"]
    }
    assert {*places} == civilians() | {"miles"}
    assert [who for who, place in places.items() if place == "dressing-1"] == ["miles"]


def test_the_blow_falls_after_the_last_message_and_between_the_two_thunderclaps() -> None:
    log = next(c for c in script("en").clues if c.id == "log").pictures[0].transcript
    thunder = [CLOCK.findall(line)[0] for line in log.splitlines() if "THUNDER" in line]
    first, second = thunder
    assert "20:15" < first < facts()["at_the_blow"]["time"] < second


@pytest.mark.parametrize("language", LANGUAGES)
def test_key_clues_rest_on_something_and_go_from_read_to_deduced(language: Language) -> None:
    keys = script(language).truth.key_clues
    assert {0, 1, 2, 3} <= {key.hops for key in keys}
    assert all(key.holders or key.clues for key in keys)
    assert all(key.hops != 0 or not key.holders for key in keys)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_that_belongs_to_nobody_is_asked_about_or_proves_something(
    language: Language,
) -> None:
    one = script(language)
    used = {*chain.from_iterable(question.clues for question in one.questions)}
    used |= {*chain.from_iterable(key.clues for key in one.truth.key_clues)}
    assert {clue.id for clue in one.clues if clue.pictures} <= used
