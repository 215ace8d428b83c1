"""Training samples of each kind: interviews, readings, prose, matches and turns of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final, get_args

from tokenizers import Tokenizer

from arena.core.observation import ClueObservation, observe
from arena.core.quoting import quote
from arena.core.seats import SeatId
from arena.memory.lexical import split_sentences
from arena.models.chat import Message
from arena.players import prompts
from arena.players.event_lines import clue_messages
from arena.players.script_text.first_person import speak_as_role
from arena.players.wording import find_wording
from arena.training.cards import case_cards
from arena.training.drills import as_messages, prose, prose_question, prose_script
from arena.training.encode import (
    TrainingSample,
    encode,
    reading_targets,
    token_id,
)
from arena.training.episodes import (
    InterviewSettings,
    MatchSettings,
    hold_interview,
    put_question,
    start,
)
from arena.training.questions import ask_about
from arena.training.reading import list_picture_questions, small_script
from arena.training.teacher import seat_of
from arena.training.testimony import statements_of
from arena.training.thinking import fits, last_links, statements_of_facts, write_thought
from scripts_mm.generate.case import GeneratedCase, make_case, script_without_pictures
from scripts_mm.generate.options import make_options
from scripts_mm.generate.pictures.small_pictures import SmallPicture
from scripts_mm.generate.world import Difficulty
from scripts_mm.script import LANGUAGES, Language, Script
from scripts_mm.seed_splits import SPLITS
from serving.standin.bpe_tokenizer import IMAGE

_ROUNDS: Final = 3
"""Times that each picture of a case is asked about in a conversation, if the answers differ."""


def draw_case(rng: Random) -> tuple[GeneratedCase, Language]:
    """Return a training case and the language of its texts."""
    language: Language = rng.choice(LANGUAGES)
    difficulty: Difficulty = rng.choice(get_args(Difficulty))
    roles = rng.choices((4, 5, 6, 7), (2, 5, 3, 1))[0]
    case = make_case(rng.choice(SPLITS["train"]), make_options(difficulty, roles), (language,))
    return case, language


def draw_worded_script(case: GeneratedCase, language: Language, rng: Random) -> Script:
    """Return a script whose pictures are replaced by words, or missing."""
    told = case.rendered[language]
    return script_without_pictures(told) if rng.random() < 1 / 2 else told.bare


def draw_interview(
    tokenizer: Tokenizer, case: GeneratedCase, language: Language, rng: Random
) -> TrainingSample:
    """Return an interview about a private script, or about some of its sentences."""
    drawn = InterviewSettings(
        seat_number=rng.randrange(8),
        questions=rng.randint(8, 16),
        seed=rng.randrange(10**6),
        known=rng.choice((0, rng.randint(5, 16))),
    )
    talk = hold_interview(case, language, case.rendered[language].bare, drawn)
    return encode(tokenizer, "interview", talk.messages, sources=sources_of(case, language))


def draw_prose(
    tokenizer: Tokenizer, case: GeneratedCase, language: Language, rng: Random
) -> TrainingSample:
    """Return an interview about a private script of random words."""
    state = start(case.rendered[language].bare, MatchSettings())
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


def draw_reading(
    tokenizer: Tokenizer,
    case: GeneratedCase,
    language: Language,
    drawn: Mapping[str, SmallPicture],
    rng: Random,
) -> TrainingSample:
    """Return a conversation about the pictures of a case, up to three shown before their questions.

    Half of the conversations show each picture alone, as most questions in a match find it.
    """
    script, files = small_script(case, language, drawn)
    drawn_questions = [
        one for _ in range(_ROUNDS) for one in list_picture_questions(case, language, rng)
    ]
    # A list or a plan answers several questions, other pictures one.
    readings = [*{(one.clue, one.answer): one for one in drawn_questions}.values()]
    rng.shuffle(readings)
    messages: list[Message] = []
    several = rng.choice((1, 1, 2, 3))
    for group in (readings[at : at + several] for at in range(0, len(readings), several)):
        messages += show_clues(script, [one.clue for one in group])
        for one in group:
            messages.append(ask_first_seat(script, one.question, rng))
            messages.append(Message(role="assistant", text=one.answer))
    sample = encode(tokenizer, "read", messages, files)
    cards = case_cards(case, language, tokenizer, drawn)
    printed = [cards[one.clue].tokens for one in readings]
    exact = [frozenset(_ids(tokenizer, one.exact)) for one in readings]
    place = token_id(tokenizer, IMAGE)
    return replace(sample, goals=tuple(reading_targets(sample, place, printed, exact)))


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    return [
        one
        for written in (text, f" {text}")
        for one in tokenizer.encode(written, add_special_tokens=False).ids
    ]


def draw_short_interview(
    tokenizer: Tokenizer, case: GeneratedCase, language: Language, rng: Random
) -> TrainingSample:
    """Return an interview about few sentences: with few choices, learning to choose starts."""
    who = rng.choice(case.sampled.world.frame.suspects).id
    asked = seat_of(case, language, case.rendered[language].cast.names[who])
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


def draw_short_thought(
    tokenizer: Tokenizer, case: GeneratedCase, language: Language, rng: Random
) -> TrainingSample:
    """Return thoughts about few sentences: links of the case, and who has which trait."""
    say, told = find_wording(language), [*statements_of_facts(case, language)]
    sheets = {f"clue:{one.id}": one.text for one in case.rendered[language].bare.clues}
    chains: list[tuple[tuple[str, str], tuple[str, str]]] = []
    for link in last_links(case):
        proofs = [(one.text, one.told) for fact, one in told if fact.id == link.id]
        noted = [split_sentences(sheets[one])[0] for one in link.sources if one in sheets]
        proofs += [(one, one) for one in noted]
        fitting = [(one.text, one.told) for fact, one in told if fits(fact, link)]
        if proofs and fitting:
            chains.append((rng.choice(proofs), rng.choice(fitting)))
    wanted = {link.trait: link for link in last_links(case)}
    others = [
        (one.text, one.told)
        for fact, one in told
        if fact.trait not in wanted or not fits(fact, wanted[fact.trait])
    ]
    sources = [pair for chain in chains for pair in chain]
    sources += rng.sample(others, min(len(others), rng.randint(2, 12)))
    rng.shuffle(sources)
    rng.shuffle(chains)
    think = Message(role="user", text=say("cot.thought", hint=say("cot.hint")).strip())
    turns = [(think, write_thought(proof[0], reason[0])) for proof, reason in chains]
    script = prose_script([one for _, one in sources], language, rng)
    messages = as_messages([Message(role="user", text=script)], turns)
    return encode(tokenizer, "hint", messages, sources=sources)


def show_clues(script: Script, names: Sequence[str]) -> list[Message]:
    """Return the messages that show clues and their pictures to a seat."""
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
    """Return the message with a question to the first seat."""
    seen = observe(start(script, MatchSettings()), SeatId(script.roles[0].name))
    asker = rng.choice([seat for seat in seen.seats if seat != seen.seat])
    return put_question(seen, asker, question)


def sources_of(case: GeneratedCase, language: Language) -> tuple[tuple[str, str], ...]:
    """Return the statements of the seats, with the passages of their scripts."""
    ids = (one.id for one in case.sampled.world.frame.suspects)
    return tuple((one.text, one.told) for who in ids for one in statements_of(case, language, who))
