"""Training samples of matches that the teacher plays."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from tokenizers import Tokenizer

from arena.core.purposes import Purpose
from arena.models.chat import Message
from arena.players.model_limits import Shares
from arena.training.cards import draw_pictures
from arena.training.encode import TrainingSample, ballot_targets, encode, render
from arena.training.episodes import (
    Episode,
    MatchSettings,
    PromptLimits,
    last_of_seats,
    play_match,
)
from arena.training.reading import small_script
from arena.training.samples import draw_case, draw_worded_script, sources_of
from scripts_mm.generate.case import GeneratedCase
from scripts_mm.script import Language, Script

_BUDGETS: Final = (1_800, 2_600)
"""Range of the prompt budgets of episodes in tokens; games other than the first need more."""
_BUDGET_OF_OTHERS: Final = 4_096
_SHARES: Final = ((150, 250), (250, 400), (500, 800))
"""Token shares of the script and of the talk in them."""
_BUDGET_OF_THOUGHTS: Final = 3_200
_SHARES_OF_THOUGHTS: Final = (800, 400)
"""Limits of the profile `mini`: in smaller prompts, few chains are whole."""
_GAMES: Final = (
    ("whodunit", "short"), ("whodunit", "paper"), ("whodunit", "wide"), ("questum", "default"),
    ("thinkthrice", "default"),
)  # fmt: skip
_GAME_WEIGHTS: Final = (8, 1, 1, 1, 1)
THINKING: Final = "mini+cot"
"""The player that thinks before each reply."""
_OF_ONE_MURDERER: Final = "thinkthrice"
"""The game of these that refuses a script with several murderers."""


def draw_match(
    tokenizer: Tokenizer, case: GeneratedCase, language: Language, rng: Random
) -> TrainingSample:
    """Return the whole conversation of one seat in a match."""
    script, files = _draw_script(case, language, rng)
    how = MatchSettings(preset="short", seed=rng.randrange(10**6))
    found = last_of_seats(play_match(case, language, script, how))
    messages = rng.choice([*found.values()]).messages
    return encode(tokenizer, "match", messages, files, sources_of(case, language))


def draw_episodes(tokenizer: Tokenizer, match: str, rng: Random) -> Iterator[TrainingSample]:
    """Yield requests of a match whose prompts contain search results; `match` is its seed."""
    found = [*_play_within_limits(tokenizer, Random(match), _GAME_WEIGHTS)]
    rng.shuffle(found)
    yield from (sample for _, sample in found)


def draw_ballots(tokenizer: Tokenizer, match: str) -> Iterator[TrainingSample]:
    """Yield the ballots of a match of the first game; `match` is its seed."""
    for one, sample in _play_within_limits(tokenizer, Random(match), (1,)):
        if one.asked.purpose is Purpose.VOTE:
            targets = ballot_targets(tokenizer, sample, one.observation.seats)
            yield replace(sample, kind="ballot", goals=(*sample.goals, *targets))


def draw_thoughts(tokenizer: Tokenizer, match: str) -> Iterator[TrainingSample]:
    """Yield the conclusions of a match whose players think first, if a chain leads to a name.

    `match` is its seed. One ballot is enough: there the conclusions have repeated the chains.
    """
    ballots = 0
    for one, sample in _play_within_limits(tokenizer, Random(match), (1,), player=THINKING):
        if one.thought is None or not one.thought.suspect:
            continue
        ballots += one.asked.purpose is Purpose.VOTE
        if one.asked.purpose is not Purpose.VOTE or ballots == 1:
            yield replace(sample, kind="thought")


def _play_within_limits(
    tokenizer: Tokenizer, drawn: Random, weights: Sequence[int], player: str = "mini"
) -> Iterator[tuple[Episode, TrainingSample]]:
    """Yield the requests of a match; `weights` are those of the first games."""
    case, language = draw_case(drawn)
    script, files = _draw_script(case, language, drawn)
    several = len(script.murderers) > 1
    accepting = {
        game: weight
        for game, weight in zip(_GAMES, weights, strict=False)
        if not (several and game[0] == _OF_ONE_MURDERER)
    }
    game, preset = drawn.choices([*accepting], [*accepting.values()])[0]
    how = MatchSettings(game=game, preset=preset, seed=drawn.randrange(10**6), player=player)
    room = (
        _limit(tokenizer, _BUDGET_OF_THOUGHTS, *_SHARES_OF_THOUGHTS)
        if player == THINKING
        else _draw_limits(tokenizer, drawn, is_large=game != _GAMES[0][0])
    )
    sources = sources_of(case, language)
    for one in play_match(case, language, script, how, room):
        chain = [one.thought.evidence, one.thought.reason] if one.thought is not None else []
        repeated = [(text, text) for text in chain if text]
        yield one, encode(tokenizer, "episode", one.messages, files, (*sources, *repeated))


def _draw_limits(tokenizer: Tokenizer, rng: Random, *, is_large: bool) -> PromptLimits:
    script, dialogue = rng.choice(_SHARES)
    budget = _BUDGET_OF_OTHERS if is_large else rng.choice(_BUDGETS)
    return _limit(tokenizer, budget, script, dialogue)


def _limit(tokenizer: Tokenizer, budget: int, script: int, dialogue: int) -> PromptLimits:
    def count(messages: Sequence[Message]) -> int:
        return len(tokenizer.encode(render(messages), add_special_tokens=False).ids)

    shares = Shares(script=script, dialogue=dialogue, introduction=script, quiz=script)
    return PromptLimits(count=count, budget=budget, shares=shares)


def _draw_script(
    case: GeneratedCase, language: Language, rng: Random
) -> tuple[Script, Mapping[str, bytes] | None]:
    """Return a script whose pictures are small, or replaced by words, or missing."""
    if rng.random() < 1 / 2:
        return small_script(case, language, draw_pictures(case, language, rng.randrange(100)))
    return draw_worded_script(case, language, rng), None
