"""Terms are found again from the rates that they give."""

from dataclasses import replace

import pytest

from serving.engine_sim.calibrate import FREE_TERMS
from serving.engine_sim.cost_model.closed_loop import ClosedLoopLoad, turns_per_second
from serving.engine_sim.cost_model.engine_profile import (
    CostTerms,
    EngineProfile,
    load_engine_profile,
)
from serving.engine_sim.cost_model.term_fit import (
    MeasuredLoad,
    fit_half,
    fit_terms,
    relative_errors,
)
from serving.errors import ProfileError

STAND_IN = load_engine_profile("cpu-stand-in")
SEEN = tuple(
    MeasuredLoad(
        load=ClosedLoopLoad(
            concurrency=callers, prompt=prompt, cached=cached, output=output, text_in=False
        ),
        turns_per_second=rate,
    )
    for callers, prompt, cached, output, rate in (
        (1, 1_024, 768, 16, 21.71),
        (1, 2_048, 1_536, 24, 13.21),
        (1, 4_096, 3_072, 24, 8.14),
        (4, 1_024, 768, 16, 58.44),
        (4, 2_048, 1_536, 24, 27.59),
        (4, 4_096, 3_072, 24, 12.24),
        (12, 1_024, 768, 16, 76.62),
        (12, 2_048, 1_536, 24, 34.12),
        (12, 6_144, 0, 4, 3.26),
    )
)
"""What the CPU build answered on 2 cores, 2026-11-21."""


def measure(profile: EngineProfile, loads: list[ClosedLoopLoad]) -> list[MeasuredLoad]:
    return [
        MeasuredLoad(load=load, turns_per_second=turns_per_second(profile, load)) for load in loads
    ]


def test_the_stand_in_profile_gives_the_measured_rates() -> None:
    assert max(map(abs, relative_errors(STAND_IN, SEEN))) < 0.1


def test_more_callers_do_more_turns_but_less_than_each_alone() -> None:
    one, four, twelve = (turns_per_second(STAND_IN, SEEN[place].load) for place in (1, 4, 7))
    assert one < four < twelve < 12 * one


def test_cached_tokens_cost_nothing() -> None:
    load = ClosedLoopLoad(concurrency=2, prompt=3_000, cached=2_560, output=20, text_in=False)
    cold = replace(load, cached=0)
    assert turns_per_second(STAND_IN, load) > 1.5 * turns_per_second(STAND_IN, cold)


@pytest.mark.slow
def test_terms_are_found_again_and_tell_what_was_not_measured() -> None:
    true = replace(STAND_IN, terms=CostTerms(step=0.004, token=3e-5, sequence=4e-4, tokenise=3e-6))
    seen = [
        ClosedLoopLoad(concurrency=1, prompt=2_000, cached=1_024, output=10),
        ClosedLoopLoad(concurrency=8, prompt=2_000, cached=1_024, output=10),
        ClosedLoopLoad(concurrency=16, prompt=4_000, cached=1_024, output=10),
        ClosedLoopLoad(concurrency=4, prompt=3_000, cached=0, output=30),
    ]
    start = replace(true, terms=CostTerms(step=0.012, token=1e-5, sequence=1e-3, tokenise=3e-6))
    found = fit_terms(start, measure(true, seen), ("step", "token", "sequence"))
    assert max(map(abs, relative_errors(found, measure(true, seen)))) < 0.01
    assert found.terms.step == pytest.approx(0.004, rel=0.05)
    assert found.terms.token == pytest.approx(3e-5, rel=0.05)
    assert found.terms.tokenise == 3e-6
    unseen = [ClosedLoopLoad(concurrency=12, prompt=6_000, cached=3_072, output=20)]
    assert max(map(abs, relative_errors(found, measure(true, unseen)))) < 0.05


@pytest.mark.slow
def test_terms_are_checked_on_the_half_that_they_were_not_fitted_to() -> None:
    asked = [
        ClosedLoopLoad(concurrency=callers, prompt=prompt, cached=0, output=4, text_in=False)
        for callers in (1, 2)
        for prompt in (256, 512, 1024, 1536, 2048, 3072)
    ]
    seen = measure(STAND_IN, asked)
    found = fit_half(STAND_IN, seen, FREE_TERMS)
    assert len(found.held_out_errors) == len(found.fitted_errors) == 6
    assert found.held_out_worst < 0.01
    wrong = [replace(one, turns_per_second=one.turns_per_second * 2) for one in seen[1::2]]
    mixed = [one for pair in zip(seen[::2], wrong, strict=True) for one in pair]
    assert fit_half(STAND_IN, mixed, FREE_TERMS).held_out_mean == pytest.approx(0.5, abs=0.05)


def test_a_term_that_is_unknown_or_nothing_cannot_be_fitted() -> None:
    for name in ("speed", "weights"):
        with pytest.raises(ProfileError, match=name):
            fit_terms(STAND_IN, SEEN, (name,))


def test_no_more_terms_can_be_fitted_than_there_are_measurements() -> None:
    with pytest.raises(ProfileError, match="2 terms to 1"):
        fit_terms(STAND_IN, SEEN[:1], ("step", "token"))
    with pytest.raises(ProfileError, match="0 terms"):
        fit_terms(STAND_IN, SEEN, ())
