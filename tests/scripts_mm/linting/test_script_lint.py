"""What lint finds, each planted alone into a script that is otherwise in order."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts_mm.linting import lint
from scripts_mm.linting.answer_bias import position_deviation
from scripts_mm.linting.question_checks import asks_for_murderer
from scripts_mm.safe_pictures import make_picture
from scripts_mm.script import Clue, KeyClue, Question, Role, Script, Truth
from scripts_mm.script_folder import LoadedScript
from tests.scripts_mm.making import a_script, png, saved

LONG = " ".join(f"On evening {number} you wrote a line in the ledger." for number in range(30))


def good() -> Script:
    """Return a script in which lint finds nothing."""
    letter = make_picture(
        png(120, 90),
        "letter.png",
        kind="text",
        transcript="Come to the pump house.",
        description="A letter.",
    )
    start = a_script()
    others = {"Ilse Varga": "Corin Dale", "Corin Dale": "Bram Oake", "Bram Oake": "Ilse Varga"}
    roles = tuple(
        replace(
            role,
            script=f"{role.script} {others[role.name]} was there. {LONG}",
            mission=role.mission or "Find out.",
            introduction="I carry things.",
            reply="I know nothing.",
        )
        for role in start.roles
    )
    clues = (replace(start.clues[0], pictures=(letter,)), replace(start.clues[1], stage=1))
    truth = replace(start.truth, misleading=("dog",))
    return replace(start, roles=roles, clues=clues, truth=truth)


def loaded(script: Script) -> LoadedScript:
    return LoadedScript(script=script, folder=Path("nowhere"), sha256="")


def codes(script: Script) -> dict[str, str]:
    return {one.code: one.severity for one in lint(loaded(script))}


def ask(number: int, key: int = 0, **changes: Any) -> Question:
    options = tuple(f"thing {number}{letter}" for letter in "abcd")
    question = Question(
        id=f"MMR-{number}", kind="mmr", stem=f"What is {number}?", options=options, keys=(key,)
    )
    return replace(question, **changes)


def test_a_script_in_order_has_no_findings() -> None:
    assert lint(loaded(good())) == ()


def role(at: int, **changes: Any) -> dict[str, Any]:
    roles = list(good().roles)
    roles[at] = replace(roles[at], **changes)
    return {"roles": tuple(roles)}


def truth(**changes: Any) -> dict[str, Any]:
    return {"truth": replace(good().truth, **changes)}


def clue(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": "new", "title": "New", "text": "A button."} | changes
    clues = (*good().clues, Clue(**fields))
    misleading = replace(good().truth, misleading=("dog", "new"))
    return {"clues": clues, "truth": misleading}


def picture(width: int, height: int, **changes: Any) -> dict[str, Any]:
    whole = good()
    shown = replace(whole.clues[0].pictures[0], width=width, height=height, **changes)
    return {"clues": (replace(whole.clues[0], pictures=(shown,)), whole.clues[1])}


def asked(*questions: Question) -> dict[str, Any]:
    return {"questions": (*good().questions, *questions)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "code", "severity"),
    [
        (truth(culprits=()), "no-culprit", "error"),
        (truth(culprits=("Nobody",), not_playable=("Nobody",)), "culprit-not-playable", "error"),
        (truth(culprits=good().names), "no-civilians", "error"),
        (truth(not_playable=("Bram Oake",)), "playable-after-all", "warning"),
        ({"victims": ("Bram Oake",)}, "victim-is-role", "warning"),
        ({"opening": ""}, "empty-field", "info"),
        (clue(text=""), "empty-clue", "error"),
        (clue(stage=4), "stage-gap", "warning"),
        (clue(trigger="the green lamp"), "unreachable-clue", "warning"),
        (truth(misleading=()), "unused-clue", "info"),
        (truth(key_roles=("The Ferryman",)), "key-role-no-role", "warning"),
        (truth(key_clues=(KeyClue(id="k", text="x"),)), "key-clue-unheld", "warning"),
        (
            truth(key_clues=(KeyClue(id="k", text="x", holders=("The Cook",)),)),
            "key-clue-holder",
            "warning",
        ),
        (
            truth(key_clues=(KeyClue(id="k", text="x", holders=("Corin Dale",)),)),
            "key-clue-of-culprit",
            "warning",
        ),
        (role(0, name="Corin Dales"), "names-alike", "warning"),
        (role(2, script=f"Corim told you so. {LONG}"), "name-variant", "info"),
        (role(2, script="You slept."), "script-short", "warning"),
        (role(2, script=LONG * 60), "script-long", "warning"),
        (role(2, script=LONG * 60), "scripts-uneven", "info"),
        (
            {"opening": "All know it: Corin Dale is the murderer, and nothing more is said."},
            "culprit-in-public",
            "warning",
        ),
        (
            {"opening": "She died. Corin struck her with the handle because of the debt. Yes."},
            "truth-in-public",
            "warning",
        ),
        (
            role(2, script=f"Corin struck her with the handle because of the debt. {LONG}"),
            "truth-in-script",
            "info",
        ),
        (asked(ask(1, keys=())), "unscored-question", "warning"),
        (asked(ask(1, options=("a", "a ", "b", "c"))), "equal-options", "warning"),
        (asked(ask(1, options=("", "a", "b", "c"))), "empty-option", "warning"),
        (asked(ask(1), ask(1, id="again")), "duplicate-question", "info"),
        (asked(ask(1), ask(1, id="again", keys=(2,))), "same-text-two-keys", "warning"),
        (asked(ask(1), ask(2, id="again", stem="What is 1?")), "same-stem-two-answers", "info"),
        (
            asked(ask(1, stem="Who killed Tamsin?", options=good().names, keys=(0,))),
            "key-against-murderer",
            "warning",
        ),
        (asked(ask(1, kind="lsu")), "no-role", "info"),
        (asked(ask(1, kind="miu", clues=("dog",))), "no-picture", "warning"),
        (asked(ask(1, kind="miu")), "clue-not-named", "info"),
        (
            asked(ask(1, options=("a very long and exact right answer", "b", "c", "d"))),
            "telling-length",
            "info",
        ),
        (asked(*(ask(number) for number in range(30))), "position-bias", "info"),
        (
            asked(
                *(
                    ask(
                        n,
                        n % 4,
                        options=(*tuple("bbbb"[: n % 4]), "long", *tuple("cdef"[n % 4 + 1 :])),
                    )
                    for n in range(24)
                )
            ),
            "longest-option-bias",
            "warning",
        ),
        (picture(3000, 2000), "picture-over-budget", "info"),
        (picture(8000, 30), "picture-too-long", "error"),
        (picture(40, 40), "picture-small", "warning"),
        (picture(120, 90, transcript=""), "no-transcript", "info"),
        (picture(120, 90, description=""), "no-description", "info"),
        (picture(120, 90, kind=None), "no-kind", "info"),
    ],
)
def test_each_planted_fault_is_found(changes: dict[str, Any], code: str, severity: str) -> None:
    assert codes(replace(good(), **changes)).get(code) == severity


def test_keys_at_even_positions_and_a_few_at_one_are_no_bias() -> None:
    even = replace(good(), **asked(*(ask(number, number % 4) for number in range(40))))
    few = replace(good(), **asked(*(ask(number) for number in range(10))))
    assert "position-bias" not in codes(even)
    assert "position-bias" not in codes(few)


def test_a_passage_of_one_private_script_in_the_opening_is_a_leak() -> None:
    passage = "You hid the silver whistle under the third stone of the dry wall."
    leaking = role(0, script=f"{passage} {LONG}")
    assert "private-in-opening" in codes(replace(good(), opening=f"Dawn. {passage}", **leaking))
    everybody = tuple(replace(one, script=f"{passage} {one.script}") for one in good().roles)
    common = replace(good(), opening=f"Dawn. {passage}", roles=everybody)
    assert "private-in-opening" not in codes(common)


def test_pictures_without_any_question_on_them_are_no_fault_but_the_reverse_is() -> None:
    bare = replace(
        good(), clues=good().clues[1:], truth=Truth(culprits=("Corin Dale",)), questions=()
    )
    assert "no-pictures" not in codes(bare)
    asking = replace(bare, questions=(ask(1, kind="tiu"),))
    assert codes(asking)["no-pictures"] == "error"


def test_a_file_that_no_clue_shows_is_told(tmp_path: Path) -> None:
    whole = saved(tmp_path / "en")
    (whole.folder / "pictures" / "draft.png").write_bytes(png())
    assert "unused-file" in {one.code for one in lint(whole)}


def test_many_pictures_that_fill_a_context_are_told() -> None:
    whole = good()
    shown = whole.clues[0].pictures[0]
    many = tuple(
        Clue(id=f"c{n}", title="Plan", pictures=(replace(shown, width=1200, height=1000),))
        for n in range(20)
    )
    assert "pictures-heavy" in codes(replace(whole, clues=(*whole.clues, *many)))


def test_names_that_stand_inside_each_other_are_told() -> None:
    roles = (Role(name="Ann", script=LONG), *good().roles[1:], Role(name="Anna Lee", script=LONG))
    assert "name-inside-name" in codes(replace(good(), roles=roles))


@pytest.mark.parametrize(
    ("stem", "asks"),
    [
        ("Who killed the miller?", True),
        ("Who is the real murderer?", True),
        ("Which guest was the killer?", True),
        ("Who does Ann believe is the murderer?", False),
        ("Who might have killed him?", False),
        ("What killed the miller?", False),
        ("谁是凶手？", True),
        ("凶手究竟是谁？", True),
        ("庄主到底被谁杀害？", True),
        ("庄主被哪个人毒死？", True),
        ("是谁在湖边杀死了庄主？", True),
        ("谁被怀疑是凶手？", False),
        ("凶手在哪里？", False),
        ("谁想要杀死庄主？", False),
    ],
)
def test_a_question_that_asks_who_did_it_is_known(stem: str, asks: bool) -> None:
    assert asks_for_murderer(stem) is asks


def test_even_positions_are_no_bias_and_one_letter_is() -> None:
    assert position_deviation([number % 4 for number in range(40)], 4) < 0
    assert position_deviation([0] * 40, 4) > 5
    assert position_deviation([0] * 13 + [1] * 9 + [2] * 10 + [3] * 8, 4) < 2.33
