"""The cost model: the time of one step of the engine."""

from dataclasses import dataclass
from math import ceil, sqrt

from serving.engine_sim.cost_model.engine_profile import CostTerms


@dataclass(slots=True, kw_only=True)
class StepWork:
    """The work of one step.

    `tokens` of `sequences` sequences; `context`: tokens read by decodes; `pairs`: pairs of a new
    token and an earlier one in prefills; `pictures`: encoded picture tokens.
    """

    tokens: int = 0
    sequences: int = 0
    context: int = 0
    pairs: float = 0.0
    pictures: int = 0


def prefill_pairs(new: int, before: int) -> float:
    """Return the attention pairs of `new` tokens after `before` tokens: n c + n^2 / 2."""
    return new * (before + new / 2)


def step_seconds(terms: CostTerms, work: StepWork) -> float:
    """Return the seconds of one step; weights and arithmetic overlap, the rest adds up."""
    return (
        terms.step
        + terms.sequence * work.sequences
        + max(terms.weights, terms.token * work.tokens)
        + terms.context * work.context
        + terms.pair * work.pairs
        + terms.picture * work.pictures
    )


def decode_seconds(terms: CostTerms, sequences: int, context: int, steps: int) -> float:
    """Return the seconds of `steps` steps in which each of some sequences decodes one token.

    `context` is read by the first step; it grows by one token per sequence and step.
    """
    grown = sequences * steps * (steps - 1) / 2
    first = step_seconds(terms, StepWork(tokens=sequences, sequences=sequences, context=context))
    return steps * first + terms.context * grown


def decode_steps(terms: CostTerms, sequences: int, context: int, seconds: float) -> int:
    """Return how many such steps, at least one, take `seconds`; 0 if steps take no time.

    The inverse of `decode_seconds`, rounded up.
    """
    first = decode_seconds(terms, sequences, context, 1)
    if first <= 0:
        return 0
    bend = terms.context * sequences / 2
    slope = first - bend
    if bend <= 0:
        guess = ceil(seconds / first)
    else:
        guess = ceil((sqrt(slope * slope + 4 * bend * seconds) - slope) / (2 * bend))
    guess = max(guess, 1)
    while guess > 1 and decode_seconds(terms, sequences, context, guess - 1) >= seconds:
        guess -= 1
    while decode_seconds(terms, sequences, context, guess) < seconds:
        guess += 1
    return guess


def text_seconds(terms: CostTerms, tokens: int, text_in: bool) -> float:
    """Return the seconds that a request of `tokens` text tokens costs the server's first thread."""
    return terms.request + (terms.tokenise * tokens if text_in else 0.0)


def picture_seconds(terms: CostTerms, sent: int, new: int) -> float:
    """Return the seconds that `sent` bytes and `new` picture tokens cost the picture thread."""
    return terms.byte * sent + terms.process * new
