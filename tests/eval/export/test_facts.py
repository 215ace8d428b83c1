"""What a card warns of, and rewards of matches that count for nothing."""

from dataclasses import replace

from arena.core.events import Outcome
from eval.export.card_facts import CardFacts, card_lines
from eval.export.request_endings import seat_reward
from tests.eval.made import made
from tests.table import case


def test_a_card_warns_of_an_untrained_stand_in_and_of_nothing_else() -> None:
    for flags, warned in ((("untrained stand-in",), True), (("resumed",), False)):
        facts = CardFacts()
        facts.add(made(flags=flags))
        text = "\n".join(card_lines(facts, ()))
        assert ("**Untrained stand-in.**" in text) is warned
        assert f"`{flags[0]}` (1)" in text


def test_a_card_warns_of_the_mini_model_and_does_not_call_it_untrained() -> None:
    facts = CardFacts()
    facts.add(made(flags=("bundled mini",)))
    text = "\n".join(card_lines(facts, ()))
    assert "**Mini model.**" in text
    assert "Untrained" not in text
    assert (facts.n_bundled, facts.n_untrained) == (1, 0)


def test_a_name_of_a_record_cannot_write_markdown_into_a_card() -> None:
    facts = CardFacts()
    facts.add(made(civilians="a`b\n# Heading"))
    lines = card_lines(facts, ())
    assert "# Heading" not in lines
    assert "`a'b # Heading` (1)" in "\n".join(lines)


def test_a_card_knows_the_licence_of_a_generated_case_and_of_no_other() -> None:
    for source, known in (
        ("generated seed=7 roles=5 hops=5", True),
        ("original", True),
        ("generatedly imported", False),
        ("imported", False),
    ):
        facts = CardFacts()
        facts.add(made(script=replace(case(), source=source)))
        text = "\n".join(card_lines(facts, ()))
        assert ("as the arena" in text) is known, source
        assert ("may not be open" in text) is not known, source


def test_a_match_that_enters_no_rate_has_no_reward() -> None:
    outcomes: tuple[Outcome, ...] = ("forfeit", "error")
    for outcome in outcomes:
        assert seat_reward(made(outcome=outcome), "murderer") == (None, None)
    assert seat_reward(made(outcome="draw", uncounted="nobody voted"), "civilians") == (None, None)
    assert seat_reward(made(outcome="murderer_win"), "murderer")[0] == 1
