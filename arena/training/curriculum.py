"""What the mini model learns from: sample number n of a seed is always the same."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Final, get_args

from tokenizers import Tokenizer

from arena.core.observation import ClueObservation, observe
from arena.core.quoting import quote
from arena.core.seats import SeatId
from arena.models.chat import Message
from arena.players import prompts
from arena.players.event_lines import clue_messages
from arena.players.first_person import speak_as_role
from arena.players.wording import find_wording
from arena.training.drills import as_messages, copy_drill, prose, prose_question, prose_script
from arena.training.encode import Sample, encode, render
from arena.training.episodes import Rules, hold_interview, play_episode, put_question, start
from arena.training.questions import ask_about
from arena.training.reading import readings_of, small_script
from arena.training.teacher import seat_of
from arena.training.testimony import statements_of
from scripts_mm.generate.case import Case, make_case, spoken_script
from scripts_mm.generate.options import options_of
from scripts_mm.generate.splits import SPLITS
from scripts_mm.generate.world import Difficulty
from scripts_mm.script import LANGUAGES, Language, Script

_PER_CASE: Final = 6
"""Samples of one case, one after the other: making a case takes as long as learning from it."""
_SHARES: Final = (
    ("short", 70),
    ("interview", 14),
    ("episode", 5),
    ("prose", 6),
    ("copy", 2),
    ("read", 10),
)
_GAMES: Final = (
    ("whodunit", "short"), ("whodunit", "paper"), ("whodunit", "wide"), ("questum", "default"),
    ("thinkthrice", "default"),
)  # fmt: skip
_GAME_WEIGHTS: Final = (6, 2, 1, 1, 1)
_TOKENIZER_CASES: Final = 120
_MOST_TOKENS: Final = 6_000
"""A longer sequence is cut at its beginning's end; so long are few."""


def draw_sample(tokenizer: Tokenizer, seed: int, number: int) -> Sample:
    """Return sample `number` of the training data of `seed`."""
    rng = Random(f"{seed}/{number}")
    kinds, weights = zip(*_SHARES, strict=True)
    kind = rng.choices(kinds, weights)[0]
    if kind == "copy":
        return copy_drill(tokenizer, rng)
    case_rng = Random(f"{seed}/case/{number // _PER_CASE}")
    language: Language = case_rng.choice(LANGUAGES)
    case = _case(case_rng.choice(SPLITS["train"]), case_rng.choice(get_args(Difficulty)),
                 case_rng.choices((4, 5, 6, 7), (2, 5, 3, 1))[0], language)  # fmt: skip
    if kind == "interview":
        return encode(
            tokenizer, kind, _interview(case, language, rng), sources=sources_of(case, language)
        )
    if kind == "read":
        return _read(tokenizer, case, language, rng)
    if kind == "short":
        return _short(tokenizer, case, language, rng)
    if kind == "prose":
        return _prose(tokenizer, case, language, rng)
    return encode(
        tokenizer, kind, _episode(case, language, rng), sources=sources_of(case, language)
    )


def corpus() -> Iterator[str]:
    """Yield the texts that the tokenizer is trained on: whole matches of training cases."""
    for number in range(_TOKENIZER_CASES):
        rng = Random(f"tokenizer/{number}")
        for language in LANGUAGES:
            case = _case(rng.choice(SPLITS["train"]), "medium", 5, language)
            how = Rules(preset="short", seed=number)
            found = play_episode(case, language, _script(case, language, rng), how)
            for one in [*found.values()][:2]:
                yield render(one.messages)


@lru_cache(maxsize=4)
def _case(seed: int, difficulty: Difficulty, roles: int, language: Language) -> Case:
    return make_case(seed, options_of(difficulty, roles), (language,))


def _script(case: Case, language: Language, rng: Random) -> Script:
    """Return a script whose pictures are words, or missing."""
    told = case.told[language]
    return spoken_script(told) if rng.random() < 1 / 2 else told.bare


def _interview(case: Case, language: Language, rng: Random) -> Sequence[Message]:
    script = case.told[language].bare
    return hold_interview(
        case,
        language,
        script,
        seat_number=rng.randrange(8),
        questions=rng.randint(12, 20),
        seed=rng.randrange(10**6),
    ).messages


def _prose(tokenizer: Tokenizer, case: Case, language: Language, rng: Random) -> Sample:
    """Return an interview about a private script of random words."""
    state = start(case.told[language].bare, Rules())
    seat = rng.choice(state.started.seats)
    seen = observe(state, seat)
    sentences = prose(language, rng, rng.randint(5, 30))
    header = prompts.header(seen, prose_script(sentences, language, rng), "you")
    turns: list[tuple[Message, str]] = []
    for _ in range(rng.randint(8, 18)):
        question, answer = prose_question(rng.choice(sentences), language, rng)
        asker = rng.choice([one for one in seen.seats if one != seat])
        turns.append((put_question(seen, asker, question), answer))
    sources = [(speak_as_role(one, language), one) for one in sentences]
    return encode(tokenizer, "prose", as_messages(header, turns), sources=sources)


def _read(tokenizer: Tokenizer, case: Case, language: Language, rng: Random) -> Sample:
    """Return a conversation about the pictures of a case, three shown before their questions."""
    script, files = small_script(case, language, rng.randrange(4))
    readings = list(readings_of(case, language, rng))
    rng.shuffle(readings)
    messages: list[Message] = []
    for group in (readings[at : at + 3] for at in range(0, len(readings), 3)):
        messages += show_clues(script, [one.clue for one in group])
        for one in group:
            messages.append(ask_first_seat(script, one.question, rng))
            messages.append(Message(role="assistant", text=one.answer))
    return encode(tokenizer, "read", messages, files)


def _short(tokenizer: Tokenizer, case: Case, language: Language, rng: Random) -> Sample:
    """Return an interview about few sentences: with so little to choose from, choosing begins."""
    who = rng.choice(case.drawn.world.frame.suspects).id
    asked = seat_of(case, language, case.told[language].cast.names[who])
    say = find_wording(language)
    if rng.random() < 1 / 2:
        told = prose(language, rng, rng.randint(2, 10))
        sources = [(speak_as_role(one, language), one) for one in told]
        drawn = [prose_question(one, language, rng) for one in told]
    else:
        known = statements_of(case, language, who)
        several = rng.sample(known, min(len(known), rng.randint(2, 10)))
        sources = [(one.text, one.told) for one in several]
        questions = [ask_about(asked, one, rng) for one in several]
        drawn = [(one.text, one.answers[0]) for one in questions]
    script = prose_script([one for _, one in sources], language, rng)
    turns: list[tuple[Message, str]] = []
    rng.shuffle(drawn)
    for question, answer in drawn:
        text = say("line.text", text=quote(question))
        asker = rng.choice(asked.others)
        line = say("line.asked", seat=asker, to=asked.name, about="", text=text)
        turns.append((Message(role="user", text=line), answer))
    messages = as_messages([Message(role="user", text=script)], turns)
    return encode(tokenizer, "short", messages, sources=sources)


def show_clues(script: Script, names: Sequence[str]) -> list[Message]:
    """Return the messages in which a seat is shown clues and their pictures."""
    say, clues = find_wording(script.language), {one.id: one for one in script.clues}
    found: list[Message] = []
    for name in names:
        clue = clues[name]
        shown = ClueObservation(
            key=name, title=clue.title, text=clue.text, pictures=clue.pictures, private=False
        )
        found += clue_messages(say, shown)
    return found


def ask_first_seat(script: Script, question: str, rng: Random) -> Message:
    """Return the message in which the first seat is asked something."""
    seen = observe(start(script, Rules()), SeatId(script.roles[0].name))
    asker = rng.choice([seat for seat in seen.seats if seat != seen.seat])
    return put_question(seen, asker, question)


def sources_of(case: Case, language: Language) -> tuple[tuple[str, str], ...]:
    """Return what the seats say and the passages of their scripts that say it."""
    ids = (one.id for one in case.drawn.world.frame.suspects)
    return tuple((one.text, one.told) for who in ids for one in statements_of(case, language, who))


def _episode(case: Case, language: Language, rng: Random) -> Sequence[Message]:
    script = _script(case, language, rng)
    game, preset = rng.choices(_GAMES, _GAME_WEIGHTS)[0]
    how = Rules(game=game, preset=preset, seed=rng.randrange(10**6))
    return rng.choice([*play_episode(case, language, script, how).values()]).messages
