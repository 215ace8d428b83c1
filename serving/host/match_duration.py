"""How long a short match takes on a CPU: an estimate before anything is fetched or started. Pure.

The speeds were measured with a text model of 0.5 billion parameters in bfloat16 on vLLM 0.32 with 2
cores (AVX-512): 330 prompt tokens/s, and 12 reply tokens/s for one request at a time, which is how
seats talk. Both fall with the parameters. Reading a prompt is arithmetic and grows with the cores;
writing a reply reads all weights for each token, and more than eight cores do not read memory
faster.
"""

from typing import Final

MAX_MINUTES: Final = 10.0
"""A name such as `qwen` stands for no model whose short match takes longer on this host."""

PROMPT_TOKENS: Final = 29_000
"""Not found in the cache, in a match of the preset `short`: measured with `first-night`, five seats
and 20 turns, pictures included."""
REPLY_TOKENS: Final = 2_000
"""20 turns of the preset's 80 words."""

_PARAMETERS_B: Final = 0.5
_CORES: Final = 2
_PROMPT_SPEED: Final = 330.0
_REPLY_SPEED: Final = 12.0
_MEMORY_CORES: Final = 8


def match_minutes(parameters_b: float, cores: float) -> float:
    """Return the estimated minutes of one short match in which one model plays every seat.

    `parameters_b`: billions of parameters. `cores`: of the CPU, or the share of them.
    """
    size = parameters_b / _PARAMETERS_B
    reading = PROMPT_TOKENS / (_PROMPT_SPEED * cores / _CORES)
    writing = REPLY_TOKENS / (_REPLY_SPEED * min(cores, _MEMORY_CORES) / _CORES)
    return size * (reading + writing) / 60
