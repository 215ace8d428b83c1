"""Times of day as people say them, in both languages."""

import pytest

from arena.games.shared.word_matching import plain
from eval.claims.times_of_day import find_times
from scripts_mm.facts.fact_table import format_clock
from scripts_mm.script import Language


@pytest.mark.parametrize(
    ("language", "text", "spans"),
    [
        ("en", "At nine o'clock I slept.", {("09:00", "09:00"), ("21:00", "21:00")}),
        ("en", "It was 9:15 pm.", {("21:15", "21:15")}),
        ("en", "It was 21:15.", {("21:15", "21:15")}),
        ("en", "It was half past nine in the evening.", {("21:30", "21:30")}),
        ("en", "It was a quarter to ten at night.", {("21:45", "21:45")}),
        ("en", "It was 12.05 pm.", {("12:05", "12:05")}),
        ("en", "From 23:05 to 23:35 I read.", {("23:05", "23:35")}),
        ("en", "Between ten past and twenty past eleven pm.", {("23:10", "23:20")}),
        ("en", "From eleven to half past.", {("11:00", "11:30"), ("23:00", "23:30")}),
        ("en", "Around 20:40 it rang.", {("20:30", "20:50")}),
        ("en", "I have two brothers and one of them is 9.", set[tuple[str, str]]()),
        ("zh", "九点一刻我睡了。", {("09:15", "09:15"), ("21:15", "21:15")}),
        ("zh", "晚上九点半。", {("21:30", "21:30")}),
        ("zh", "凌晨一点十分。", {("01:10", "01:10")}),
        ("zh", "晚上十二点。", {("00:00", "00:00")}),
        ("zh", "从23:16到23:33我在车上。", {("23:16", "23:33")}),
        ("zh", "二十三点二十分。", {("23:20", "23:20")}),
        ("zh", "八点四十分左右。", {("08:30", "08:50"), ("20:30", "20:50")}),
        ("zh", "这件事有一点怪。", set[tuple[str, str]]()),
    ],
)
def test_times_are_read_as_people_say_them(
    language: Language, text: str, spans: set[tuple[str, str]]
) -> None:
    found = find_times(plain(text), language)

    assert {
        (format_clock(one.start), format_clock(one.end)) for time in found for one in time.spans
    } == spans
