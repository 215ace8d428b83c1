"""What reproduces a published number is what the product computes with."""

import ast
import re
from pathlib import Path

import pytest

from tests.eval.reachable import (
    ROOT,
    names_bound,
    reachable,
    read_modules,
    uses,
)

PAGE = ROOT / "docs" / "scores.md"
ADAPTERS = [f"tests.eval.{path.stem}" for path in Path(__file__).parent.glob("vector_metrics_*.py")]


@pytest.mark.slow
def test_every_formula_that_reproduces_a_published_number_is_one_of_the_product() -> None:
    product = read_modules("eval", "arena")
    [lines] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    reached = reachable(product, names_bound(ast.parse(lines)).values())
    both = {**read_modules("tests/eval"), **product}
    called = {place for name in ADAPTERS for place in uses(name, both)}
    formulas = {
        place for place in called if place[0].startswith("eval.") and ".".join(place) not in product
    }
    assert len(formulas) > 40
    dead = formulas - reached
    assert not dead, f"only tests call {sorted(dead)}"


def test_a_formula_that_only_itself_or_a_dead_one_calls_is_not_reached() -> None:
    modules = {
        "eval.formulas": ast.parse(
            "def used(): return helper()\n"
            "def helper(): return 1\n"
            "def dead(): return dead() + lost()\n"
            "def lost(): return 2\n"
            "def told(): return 3\n"
            "METRICS = (used,)\n"
        ),
        "eval.other": ast.parse("from eval.formulas import dead\ndef alone(): return dead()\n"),
        "arena.command": ast.parse(
            "def run():\n    from eval import formulas\n    return formulas.told()\n"
        ),
    }
    found = {name for module, name in reachable(modules) if module == "eval.formulas"}
    assert found >= {"used", "helper", "told"}
    assert not found & {"dead", "lost"}
    assert ("eval.formulas", "lost") in reachable(modules, [("eval.other", "alone")])
