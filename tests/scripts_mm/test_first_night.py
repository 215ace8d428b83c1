"""The bundled script "first-night": both languages, one case, solvable, fair, true to its facts."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import pytest

from scripts_mm.catalog import LIBRARY, find_script
from scripts_mm.facts.claim_types import PlainStatement, Presence
from scripts_mm.facts.fact_table import (
    FactTable,
    Source,
    format_clock,
)
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.facts.proof import prove
from scripts_mm.facts.solver import solve
from scripts_mm.linting import lint
from scripts_mm.script import LANGUAGES, Clue, Language, Question, Script
from scripts_mm.script_folder import LoadedScript
from scripts_mm.script_texts import text_length

FOLDER = LIBRARY / "first-night"
CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?!\d)")
SECRETS: dict[str, dict[Language, tuple[str, ...]]] = {
    "iris": {"en": ("pregnan", "expecting a child"), "zh": ("怀孕", "身孕")},
    "nell": {
        "en": ("left-handed", "second ghost dress", "bolted"),
        "zh": ("左撇子", "第二件鬼衣", "闩上"),
    },
    "dorothea": {"en": ("emerald", "green glass"), "zh": ("翡翠", "绿玻璃")},
    "felix": {"en": ("weddings", "hiring out"), "zh": ("婚礼", "租给")},
    "miles": {"en": ("thunder sheet", "invented an invoice"), "zh": ("雷板", "编了一张单子")},
}
"""Words of each role's script that no public text may hold."""
NUMBERS = {
    "38,400": ("miles", "truth", "clue:invoice", "clue:ledger"),
    "31,200": ("clue:invoice",),
    "2,600": ("clue:invoice",),
    "7,200": ("clue:invoice",),
    "1998": ("miles", "nell", "keys"),
    "300": ("miles", "felix"),
    "200": ("nell",),
    "2217": ("clue:invoice",),
    "240": ("clue:plan", "truth"),
    "28": ("clue:plan", "clue:invoice"),
    "58": ("clue:report",),
}
"""Where each figure stands."""
WORDS: dict[Language, range] = {"en": range(1_500, 2_501), "zh": range(2_500, 4_001)}
"""Words (en) or characters (zh) of a private script."""


@cache
def loaded(language: Language) -> LoadedScript:
    return find_script("first-night", language)


def script(language: Language) -> Script:
    return loaded(language).script


@cache
def facts() -> FactTable:
    table = load_facts(FOLDER)
    assert table is not None
    return table


def role_id(name: str) -> str:
    return next(one.id for one in facts().people if name in one.names.values())


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


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_script_loads_and_lint_finds_no_fault(language: Language) -> None:
    found = lint(loaded(language))
    assert found == ()


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
        assert text_length(role.script, language) in WORDS[language], role.name


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
            (q.id, q.kind, q.keys, q.clues, q.hops, q.answer, q.points, at.get(q.role or ""))
            for q in one.questions
        ],
        "key clues": [
            (key.id, key.hops, key.clues, key.premises, [at[name] for name in key.holders])
            for key in one.truth.key_clues
        ],
        "killings": [[at[name] for name in one.culprits] for one in one.truth.killings],
        "factual": [(fact.id, at[fact.role], fact.about) for fact in one.factual],
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
        assert len(one.read_picture(picture)) <= 400_000, picture.file


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_letter_misleads_and_five_clues_belong_to_innocent_roles(language: Language) -> None:
    one = script(language)
    owners = [clue.owner for clue in one.clues if clue.owner]
    assert one.truth.misleading == ("letter",)
    assert len(owners) == 5
    assert not {*owners} & {*one.murderers}


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_have_four_options_and_keys_at_every_position_alike(language: Language) -> None:
    questions = script(language).questions
    kinds = Counter(question.kind for question in questions)
    assert len(questions) >= 80
    assert all(kinds[kind] >= 7 for kind in ("lsu", "tiu", "miu", "mmr", "rea", "rel", "inf"))
    assert kinds["obj"] == len(script(language).names) - 1
    assert all(len(question.options) == 4 and len(question.keys) == 1 for question in questions)
    assert Counter(question.keys[0] for question in questions) == {0: 24, 1: 24, 2: 24, 3: 24}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_role_has_seven_questions_on_its_script_with_four_key_positions(
    language: Language,
) -> None:
    one = script(language)
    for name in one.names:
        asked = [question for question in one.questions if question.role == name]
        own = [question for question in asked if question.kind == "lsu"]
        assert {question.keys[0] for question in own} == {0, 1, 2, 3}, name
        kinds = Counter(question.kind for question in asked)
        assert kinds == {"lsu": 7, "rea": 2, "rel": 2} | (
            {} if name in one.murderers else {"obj": 1}
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_on_pictures_rest_on_pictures_of_their_kind(language: Language) -> None:
    one = script(language)
    kinds = {clue.id: {p.kind for p in clue.pictures} for clue in one.clues}
    for question in one.questions:
        if question.kind in ("tiu", "miu"):
            wanted = "text" if question.kind == "tiu" else "media"
            assert [kinds[clue] for clue in question.clues] == [{wanted}], question.id
    hops = {question.hops for question in one.questions if question.kind == "mmr"}
    assert {0, 1, 2, 3} <= {hop for hop in hops if hop is not None}


def test_the_question_for_the_murderer_has_the_murderer_as_key() -> None:
    for language in LANGUAGES:
        one = script(language)
        last = next(question for question in one.questions if question.id == "mmr-12")
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


def place_of(source: Source) -> str:
    """Return the place of `texts` in which a source stands."""
    match source.kind:
        case "opening":
            return "opening"
        case "role":
            return source.name
        case "clue" | "picture":
            return f"clue:{source.name}"


def times_told(language: Language) -> dict[str, set[str]]:
    """Return the clock times of the fact table by the place in which they stand."""
    told: dict[str, set[str]] = {}
    for fact in facts().facts:
        for source in fact.sources:
            told.setdefault(place_of(source), set()).update(CLOCK.findall(fact.says[language]))
    return told


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clock_time_agrees_with_the_fact_table(language: Language) -> None:
    told = times_told(language)
    known = set[str]().union(*told.values())
    for place, text in texts(script(language)).items():
        times = {*CLOCK.findall(text)}
        if place in ("truth", "keys"):
            assert times <= known, place
        else:
            assert times == told.get(place, set()), place


def test_a_fact_names_the_same_times_in_both_languages() -> None:
    for fact in facts().facts:
        en, zh = (CLOCK.findall(fact.says[language]) for language in LANGUAGES)
        assert sorted(en) == sorted(zh), fact.id


def test_a_stay_lasts_from_and_to_the_times_that_its_sentence_names() -> None:
    for fact in facts().facts:
        if isinstance(fact.claim, Presence):
            named = {*CLOCK.findall(fact.says["en"])}
            assert named == {format_clock(fact.claim.start), format_clock(fact.claim.end)}, fact.id


def test_a_role_names_the_same_times_in_both_languages() -> None:
    for one, other in zip(script("en").roles, script("zh").roles, strict=True):
        assert CLOCK.findall(one.script) == CLOCK.findall(other.script), one.name


def test_the_facts_that_name_a_time_stand_in_its_order() -> None:
    stated = [
        fact for fact in facts().facts if fact.sources and isinstance(fact.claim, PlainStatement)
    ]
    times = [CLOCK.findall(fact.says["en"])[0] for fact in stated if CLOCK.search(fact.says["en"])]
    assert times == sorted(times)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_stands_where_the_fact_table_says(language: Language) -> None:
    told = texts(script(language))
    for number, places in NUMBERS.items():
        whole = re.compile(rf"(?<![\d,]){re.escape(number)}(?![\d,]*\d)")
        assert [place for place in places if not whole.search(told[place])] == [], number


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_secret_of_a_role_stands_in_public_text(language: Language) -> None:
    one = script(language)
    open_text = public(one).casefold()
    private = "\n".join(role.script for role in one.roles).casefold()
    assert {*SECRETS} == {role_id(name) for name in one.names}
    for owner, words in SECRETS.items():
        for word in words[language]:
            assert word in private, (owner, word)
            assert word not in open_text, (owner, word)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_people_are_called_as_in_the_fact_table(language: Language) -> None:
    names = {one.id: one.names[language] for one in facts().people}
    assert tuple(names[one] for one in facts().suspects) == script(language).names
    assert [names[one] for one in facts().crimes[0].culprits] == [*script(language).murderers]
    assert names[facts().crimes[0].victim] in script(language).victims


CIVILIANS = frozenset({"iris", "nell", "dorothea", "felix"})


def test_all_civilians_with_the_pictures_are_left_with_the_murderer_alone() -> None:
    assert solve(facts(), CIVILIANS) == {"murder": ("miles",)}


def test_no_three_seats_solve_the_case_and_the_four_innocent_ones_do() -> None:
    proof = prove(facts())
    assert proof.solved
    assert proof.k == 3
    assert proof.seats_needed == 4
    assert proof.seats == ("iris", "nell", "dorothea", "felix")
    assert solve(facts(), frozenset(proof.seats)) == {"murder": ("miles",)}
    assert not proof.needs_culprit


def test_the_proof_is_four_hops_deep_and_needs_pictures() -> None:
    proof = prove(facts())
    assert proof.hops == proof.hops_needed == 4
    assert proof.needs_picture
    assert len(solve(facts(), pictures=False)["murder"]) > 1


def without(clue: str) -> set[str]:
    """Return whom everything leaves if nobody has the clue or sees its picture."""
    told = [
        replace(fact, sources=tuple(one for one in fact.sources if one.name != clue))
        for fact in facts().facts
    ]
    known = {fact.id for fact in told if fact.sources}
    for _ in told:
        known |= {fact.id for fact in told if any({*one} <= known for one in fact.because)}
    kept = tuple(
        replace(fact, because=tuple(one for one in fact.because if {*one} <= known))
        for fact in told
        if fact.id in known
    )
    return {*solve(replace(facts(), facts=kept, lies=()))["murder"]}


def test_without_the_plan_felix_is_left_and_without_the_scene_three_more() -> None:
    assert without("none") == {"miles"}
    assert without("plan") == {"miles", "felix"}
    assert without("scene") == {"miles", "iris", "nell", "dorothea"}


def test_at_the_time_of_the_blow_everybody_but_the_murderer_is_elsewhere() -> None:
    blow = 20 * 60 + 17
    stays = [fact.claim for fact in facts().facts if isinstance(fact.claim, Presence)]
    places = {one.who: one.place for one in stays if one.start <= blow <= one.end}
    assert {*places} == {*facts().suspects}
    assert [who for who, place in places.items() if place == "dressing-1"] == ["miles"]


def test_the_blow_falls_after_the_last_message_and_between_the_two_thunderclaps() -> None:
    log = next(c for c in script("en").clues if c.id == "log").pictures[0].transcript
    thunder = [CLOCK.findall(line)[0] for line in log.splitlines() if "THUNDER" in line]
    first, second = thunder
    assert "20:15" < first < CLOCK.findall(facts().fact("blow").says["en"])[0] < second


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
