"""Scales: what a judge may answer, and how its reply is read."""

import json

import pytest

from arena.models.chat import JsonConstraint
from eval.judges.scales import PAIR, PARTS, REASON, TEXT, VERDICT, Scale, constrain, parse_reply

RP = Scale(form="number", high=10)
LIST = Scale(form="points", low=1, high=5)


def names(constraint: JsonConstraint) -> list[str]:
    return [field.name for field in constraint.fields]


def test_the_reason_comes_before_every_score() -> None:
    for scale in (RP, VERDICT, LIST, PARTS, PAIR):
        assert names(constrain(scale))[0] == REASON
    assert constrain(RP).fields[1].options == tuple(str(n) for n in range(11))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"reason": "r", "score": "7"}', 7),
        ('{"score": 10, "reason": "r"}', 10),
        ('{"reason": "r", "score": "7.5"}', 7.5),
        ('I think so. {"reason": "r", "score": "8/10"} Done.', 8),
        ('{"a": 1} and then {"reason": "r", "score": "3"}', 3),
        ("9", 9),
        ("Score: 6", 6),
        ("评分：4", 4),
        ('{"reason": "r", "score": "11"}', None),
        ('{"reason": "r", "score": "-1"}', None),
        ('{"reason": "r", "score": "nan"}', None),
        ('{"reason": "r", "score": ""}', None),
        ("It was 1909 and ten people came.", None),
        ("", None),
        ("[" * 3000, None),
        ('{"a":' * 3000, None),
    ],
)
def test_a_number_is_read_where_it_stands_and_lies_in_range(
    reply: str, value: float | None
) -> None:
    assert parse_reply(RP, reply).value == value


def test_a_score_of_ten_needs_two_characters_and_is_legal() -> None:
    assert parse_reply(RP, "10").value == 10


def test_numbers_of_statements_are_counted_by_us_once_and_within_the_list() -> None:
    reply = json.dumps({"reason": "3 of 5 points", "numbers": "1, 4, 4, 9", "count": 7})
    assert parse_reply(LIST, reply).values == (1, 4)
    assert parse_reply(LIST, '{"reason": "r", "numbers": ""}').values == ()
    assert parse_reply(LIST, '{"reason": "1, 2"}').values is None
    assert not parse_reply(LIST, "none").is_legal


def test_verdicts_parts_pairs_and_texts_are_read() -> None:
    assert parse_reply(VERDICT, '{"reason": "r", "verdict": "correct"}').value == 1
    assert parse_reply(VERDICT, "Incorrect.").value == 0
    assert parse_reply(VERDICT, '{"verdict": "maybe"}').value is None
    both = '{"reason": "r", "method": "80", "motive": "5"}'
    assert parse_reply(PARTS, both).values == (80, 5)
    assert parse_reply(PARTS, '{"reason": "r", "method": "80"}').values is None
    assert parse_reply(PARTS, '{"reason": "r", "method": "80", "motive": "101"}').values is None
    assert [parse_reply(PAIR, f'{{"better": "{w}"}}').value for w in ("A", "B", "equal")] == [
        1,
        0,
        0.5,
    ]
    assert parse_reply(TEXT, '{"text": " You are a nurse. "}').text == "You are a nurse."
    assert parse_reply(RP, '{"reason": " good ", "score": "7"}').reason == "good"
