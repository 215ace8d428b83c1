"""Cost of a turn of the method, by its options."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from arena.core.purposes import Purpose
from arena.players.methods.method_steps import STEP_TOKENS
from arena.players.methods.turn_cost import Chain, TurnCost, Wave
from arena.players.thinkthrice.options import ThinkThricePlayerOptions
from arena.players.thinkthrice.self_questions import judge_tokens
from arena.players.thinkthrice.self_refinement import MOST_LINES, MOST_PIECES
from arena.players.thinkthrice.self_verification import MOST_FACTS

_HOST_QUESTION: Final = "A (D + D' + 7) + 1"
_CALLS: Final = MappingProxyType(
    {
        Purpose.INTRODUCE: _HOST_QUESTION,
        Purpose.ANSWER: "A (D + D' + 8) + 1",
        Purpose.SPEAK: "A (D + D' + 8) + 1",
        Purpose.ASK: f"2; with a statement {_HOST_QUESTION} + 2",
        Purpose.ACT: f"1 or 2; with a statement {_HOST_QUESTION} + 1 or 2",
        "any": "1",
    }
)
"""D: single questions in a question; D': those that ask for a timeline."""
_PROMPT_TOKENS: Final = 320
"""Prompt tokens of a step, including a question."""
_LINE_TOKENS: Final = 16
"""Tokens of a line of a timeline, or of a fact."""


def count_cost(options: ThinkThricePlayerOptions) -> TurnCost:
    """Return the cost of a turn: the longest one answers the host, then asks a question."""
    speech = Wave(prompt=_PROMPT_TOKENS, reply=options.reply_tokens)
    attempts = [_attempt(options, speech, number) for number in range(options.most_attempts)]
    chain = (*(wave for waves in attempts for wave in waves), speech, speech)
    return TurnCost(calls=_CALLS, chains=lambda _: (chain,))


def _attempt(options: ThinkThricePlayerOptions, speech: Wave, number: int) -> Chain:
    """Return the waves of one attempt at an answer; `number` is 0 for the first."""
    is_gated = options.gate == "timeline"
    first = replace(speech, calls=1 + options.refines * (1 + is_gated), reply=STEP_TOKENS)
    if not options.refines:
        return first, speech
    # The first attempt lists the timeline, concurrently with the gates.
    listing = replace(speech, calls=MOST_PIECES * is_gated + (number == 0))
    contained = _judge(replace(speech, prompt=speech.prompt + speech.reply), MOST_LINES)
    useful = replace(_judge(speech, MOST_LINES), calls=MOST_PIECES)
    rewrite = replace(contained, reply=speech.reply)
    waves = (first, speech, *([listing] if listing.calls else []), useful, contained, rewrite)
    if not options.verifies:
        return waves
    facts = replace(speech, prompt=speech.prompt + speech.reply)
    return *waves, facts, _judge(speech, MOST_FACTS)


def _judge(asked: Wave, lines: int) -> Wave:
    """Return the wave that judges `lines` lines."""
    prompt = asked.prompt + _LINE_TOKENS * lines
    return replace(asked, prompt=prompt, reply=judge_tokens(lines))
