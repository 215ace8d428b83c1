"""One fault at a time is planted into a good script, and lint finds each of them.

Structure: nobody did it; the culprit is no role; all are culprits; a victim is played; a victim
twice, or without a killing; a killing twice, or of nobody; a culprit without a killing; an
instigator who is dead, or who needs nobody; who killed whom untold; a role without a goal; a role
that nobody names; a culprit without an introduction; a field left empty.
Clues: one is empty; one stands twice; a stage is skipped, or lies behind the scripts' last; a
trigger is never spoken; two triggers wait for each other; a dealt clue has a place; two places
differ by a letter; a place is never named; nothing rests on a clue.
Reasoning: a key clue is held by a stranger, by nobody, by the culprit alone; a chain is a circle,
or begins nowhere; a conclusion is no deeper than its premise; a key clue twice, or without text; a
key role that is no role.
Names: two alike; one inside another; a slip in a text; an alias that another person has.
Leaks: the truth or the culprit in a public clue; the truth in an innocent's script; a private
passage in the opening or in a public clue; an owned clue told in the opening; the culprit named in
an innocent's script; a private fact, or one that only a picture should tell, in a public text.
Texts: a script too short, too long, uneven, given twice, shown as a clue; a part that the script
lacks; a part twice; a text and a transcript in another language.
Questions: a key against the truth (who did it, in one's own eyes, for one victim of two); equal and
empty options; a question twice; two keys for one text; no key; a picture question without a picture
or about one of the other kind; no points, odd points; in nobody's eyes; no reason; one script; a
role not asked; one option; all right; two of two; a set of one; a key twice; known to the culprit
alone; the answer in the stem; an empty stem; an option that nobody knows; positions, long and short
right options as a habit, of all and of one kind; one that is much longer.
Factual questions: no such sentence; no answer; twice; a role without.
Pictures: too long, over the budget, tiny, many; no transcript, description, kind; shown twice; two
transcripts; a text that nothing takes up; an answer that the picture does not hold.
Ways: a text states another time than the fact table.
The fact table and the files beside the script are in test_planted_facts.py.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from scripts_mm.facts.facts_file import load_facts
from scripts_mm.findings import Severity
from scripts_mm.linting import lint
from scripts_mm.script import FactualQuestion, Killing, Part, Role, Script
from tests.scripts_mm.planting import (
    CULPRIT,
    VICTIM,
    a_clue,
    a_key_clue,
    also,
    also_factual,
    ask,
    clue,
    every_key_at,
    every_right_option,
    factual,
    found,
    good,
    key_clue,
    more,
    picture,
    picture_of,
    question,
    role,
    start,
    truth,
    without,
)

Plant = Callable[[], Script]
LONG = "You counted the lamps once more and wrote the number down. " * 900


@pytest.mark.slow
def test_the_good_script_has_no_findings() -> None:
    assert lint(good()) == ()


def two_victims(guilty: str = CULPRIT) -> Script:
    """Return the good script with a second victim, killed by `guilty`."""
    killings = (*start().truth.killings, Killing(victim="Old Hobb", culprits=(guilty,)))
    culprits = tuple(dict.fromkeys((CULPRIT, guilty)))
    told_apart = replace(start().truth, killings=killings, culprits=culprits)
    return replace(start(), truth=told_apart, victims=(VICTIM, "Old Hobb"))


def asked_per_victim() -> Script:
    """Return a script with two killers in which the wrong one of them is the key."""
    who = replace(ask("mmr-12"), id="who", stem="Who killed Old Hobb?")
    script = two_victims("Felix Oduya")
    return replace(script, questions=(*script.questions, who))


def waiting_for_each_other() -> Script:
    one = a_clue("one", text="The amber comb lies here.", trigger="velvet glove")
    other = a_clue("other", text="The velvet glove lies here.", trigger="amber comb")
    return more(one, other)


def six_roles(name: str = "Quentin Ypres") -> Script:
    """Return the good script with a role more."""
    stranger = Role(name=name, script=f"You came late. {LONG[:2000]}", mission="Stay.")
    return replace(start(), roles=(*start().roles, stranger))


def without_mission_of_the_unaware() -> Script:
    """Return the good script whose culprit, who has no goal of its own, does not know it."""
    return replace(role(4, mission=""), truth=replace(start().truth, unaware=(CULPRIT,)))


def told(text: str) -> Script:
    """Return the good script with a sentence more in a public clue."""
    kept = next(one for one in start().clues if one.id == "doorkeeper")
    return clue("doorkeeper", text=f"{kept.text} {text}")


def stated(fact: str) -> str:
    """Return the sentence of a fact of the good script."""
    table = load_facts(good().folder)
    assert table is not None
    return next(one.says["en"] for one in table.facts if one.id == fact)


def opened(text: str) -> Script:
    return replace(start(), opening=f"{start().opening} {text}")


def private(at: int, text: str) -> Script:
    return role(at, script=f"{start().roles[at].script} {text}")


def shown_again(**changes: str) -> Script:
    return more(a_clue("copy", pictures=(replace(picture_of("photo"), **changes),)))


def many_pictures() -> Script:
    shown = replace(picture_of("photo"), width=1200, height=1000)
    return more(*(a_clue(f"c{n}", text=f"{n}", pictures=(shown,)) for n in range(20)))


PLANTED: list[tuple[str, Severity, Plant]] = [
    ("no-culprit", "error", lambda: truth(culprits=(), killings=())),
    (
        "culprit-not-playable",
        "error",
        lambda: truth(culprits=("The Owl",), not_playable=("The Owl",), killings=()),
    ),
    ("no-civilians", "error", lambda: truth(culprits=start().names)),
    ("victim-is-role", "warning", lambda: replace(start(), victims=(VICTIM, "Nell Ashby"))),
    ("victim-twice", "warning", lambda: replace(start(), victims=(VICTIM, VICTIM))),
    ("victim-without-killing", "warning", lambda: replace(start(), victims=(VICTIM, "Old Hobb"))),
    ("killing-twice", "warning", lambda: truth(killings=start().truth.killings * 2)),
    ("killing-of-nobody", "info", lambda: truth(killings=(Killing(victim=VICTIM),))),
    ("culprit-without-killing", "warning", lambda: truth(culprits=(CULPRIT, "Felix Oduya"))),
    (
        "instigator-is-victim",
        "warning",
        lambda: truth(instigators=(VICTIM,), not_playable=(VICTIM,)),
    ),
    ("instigator-of-nobody", "warning", lambda: truth(instigators=(CULPRIT,))),
    (
        "killings-not-told",
        "info",
        lambda: replace(truth(killings=()), victims=(VICTIM, "Old Hobb")),
    ),
    ("empty-mission", "info", lambda: replace(role(0, mission=""), civilian_mission="")),
    (
        "empty-mission",
        "info",
        lambda: replace(
            without_mission_of_the_unaware(), civilian_mission="", murderer_mission="Get away."
        ),
    ),
    ("role-unmentioned", "info", six_roles),
    ("culprit-silent", "info", lambda: role(2, introduction=None)),
    ("empty-field", "info", lambda: replace(start(), opening="")),
    ("empty-clue", "error", lambda: clue("notice", text="")),
    ("clue-twice", "warning", lambda: more(a_clue("one"), a_clue("other"))),
    ("stage-gap", "warning", lambda: clue("notice", stage=3)),
    ("unreachable-clue", "warning", lambda: clue("notice", trigger="the green lamp of Ypres")),
    ("unreachable-clue", "warning", waiting_for_each_other),
    ("owned-and-searched", "info", lambda: clue("ledger", place="Foyer")),
    (
        "places-alike",
        "warning",
        lambda: more(a_clue("one", place="Foyer"), a_clue("other", place="Foyers")),
    ),
    ("place-unnamed", "info", lambda: clue("notice", place="Observatory")),
    ("unused-clue", "info", lambda: more(a_clue())),
    ("key-clue-holder", "warning", lambda: a_key_clue(holders=("The Cook",))),
    ("key-clue-unheld", "warning", lambda: a_key_clue(clues=())),
    ("key-clue-of-culprit", "warning", lambda: a_key_clue(holders=(CULPRIT,), clues=())),
    (
        "chain-circle",
        "warning",
        lambda: key_clue("hook-on-the-left", premises=("weight-taken-after-20-14",)),
    ),
    ("chain-loose", "info", lambda: a_key_clue(hops=3)),
    (
        "stages-differ",
        "info",
        lambda: replace(clue("notice", stage=3), roles=in_stages(2)),
    ),
    ("part-empty", "info", lambda: role(0, parts=(Part(name="purpose", text=""),))),
    ("chain-hops", "warning", lambda: key_clue("nell-was-the-ghost", hops=1)),
    (
        "key-clue-twice",
        "warning",
        lambda: a_key_clue(text=start().truth.key_clues[0].text),
    ),
    ("key-clue-empty", "warning", lambda: a_key_clue(text=" ")),
    ("key-role-no-role", "warning", lambda: truth(key_roles=("The Ferryman",))),
    ("names-alike", "warning", lambda: six_roles("Nell Ashbey")),
    ("name-inside-name", "info", lambda: six_roles("Nell")),
    ("name-variant", "info", lambda: private(0, "Old Ashbi told you so.")),
    ("alias-collision", "warning", lambda: role(0, aliases=("Crane",))),
    ("truth-in-public", "warning", lambda: told(start().truth.text[30:120])),
    ("culprit-in-public", "warning", lambda: told("Miles Tarrant is the murderer.")),
    ("truth-in-script", "info", lambda: private(0, start().truth.method[20:100])),
    ("private-in-opening", "warning", lambda: opened(start().roles[1].script[300:400])),
    ("private-in-clue", "info", lambda: told(start().roles[1].script[300:400])),
    ("owned-clue-in-public", "warning", lambda: opened(start().clues[-1].text)),
    ("culprit-in-script", "warning", lambda: private(1, "Miles Tarrant was the killer.")),
    (
        "fact-in-public",
        "warning",
        lambda: told(stated("nobody-passed-hatch")),
    ),
    (
        "fact-in-public",
        "warning",
        lambda: picture("letter", transcript=stated("nobody-passed-hatch")),
    ),
    (
        "picture-fact-in-text",
        "warning",
        lambda: told(stated("chair-on-floor")),
    ),
    ("script-short", "warning", lambda: role(0, script="You are Iris Vane.")),
    ("script-long", "warning", lambda: private(0, LONG)),
    ("scripts-uneven", "info", lambda: private(0, LONG)),
    ("script-twice", "warning", lambda: role(0, script=start().roles[1].script)),
    (
        "script-as-clue",
        "warning",
        lambda: more(a_clue("sheet", title="You are Iris", text=private_text())),
    ),
    (
        "part-not-in-script",
        "warning",
        lambda: role(0, parts=(Part(name="story", text="You have a twin."),)),
    ),
    (
        "part-twice",
        "warning",
        lambda: role(0, parts=(Part(name="story", text="In June"),) * 2),
    ),
    ("untranslated-text", "info", lambda: private(0, "你什么都没有听见。")),
    (
        "transcript-language",
        "warning",
        lambda: picture("photo", transcript="首演剧照，第一幕“暴风雨”，晚上八点十七分。"),
    ),
    ("key-against-murderer", "warning", lambda: question("mmr-12", keys=(0,))),
    ("key-against-murderer", "warning", lambda: question("obj-01", keys=(1,))),
    ("key-against-murderer", "warning", asked_per_victim),
    ("equal-options", "warning", lambda: question("tiu-02", options=("a1", "b1", "a1 ", "c1"))),
    ("empty-option", "warning", lambda: question("tiu-02", options=("", "20:40", "x1", "y1"))),
    ("duplicate-question", "info", lambda: also(replace(ask("tiu-02"), id="again"))),
    (
        "same-text-two-keys",
        "warning",
        lambda: also(replace(ask("tiu-02"), id="again", keys=(3,))),
    ),
    (
        "same-stem-two-answers",
        "info",
        lambda: also(replace(ask("tiu-02"), id="again", options=("1", "2", "3", "4"))),
    ),
    ("unscored-question", "warning", lambda: question("tiu-02", keys=())),
    ("no-picture", "warning", lambda: question("tiu-02", clues=("notice",))),
    ("kind-of-picture", "info", lambda: question("tiu-02", clues=("photo",))),
    ("clue-not-named", "info", lambda: question("tiu-02", clues=())),
    ("no-points", "warning", lambda: question("rea-01", points=None)),
    ("unusual-points", "info", lambda: question("rea-01", points=7)),
    ("no-role", "info", lambda: question("rel-01", role=None)),
    ("no-rationale", "warning", lambda: question("inf-01", rationale="")),
    ("inference-of-one", "info", lambda: question("inf-01", source="Felix Oduya")),
    ("role-not-asked", "info", lambda: without("lsu", "Nell Ashby")),
    ("few-options", "warning", lambda: question("tiu-02", options=("20:44",), keys=(0,))),
    ("no-wrong-option", "warning", lambda: question("tiu-02", keys=(0, 1, 2, 3))),
    (
        "two-of-few",
        "warning",
        lambda: question("obj-04", options=("Iris Vane", CULPRIT), keys=(1,)),
    ),
    ("set-of-one", "info", lambda: question("rea-01", answer="set")),
    ("key-twice", "warning", lambda: question("tiu-02", keys=(2, 2))),
    (
        "question-of-culprit",
        "warning",
        lambda: replace(clue("invoice", owner=CULPRIT)),
    ),
    (
        "answer-in-stem",
        "warning",
        lambda: question("mmr-07", stem="Which way, through the wing door, did he take?"),
    ),
    ("empty-stem", "warning", lambda: question("tiu-02", stem=" ")),
    (
        "stray-option",
        "info",
        lambda: question("obj-01", options=(*ask("obj-01").options[:3], "Zoltan Quirke")),
    ),
    ("position-bias", "info", lambda: every_key_at(2)),
    ("longest-option-bias", "warning", lambda: every_right_option(", as it turned out")),
    ("shortest-option-bias", "warning", lambda: every_right_option("", less=2)),
    ("longest-option-of-kind", "info", lambda: every_right_option(", as it turned out")),
    ("telling-length", "info", lambda: every_right_option(", " + "as it turned out, " * 6)),
    ("factual-source", "warning", lambda: factual(source="Your doctor has a red beard.")),
    ("factual-empty", "warning", lambda: factual(answer=" ")),
    (
        "factual-twice",
        "warning",
        lambda: also_factual(replace(start().factual[0], id="again")),
    ),
    ("factual-role", "info", lambda: replace(start(), factual=only_of("story"))),
    ("picture-too-long", "error", lambda: picture("photo", width=9000, height=30)),
    ("picture-over-budget", "info", lambda: picture("photo", width=3000, height=2000)),
    ("picture-small", "warning", lambda: picture("photo", width=40, height=40)),
    ("pictures-heavy", "info", many_pictures),
    ("no-transcript", "info", lambda: picture("letter", transcript="")),
    ("no-description", "info", lambda: picture("letter", description="")),
    ("no-kind", "info", lambda: picture("letter", kind=None)),
    ("picture-twice", "info", shown_again),
    ("picture-two-texts", "warning", lambda: shown_again(transcript="Sold out.")),
    (
        "answer-not-in-picture",
        "info",
        lambda: question("tiu-02", options=("20:40", "20:41", "03:33", "20:45")),
    ),
    (
        "answer-not-in-picture",
        "info",
        lambda: question("miu-04", options=("Beneath a zither", *ask("miu-04").options[1:])),
    ),
    (
        "travel-times-differ",
        "warning",
        lambda: told("From the control box to Dressing Room 1 it takes nine minutes."),
    ),
    ("text-not-taken-up", "info", lambda: shown_again(transcript="Quinces, marzipan")),
]


def in_stages(last: int) -> tuple[Role, ...]:
    """Return the roles of the good script, the first told in stages up to `last`."""
    parts = tuple(Part(name="story", text="You are", stage=at + 1) for at in range(last))
    return (replace(start().roles[0], parts=parts), *start().roles[1:])


def private_text() -> str:
    """Return the private script of a role without its first words, which stand in a title."""
    return start().roles[0].script.removeprefix("You are Iris")


def only_of(about: str) -> tuple[FactualQuestion, ...]:
    return tuple(one for one in start().factual if one.about == about)


@pytest.mark.slow
def test_what_only_a_picture_tells_may_be_read_in_a_picture() -> None:
    shown = picture("letter", transcript=stated("chair-on-floor"))
    assert "picture-fact-in-text" not in found(shown)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "severity", "plant"),
    PLANTED,
    ids=[f"{at:03}-{code}" for at, (code, _, _) in enumerate(PLANTED)],
)
def test_a_planted_fault_is_found(code: str, severity: Severity, plant: Plant) -> None:
    finding = found(plant()).get(code)
    assert finding is not None
    assert finding.severity == severity
    assert finding.place
    assert finding.detail
