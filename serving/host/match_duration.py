"""Estimate the duration of a short match on a CPU, before any download or start. Pure.

The speeds were measured with a text model of 0.5 billion parameters in bfloat16 on vLLM 0.32 with 2
cores (AVX-512): 330 prompt tokens/s, and 12 reply tokens/s for one request at a time, as seats
speak in turn. Both speeds fall with the parameters. Prefill is compute-bound and scales with the
cores; decoding reads all weights for each token, and more than eight cores do not read memory
faster.
"""

from typing import Final

MAX_MINUTES: Final = 10.0
"""A family name such as `qwen` selects only models whose short match is no longer on this host."""

PROMPT_TOKENS: Final = 29_000
"""Uncached prompt tokens of a match of the preset `short`: measured with `first-night`, five seats
and 20 turns, including pictures."""
REPLY_TOKENS: Final = 2_000
"""20 turns of the preset's 80 words."""

_PARAMETERS_B: Final = 0.5
_CORES: Final = 2
_PROMPT_SPEED: Final = 330.0
_REPLY_SPEED: Final = 12.0
_MEMORY_CORES: Final = 8


def match_minutes(parameters_b: float, cores: float) -> float:
    """Return the estimated minutes of one short match in which one model plays every seat.

    `parameters_b` is in billions; `cores` are the CPU's, or a share of them.
    """
    size = parameters_b / _PARAMETERS_B
    reading = PROMPT_TOKENS / (_PROMPT_SPEED * cores / _CORES)
    writing = REPLY_TOKENS / (_REPLY_SPEED * min(cores, _MEMORY_CORES) / _CORES)
    return size * (reading + writing) / 60
