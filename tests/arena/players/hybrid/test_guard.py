"""The guard: no text of the model contradicts the table, or speaks as another seat."""

import pytest

from arena.core.actions import Skip
from scripts_mm.script import Language
from tests.arena.players.hybrid.stage import (
    Case,
    Lines,
    asking,
    case_steps,
    joined,
    new_seat,
)
from tests.arena.players.scripted_replies import notes

in_both = pytest.mark.parametrize("language", ["en", "zh"])
GUARDED = {
    "en": ("At 21:00 I was in the cellar.", "At 21:00 I was in the study.", "the study", "cellar"),
    "zh": ("21:00我在地窖。", "21:00我在书房。", "书房", "地窖"),
}


@in_both
@pytest.mark.parametrize("again", ["good", "bad", "none"])
def test_a_text_against_the_own_timeline_is_refused_once(language: Language, again: str) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, _ = table.names
    wrong, right, place, other = GUARDED[language]
    lines = joined(
        say.suspect(bram, cleo),
        say.statement(table.me, "21:00", place),
        say.statement(cleo, "21:00", other),
    )
    later = {"good": asking(cleo, right), "bad": asking(cleo, wrong), "none": "{"}[again]
    steps = case_steps(lines, cleo, main=asking(cleo, wrong), guard=later)
    seat = new_seat(table.me, steps)
    table.go(seat)
    _, taken = seat.take(table.state)
    [found] = notes(taken.answer.reports, "guard")
    assert found == {"said": wrong, "time": "21:00", "place": place}
    refused = next(one for one in taken.calls if one.call_id.chunk == "guard")
    assert wrong in refused.messages[-1].text
    assert place in refused.messages[-1].text
    if again == "good":
        assert taken.rule == ("none", "none", "guard")
        assert taken["share"] == right
        assert len(taken.calls) == 4
    else:
        assert taken.rule == ("14", "skip", "template")
        assert taken.action == Skip()


@pytest.mark.parametrize(
    ("language", "form_of"),
    [("en", "I am {0}, you know."), ("en", "{0}: it was me."), ("zh", "{0}：是我。"),
     ("zh", "我是{0}。"), ("zh", "我叫{0}，你们都知道。")],
)  # fmt: skip
def test_a_text_of_another_seat_is_refused(language: Language, form_of: str) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, _ = table.names
    text = form_of.format(bram)
    main = asking(cleo, text)
    seat = new_seat(table.me, case_steps(say.suspect(bram, cleo), main=main, guard=main))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule == ("14", "skip", "template")
    assert notes(taken.answer.reports, "guard")[0]["said"] == text


@pytest.mark.parametrize(
    "text",
    ["I am not Bram (the Elder).", "I am Bram (the Elder)'s friend.",
     "At 21:00 Cleo left the cellar.", "At 20:00 I was in the cellar.",
     "At 21:00 I was in the study, not in the cellar."],
)  # fmt: skip
def test_the_guard_lets_pass_what_contradicts_nothing(text: str) -> None:
    table, say = Case(0), Lines("en")
    _, bram, cleo, _ = table.names
    lines = joined(
        say.suspect(bram, cleo),
        say.statement(table.me, "21:00", "the study"),
        say.statement(cleo, "21:00", "cellar"),
    )
    seat = new_seat(table.me, case_steps(lines, main=asking(cleo, text)))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken["share"] == text
