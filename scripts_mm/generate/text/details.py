"""The details of people in a case: pronouns, and the numbers of their lives."""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from scripts_mm.generate.text.lexicon import pool
from scripts_mm.generate.world import Sex
from scripts_mm.script import Language

Pronouns = Mapping[str, str]
"""`he`, `him`, `his` and `himself`, by the sex of a person."""
MONTHS_EN = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTHS_ZH = (
    "一月", "二月", "三月", "四月", "五月", "六月",
    "七月", "八月", "九月", "十月", "十一月", "十二月",
)  # fmt: skip
_AGES: Mapping[str, tuple[int, int]] = {"young": (23, 33), "old": (60, 74)}
_AGE = (27, 67)
_GROWN = 20
"""Age before which nobody in a case had a career, a debt or an engagement."""


def pronouns_of(language: Language, sex: Sex) -> Pronouns:
    """Return the pronouns of a person; in Chinese one sign does for all three."""
    if language == "zh":
        sign = "她" if sex == "f" else "他"
        return MappingProxyType(
            {"he": sign, "him": sign, "his": f"{sign}的", "himself": f"{sign}自己"}
        )
    he, him, his = ("she", "her", "her") if sex == "f" else ("he", "him", "his")
    return MappingProxyType({"he": he, "him": him, "his": his, "himself": f"{him}self"})


def sample_details(
    language: Language, post: str, towns: tuple[str, str], rng: Random
) -> Mapping[str, str]:
    """Return the numbers in a person's life, so that all who state them agree."""
    sum_, small = rng.randint(13, 990) * 10, rng.randint(11, 98)
    age = rng.randint(*_age_range(language, post))
    years = rng.randint(2, min(19, age - _GROWN))
    month = rng.randrange(12)
    zh = language == "zh"
    return MappingProxyType(
        {
            "sum": f"{sum_}元" if zh else f"{sum_:,} crowns",
            "small": f"{small}元" if zh else f"{small} crowns",
            "years": f"{years}年" if zh else f"{years} years",
            "month": _MONTHS_ZH[month] if zh else MONTHS_EN[month],
            "count": str(rng.randint(3, 19)),
            "days": str(rng.randint(2, 9)),
            "age": str(age),
            "young": str(rng.randint(15, 19)),
            "town2": towns[0],
            "town3": towns[1],
        }
    )


def _age_range(language: Language, post: str) -> tuple[int, int]:
    """Return the ages of people with a post: students and athletes are young."""
    for name, found in _AGES.items():
        if post in pool(language, "role", f"{name}-posts"):
            return found
    return _AGE
