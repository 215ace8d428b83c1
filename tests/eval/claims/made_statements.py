"""Statements out of a fact table: true ones, lies, errors, accusations and what nobody can check.

The wordings were written before the audit, but by the same author: how well it reads them is an
upper bound.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts_mm.catalog import LIBRARY
from scripts_mm.facts.claim_types import Presence
from scripts_mm.facts.fact_table import Fact, FactTable
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.script import LANGUAGES, Language

SCRIPTS = ("last-tram", "ward-nine", "glass-loft", "first-night", "quiet-harvest", "two-tides")
LINES: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "stay": (
            "As to {t}: {who} was in {place}.",
            "You would have found {who} at {place} at {t}, no later and no earlier.",
            "At {t}, to be exact, it was {place} where {who} stood.",
            "By {t} {who} had long been in {place}.",
            "Write it down: {t}, {who}, {place}.",
        ),
        "self": (
            "When it struck {t} I happened to be at {place}.",
            "My place at {t} was {place}, and nowhere else.",
            "Ask whom you like, {t} found me in {place}.",
            "I spent that minute, {t}, at {place}.",
        ),
        "accuse": (
            "There is nobody but {who} who can have done it.",
            "If you want my opinion, {who} is our murderer.",
            "{who} finished {victim} off, I am certain of it.",
            "The one who killed {victim} sits there: {who}.",
        ),
        "loose": (
            "{who} wore a grey coat that evening.",
            "I fetched coal from behind the church at {t}.",
            "{who} owed {victim} more money than anybody knows.",
            "At {t} {who} was at the barber's.",
        ),
        "idle": (
            "Let us go through the evening once more, minute by minute.",
            "{who}, what did you do at {t}?",
            "{who} told me that {who2} had been in {place}.",
            "Somebody at this table should speak up.",
        ),
    },
    "zh": {
        "stay": (
            "{t}那会儿，{who}人在{place}。",
            "要问{t}，待在{place}的是{who}。",
            "{who}嘛，{t}的时候早就在{place}了。",
            "记下来：{t}，{who}，{place}。",
        ),
        "self": (
            "{t}我正好在{place}。",
            "不瞒各位，{t}我人就在{place}，哪儿也没去。",
            "我呢，{t}一直守在{place}。",
        ),
        "accuse": (
            "依我看，凶手非{who}莫属。",
            "{victim}就是{who}害死的。",
            "除了{who}，没有第二个人下得了这个手。",
        ),
        "loose": (
            "那天晚上{who}穿了一件灰大衣。",
            "{t}我在教堂后面搬煤。",
            "{who}欠{victim}一大笔钱，谁也不知道。",
        ),
        "idle": (
            "咱们把这一晚再从头捋一遍吧。",
            "{who}，{t}你在做什么？",
            "{who}跟我说，{who2}去过{place}。",
        ),
    },
}
Told = tuple[str, str, str]
"""Speaker, text and fact."""
_TEENS = 12
_HOURS = [
    "twelve",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
]
_DIGITS = "零一二三四五六七八九十"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A statement, and what it was made to be."""

    script: str
    language: Language
    speaker: str
    text: str
    category: str
    fact: str


def make_statements(seed: int, of_each: int) -> Iterator[Made]:
    """Yield `of_each` statements of each category in each language, over all scripts."""
    chance = random.Random(seed)
    makers: Mapping[str, Callable[[FactTable, Language, random.Random], Told | None]] = {
        "true": _true,
        "lie": _lie,
        "error": _error,
        "unsupported": _accusation,
        "unverifiable": _loose,
        "none": _idle,
    }
    for language in LANGUAGES:
        for category, make in makers.items():
            found: set[str] = set()
            while len(found) < of_each:
                name = chance.choice(SCRIPTS)
                table = load_facts(Path(LIBRARY / name))
                assert table is not None, "a bundled script has facts"
                made = make(table, language, chance)
                if made is not None and made[1] not in found:
                    found.add(made[1])
                    speaker, text, fact = made
                    yield Made(
                        script=name,
                        language=language,
                        speaker=speaker,
                        text=text,
                        category=category,
                        fact=fact,
                    )


def tell_time(minute: int, language: Language, chance: random.Random) -> str:
    """Return a time of day in one of several styles."""
    hour, rest = divmod(minute % 1440, 60)
    if language == "zh":
        part = "凌晨" if hour < 6 else "早上" if hour < _TEENS else "晚上"
        twelve = hour % 12 or 12
        spoken = (
            "半" if rest == 30 else "一刻" if rest == 15 else f"{_chinese(rest)}分" if rest else ""
        )
        return chance.choice((f"{hour:02}:{rest:02}", f"{part}{_chinese(twelve)}点{spoken}"))
    half = "am" if hour < _TEENS else "pm"
    name, after = _HOURS[hour % 12], _HOURS[(hour + 1) % 12]
    spoken = {
        0: f"{name} o'clock",
        15: f"a quarter past {name}",
        30: f"half past {name}",
        45: f"a quarter to {after}",
    }.get(rest, f"{hour % 12 or 12}.{rest:02} {half}")
    return chance.choice((f"{hour:02}:{rest:02}", f"{hour % 12 or 12}:{rest:02} {half}", spoken))


def _chinese(number: int) -> str:
    tens, ones = divmod(number, 10)
    if not tens:
        return _DIGITS[ones]
    return ("" if tens == 1 else _DIGITS[tens]) + "十" + (_DIGITS[ones] if ones else "")


def _stays(table: FactTable) -> list[Fact]:
    return [one for one in table.facts if isinstance(one.claim, Presence)]


def _fill(
    table: FactTable, language: Language, chance: random.Random, kind: str, **given: str
) -> str:
    names = {one.id: one.names[language] for one in (*table.people, *table.places)}
    who, who2 = chance.sample(table.suspects, 2)
    line = chance.choice(LINES[language][kind])
    victim = table.crimes[0].victim
    values = {
        "who": who,
        "who2": who2,
        "victim": victim,
        "place": chance.choice(table.places).id,
        **given,
    }
    told = {key: names.get(value, value) for key, value in values.items()}
    text = line.format(**{"t": tell_time(chance.randrange(1100, 1439), language, chance), **told})
    return text[0].upper() + text[1:]


def _placed(
    table: FactTable, language: Language, chance: random.Random, *, own: bool, right: bool
) -> Told | None:
    fact = chance.choice(_stays(table))
    claim = fact.claim
    assert isinstance(claim, Presence)
    knows = {source.name for source in fact.sources if source.kind == "role"} | {claim.who}
    others = [one for one in table.suspects if one not in knows]
    speaker = claim.who if own else chance.choice(others) if others else ""
    if not speaker or (right and not own and speaker in table.crimes[0].culprits):
        return None
    wrong = [one.id for one in table.places if one.id != claim.place]
    place = claim.place if right else chance.choice(wrong)
    time = tell_time((claim.start + claim.end) // 2, language, chance)
    kind = "self" if own else "stay"
    return (
        speaker,
        _fill(table, language, chance, kind, who=claim.who, place=place, t=time),
        fact.id,
    )


def _true(table: FactTable, language: Language, chance: random.Random) -> Told | None:
    return _placed(table, language, chance, own=chance.random() < 0.5, right=True)


def _lie(table: FactTable, language: Language, chance: random.Random) -> Told | None:
    return _placed(table, language, chance, own=True, right=False)


def _error(table: FactTable, language: Language, chance: random.Random) -> Told | None:
    return _placed(table, language, chance, own=False, right=False)


def _accusation(table: FactTable, language: Language, chance: random.Random) -> Told | None:
    innocent = [one for one in table.suspects if one not in table.crimes[0].culprits]
    speaker, accused = chance.choice(innocent), chance.choice(table.suspects)
    if speaker == accused:
        return None
    return speaker, _fill(table, language, chance, "accuse", who=accused), ""


def _loose(table: FactTable, language: Language, chance: random.Random) -> Told | None:
    return chance.choice(table.suspects), _fill(table, language, chance, "loose"), ""


def _idle(table: FactTable, language: Language, chance: random.Random) -> Told | None:
    return chance.choice(table.suspects), _fill(table, language, chance, "idle"), ""
