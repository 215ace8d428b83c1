"""The resize rules of the model families, held against the published function."""

import ast
import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scripts_mm.script import ScriptError
from scripts_mm.vision_tokens import (
    SERVED_MAX_PIXELS,
    VISION_FAMILIES,
    VISION_TOKEN_RULES,
    VisionFamily,
    count_vision_tokens,
    input_size,
)

QWEN: tuple[VisionFamily, ...] = ("qwen2-vl", "qwen2.5-vl", "qwen3-vl")
sides = st.integers(1, 9000)
Published = Callable[..., tuple[int, int]]


@pytest.fixture(scope="module")
def smart_resize() -> Published:
    """The function of the installed qwen-vl-utils.

    The package imports torchvision, whose compiled parts do not load beside every torch, so the
    function and the constants that it uses are taken out of the installed file.
    """
    found = importlib.util.find_spec("qwen_vl_utils")
    if found is None or not found.submodule_search_locations:
        pytest.skip("qwen-vl-utils is not installed")
    file = Path(found.submodule_search_locations[0]) / "vision_process.py"
    wanted = {"smart_resize", "round_by_factor", "ceil_by_factor", "floor_by_factor"}
    kept: list[ast.stmt] = [
        node
        for node in ast.parse(file.read_text("utf-8")).body
        if (isinstance(node, ast.FunctionDef) and node.name in wanted)
        or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant))
    ]
    space: dict[str, Any] = {"math": math}
    exec("from typing import Optional, Tuple", space)
    exec(compile(ast.Module(body=kept, type_ignores=[]), str(file), "exec"), space)
    return space["smart_resize"]


@given(
    width=sides,
    height=sides,
    family=st.sampled_from(QWEN),
    cap=st.none() | st.integers(3000, 10**7),
)
def test_the_size_is_that_of_the_published_function(
    smart_resize: Published, width: int, height: int, family: VisionFamily, cap: int | None
) -> None:
    rule = VISION_TOKEN_RULES[family]
    high = cap if cap is not None else rule.max_pixels
    assume(max(width, height) <= 200 * min(width, height))
    assume(high >= rule.min_pixels)
    theirs = smart_resize(
        height, width, factor=rule.factor, min_pixels=rule.min_pixels, max_pixels=high
    )
    ours = input_size(width, height, family, max_pixels=cap)
    assert ours == (max(theirs[1], rule.factor), max(theirs[0], rule.factor))


@given(width=sides, height=sides, family=st.sampled_from(QWEN))
def test_sides_are_multiples_and_tokens_stay_under_the_cap(
    width: int, height: int, family: VisionFamily
) -> None:
    assume(max(width, height) <= 200 * min(width, height))
    factor = VISION_TOKEN_RULES[family].factor
    wide, tall = input_size(width, height, family, max_pixels=SERVED_MAX_PIXELS)
    assert wide % factor == tall % factor == 0
    count = count_vision_tokens(width, height, family, max_pixels=SERVED_MAX_PIXELS)
    assert count == wide * tall // factor**2
    thin = min(wide, tall) == factor
    assert count <= SERVED_MAX_PIXELS // factor**2 or thin


@pytest.mark.parametrize(
    ("size", "family", "seen", "count"),
    [
        ((1000, 1000), "qwen2.5-vl", (1008, 1008), 1296),
        ((56, 56), "qwen2-vl", (56, 56), 4),
        ((1000, 1000), "qwen3-vl", (992, 992), 961),
        ((100, 100), "qwen3-vl", (256, 256), 64),
        ((100, 4000), "yi-vl", (448, 448), 1024),
    ],
)
def test_known_sizes(
    size: tuple[int, int], family: VisionFamily, seen: tuple[int, int], count: int
) -> None:
    assert input_size(*size, family) == seen
    assert count_vision_tokens(*size, family) == count


@pytest.mark.parametrize("family", QWEN)
def test_a_ratio_above_200_is_refused(family: VisionFamily) -> None:
    assert count_vision_tokens(200 * 30, 30, family) > 0
    with pytest.raises(ScriptError, match="too long"):
        input_size(201 * 30, 30, family)


@pytest.mark.parametrize("family", VISION_FAMILIES)
def test_no_side_and_no_room_are_refused(family: VisionFamily) -> None:
    with pytest.raises(ScriptError, match="cannot be shown"):
        input_size(0, 5, family)
    if VISION_TOKEN_RULES[family].fixed is None:
        with pytest.raises(ScriptError, match="no size"):
            input_size(50, 50, family, min_pixels=9000, max_pixels=8000)
