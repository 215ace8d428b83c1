"""What a naive murderer of a bundled script can say gives nothing of its deed away."""

import pytest

from arena.core.observation import Observation, observe
from arena.core.playouts.playout import start_state
from arena.core.transitions import MatchSetup
from arena.games.game_registry import DEFAULT, find_game
from arena.players.script_text.own_script import read_own_script
from arena.players.script_text.safe_sentences import content_terms
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.script import Language, Script

pytestmark = pytest.mark.slow

SCRIPTS = tuple(entry.id for entry in list_bundled())
HARMLESS = content_terms("moves marionettes lens", "en") | content_terms("木偶", "zh")
"""Words of a trade, or of no weight, in the first sentences of a role and in the truth."""
PROOFS = (
    "ash of the burner", "the pole", "推钮", "burned my papers", "burned your papers", "an invoice",
    "twelve prisms", "acrylic", "diploma", "文凭", "卖了两遍", "twice",
)  # fmt: skip
"""Of the deeds and the motives of the bundled scripts."""
QUESTIONS: dict[Language, tuple[str, ...]] = {
    "en": ("Who are you, {0}?", "What does {0} do for a living?", "Tell us of {0}, please."),
    "zh": ("{0}，你是谁？", "{0}是做什么的？", "说说{0}多大岁数。"),
}


def murderers(name: str, language: Language) -> tuple[Script, list[Observation]]:
    game, script = find_game(DEFAULT), find_script(name, language).script
    state = start_state(game, MatchSetup(script=script, options=game.options(), seed=1))
    return script, [observe(state, seat) for seat in state.knowing_murderers]


def sayable(observation: Observation) -> list[str]:
    own = read_own_script(observation)
    return [one for one, may in zip(own.sentences, own.spoken, strict=True) if may]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_no_sentence_shares_a_distinctive_word_with_the_truth(
    name: str, language: Language
) -> None:
    script, seats = murderers(name, language)
    proof = "\n".join((script.truth.method, *(one.text for one in script.truth.key_clues)))
    for seat in seats:
        public = "\n".join((seat.opening, *seat.seats, *seat.victims))
        secret = content_terms(proof, language) - content_terms(public, language) - HARMLESS
        for sentence in sayable(seat):
            assert not secret & content_terms(sentence, language), sentence
            assert not any(one in sentence for one in PROOFS), sentence


def test_most_murderers_still_tell_who_they_are() -> None:
    known = 0
    for name in SCRIPTS:
        for language, questions in QUESTIONS.items():
            for seat in murderers(name, language)[1]:
                own = read_own_script(seat)
                asked = [one.format(seat.seat) for one in questions]
                known += all(own.search(one, most=3, least_score=2) for one in asked)
    assert known >= 13
