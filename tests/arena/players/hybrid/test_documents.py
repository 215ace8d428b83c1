"""The guide names every situation, and no other."""

import re
from pathlib import Path

import pytest

from arena.players.hybrid.cases import case_defence, case_rules
from arena.players.hybrid.talks import talk_rules, talker

ROOT = Path(__file__).parents[4]
GUIDE = (ROOT / "docs" / "hybrid.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+) \| `(\w+)` \|", re.MULTILINE)
SOURCES = {
    "## Talk": (talk_rules, talker),
    "## Murder mystery": (case_rules, case_defence),
}


def rows(heading: str) -> list[tuple[int, str]]:
    """Return numbers and families of one table."""
    part = GUIDE.split(heading)[1].split("\n## ")[0]
    return [(int(number), family) for number, family in ROW.findall(part)]


@pytest.mark.parametrize("heading", SOURCES)
def test_the_guide_has_14_situations_in_order(heading: str) -> None:
    assert [number for number, _ in rows(heading)] == list(range(1, 15))


@pytest.mark.parametrize("heading", SOURCES)
def test_the_guide_names_the_families_of_the_rules(heading: str) -> None:
    code = "".join(
        Path(str(module.__file__)).read_text(encoding="utf-8") for module in SOURCES[heading]
    )
    for _, family in rows(heading):
        if family != "presentation":
            assert f'"{family}"' in code, family


def test_each_situation_has_a_test_in_both_languages() -> None:
    folder = Path(__file__).parent
    for heading, names in (
        ("## Talk", "talks/test_village.py"),
        ("## Murder mystery", "cases/test_case_*.py"),
    ):
        code = "".join(one.read_text(encoding="utf-8") for one in folder.glob(names))
        for _, family in rows(heading):
            assert f'"{family}"' in code, family
