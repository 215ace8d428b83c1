"""Terms are found again from the rates that they give."""

from dataclasses import replace

import pytest

from serving.engine_sim.closed import Load, turns_per_second
from serving.engine_sim.fit import Measured, fit, off
from serving.engine_sim.profile import EngineProfile, Terms, load_engine_profile
from serving.errors import ProfileError

STAND_IN = load_engine_profile("cpu-stand-in")
THREE = tuple(
    Measured(
        load=Load(concurrency=callers, prompt=3_000, cached=2_250, output=20),
        turns_per_second=rate,
    )
    for callers, rate in ((1, 8.2), (8, 15.4), (24, 10.8))
)


def measured(profile: EngineProfile, loads: list[Load]) -> list[Measured]:
    return [Measured(load=load, turns_per_second=turns_per_second(profile, load)) for load in loads]


def test_the_stand_in_profile_gives_the_measured_rates() -> None:
    assert max(map(abs, off(STAND_IN, THREE))) < 0.01


def test_more_callers_do_more_turns_until_they_are_in_each_others_way() -> None:
    one, eight, many = (turns_per_second(STAND_IN, each.load) for each in THREE)
    assert one < many < eight


def test_cached_tokens_cost_nothing() -> None:
    load = Load(concurrency=2, prompt=3_000, cached=2_560, output=20, text_in=False)
    cold = replace(load, cached=0)
    assert turns_per_second(STAND_IN, load) > 1.5 * turns_per_second(STAND_IN, cold)


def test_terms_are_found_again_and_tell_what_was_not_measured() -> None:
    true = replace(STAND_IN, terms=Terms(step=0.004, token=3e-5, sequence=4e-4, tokenise=3e-6))
    seen = [
        Load(concurrency=1, prompt=2_000, cached=1_024, output=10),
        Load(concurrency=8, prompt=2_000, cached=1_024, output=10),
        Load(concurrency=16, prompt=4_000, cached=1_024, output=10),
        Load(concurrency=4, prompt=3_000, cached=0, output=30),
    ]
    start = replace(true, terms=Terms(step=0.012, token=1e-5, sequence=1e-3, tokenise=3e-6))
    found = fit(start, measured(true, seen), ("step", "token", "sequence"))
    assert found.worst < 0.01
    assert found.profile.terms.step == pytest.approx(0.004, rel=0.05)
    assert found.profile.terms.token == pytest.approx(3e-5, rel=0.05)
    assert found.profile.terms.tokenise == 3e-6
    unseen = [Load(concurrency=12, prompt=6_000, cached=3_072, output=20)]
    assert max(map(abs, off(found.profile, measured(true, unseen)))) < 0.05


def test_a_term_that_is_unknown_or_nothing_cannot_be_fitted() -> None:
    for name in ("speed", "weights"):
        with pytest.raises(ProfileError, match=name):
            fit(STAND_IN, THREE, (name,))


def test_no_more_terms_can_be_fitted_than_there_are_measurements() -> None:
    with pytest.raises(ProfileError, match="2 terms to 1"):
        fit(STAND_IN, THREE[:1], ("step", "token"))
    with pytest.raises(ProfileError, match="0 terms"):
        fit(STAND_IN, THREE, ())
