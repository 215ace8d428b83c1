"""Names, times and places in a text: whole ones alone, in both languages."""

from dataclasses import replace

import pytest

from arena.core.observation import Observation, observe_request
from arena.core.seats import SeatId
from arena.core.state import pending
from arena.players.hybrid.cases.case_table import CaseTable, SelfStatement
from arena.players.hybrid.cases.case_view import find_named_seats, last_near_victim
from arena.players.hybrid.guard import Contradiction, find_contradiction
from arena.players.hybrid.mentions import has_place, has_time
from scripts_mm.script import Language
from tests.arena.players.hybrid.stage import Case


def seen_by(names: tuple[str, ...], language: Language, script: str = "") -> Observation:
    """Return what the first of these seats knows."""
    table = Case(0, language)
    seen = observe_request(table.state, pending(table.state)[0])
    assert seen.role is not None
    part = replace(seen.role.part, seat=SeatId(names[0]))
    role = replace(seen.role, part=part, script=script)
    return replace(seen, seats=tuple(map(SeatId, names)), role=role)


@pytest.mark.parametrize(
    ("time", "yes", "no"),
    [
        ("9:00", ["At 9:00 I left", "at 09:00.", "9：00我走了"], ["19:00", "9:00:30", "9:005"]),
        ("09:00", ["at 9:00"], ["19:00"]),
        ("9", ["at 9."], ["at 9:30", "at 19", "at 9.30"]),
        ("9 pm", ["By 9 PM I"], ["at 19 pm"]),
        ("nine", ["At nine I"], ["ninety", "at half past nine", "at nine thirty"]),
        ("9点", ["晚上9点我"], ["19点", "9点半", "9点30分"]),
        ("九点", ["晚上九点我", "九点一个人"], ["十九点", "九点半", "九点一刻", "九点十分"]),
        ("", [], ["at any time"]),
    ],
)  # fmt: skip
def test_a_time_is_not_a_part_of_another(time: str, yes: list[str], no: list[str]) -> None:
    assert [text for text in (*yes, *no) if has_time(text, time)] == yes


@pytest.mark.parametrize(
    ("place", "yes", "no"),
    [
        ("the bar", ["in The Bar."], ["in the barn", "in the barred room"]),
        ("hall", ["in the hall"], ["in the shallows"]),
        ("room 1", ["Room 1,"], ["room 11"]),
        ("书房", ["我在书房。"], ["我在厨房。"]),
        ("一号房", ["我在一号房"], ["我在十一号房"]),
        ("", [], ["nowhere"]),
    ],
)  # fmt: skip
def test_a_place_is_not_a_part_of_a_word(place: str, yes: list[str], no: list[str]) -> None:
    assert [text for text in (*yes, *no) if has_place(text, place)] == yes


@pytest.mark.parametrize(
    ("language", "names", "text", "named"),
    [
        ("en", ("Ann", "Anna", "Bo"), "Anna met Bo.", ("Anna", "Bo")),
        ("en", ("Ann Lee", "Anna Lee"), "Ann came.", ("Ann Lee",)),
        ("en", ("Dr Vane", "Dr Frost"), "The Dr came.", ()),
        ("en", ("The Cook", "Bo"), "The door was open.", ()),
        ("zh", ("李明", "李明华", "王五"), "李明华和王五走了。", ("李明华", "王五")),
        ("zh", ("李明华", "李明"), "李明走了。", ("李明",)),
        ("zh", ("Ann", "Anna"), "我看见Anna走了。", ("Anna",)),
    ],
)
def test_a_name_is_not_a_part_of_another(
    language: Language, names: tuple[str, ...], text: str, named: tuple[str, ...]
) -> None:
    assert find_named_seats(text, seen_by(names, language)) == named


def test_a_seat_whose_name_is_in_that_of_a_victim_was_not_near() -> None:
    script = "You saw Bo with Annabel. You saw Cy with Ann."
    seen = replace(seen_by(("Ada", "Bo", "Cy"), "en", script), victims=("Ann",))
    assert last_near_victim(seen) == "Cy"
    reverse = "You saw Cy with Ann. You saw Bo with Annabel."
    seen = replace(seen_by(("Ada", "Bo", "Cy"), "en", reverse), victims=("Ann",))
    assert last_near_victim(seen) == "Cy"


@pytest.mark.parametrize(
    ("language", "names", "text", "is_refused"),
    [
        ("en", ("Ann Lee", "Ann"), "I am Ann Lee.", False),
        ("en", ("Ann", "Ann Lee"), "I am Ann Lee.", True),
        ("en", ("Bo", "Ann"), "I am Anna, a guest.", False),
        ("en", ("Ann Lee", "Ann"), "Ann Lee: it was late.", False),
        ("en", ("Bo", "Ann", "Ann Lee"), "I am Ann Lee's friend.", False),
        ("zh", ("沈青山", "沈青"), "我是沈青山。", False),
        ("zh", ("沈青", "沈青山"), "我是沈青山。", True),
        ("zh", ("白七", "沈青", "沈青山"), "我是沈青山的朋友。", False),
        ("zh", ("白七", "Ann"), "我叫Anna。", False),
    ],
)
def test_only_the_whole_name_of_another_seat_is_refused(
    language: Language, names: tuple[str, ...], text: str, is_refused: bool
) -> None:
    fault = Contradiction(said=text) if is_refused else None
    assert find_contradiction(seen_by(names, language), CaseTable(), (text,)) == fault


@pytest.mark.parametrize(
    ("language", "stay", "other", "text", "is_refused"),
    [
        ("en", ("9:00", "hall"), "cellar", "At 19:00 I was in the cellar.", False),
        ("en", ("9:00", "hall"), "cellar", "At 9:00 I was in the cellar.", True),
        ("en", ("21:00", "the bar"), "the barn", "At 21:00 I was in the barn.", True),
        ("en", ("21:00", "hall"), "attic", "At 21:00 I was in the attics.", False),
        ("zh", ("九点", "书房"), "地窖", "十九点我在地窖。", False),
        ("zh", ("九点", "书房"), "地窖", "九点半我在地窖。", False),
        ("zh", ("九点", "书房"), "地窖", "九点我在地窖。", True),
        ("zh", ("9:00", "书房"), "地窖", "19:00我在地窖。", False),
    ],
)
def test_only_the_own_time_with_another_place_is_refused(
    language: Language, stay: tuple[str, str], other: str, text: str, is_refused: bool
) -> None:
    seen = seen_by(("Ada", "Bo"), language)
    time, place = stay
    table = CaseTable(
        statements=[
            SelfStatement(seat=SeatId("Ada"), time=time, place=place),
            SelfStatement(seat=SeatId("Bo"), time=time, place=other),
        ]
    )
    fault = Contradiction(said=text, time=time, place=place) if is_refused else None
    assert find_contradiction(seen, table, (text,)) == fault
