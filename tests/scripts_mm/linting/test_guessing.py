"""Rules that guess a culprit from what every seat can read."""

from dataclasses import replace

import pytest

from scripts_mm.linting.guessing import RULES, guess_culprits, read_public
from scripts_mm.script import Clue, Script, Truth
from tests.scripts_mm.making import a_script


def script(*, opening: str, clues: tuple[Clue, ...] = (), guilty: str = "Corin Dale") -> Script:
    return a_script(
        opening=opening, clues=clues, truth=Truth(culprits=(guilty,)), questions=(), factual=()
    )


def rate(rule: str, made: Script) -> float:
    found = guess_culprits(made)
    assert found is not None
    return found.by_rule[rule]


@pytest.mark.parametrize(
    ("rule", "opening"),
    [
        ("named most", "Corin Dale came. Corin Dale left. Ilse Varga and Bram Oake slept."),
        ("named least", "Ilse Varga came. Bram Oake left."),
        ("named first", "Corin Dale came. Then Ilse Varga. Then Bram Oake."),
        ("named last", "Ilse Varga came. Then Bram Oake. Then Corin Dale."),
        ("most with victim", "Corin Dale hated Tamsin. Ilse Varga came. Bram Oake left."),
        ("most with death", "Ilse Varga came. Tamsin was dead when Corin Dale came."),
        ("least with others", "Ilse Varga sat beside Bram Oake. Corin Dale was alone."),
    ],
)
def test_each_rule_names_whom_it_says(rule: str, opening: str) -> None:
    assert rate(rule, script(opening=opening)) == 1
    assert rate(rule, script(opening=opening, guilty="Bram Oake")) == 0


def test_an_alias_counts_as_its_role() -> None:
    assert rate("named most", script(opening="The Carter came.")) == 1


def test_a_rule_that_names_several_guesses_among_them() -> None:
    opening = "Corin Dale and Ilse Varga came."
    assert rate("named most", script(opening=opening)) == pytest.approx(1 / 2)
    assert rate("named first", script(opening="Nobody came.")) == pytest.approx(1 / 3)


def test_roles_are_listed_in_the_order_of_the_script() -> None:
    opening = "Nobody came."
    assert rate("listed first", script(opening=opening, guilty="Ilse Varga")) == 1
    assert rate("listed last", script(opening=opening, guilty="Bram Oake")) == 1


def test_a_clue_of_one_role_is_not_read_and_the_words_of_a_picture_are() -> None:
    letter = a_script().clues[0]
    private = Clue(id="note", title="Note", text="Corin Dale did it.", owner="Ilse Varga")
    shown = replace(letter, owner=None, text="Bram Oake wrote it.")
    record = read_public(script(opening="", clues=(private, shown)))
    assert record.count(lambda _: True) == {"Ilse Varga": 0, "Corin Dale": 0, "Bram Oake": 1}
    assert record.count(lambda at: record.in_pictures[at])["Bram Oake"] == 1
    assert any("pump house" in sentence for sentence in record.sentences)


def test_a_script_whose_culprit_is_no_role_is_not_judged() -> None:
    made = a_script(truth=Truth(culprits=("A stranger",), not_playable=("A stranger",)))
    assert guess_culprits(made) is None


def test_a_script_is_guessable_when_the_rules_do_twice_as_well_as_chance() -> None:
    found = guess_culprits(script(opening="Corin Dale came."))
    assert found is not None
    assert found.chance == pytest.approx(1 / 3)
    assert replace(found, by_rule=dict.fromkeys(RULES, 0.67)).is_guessable
    assert not replace(found, by_rule=dict.fromkeys(RULES, 0.66)).is_guessable
