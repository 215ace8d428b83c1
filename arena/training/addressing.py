"""Judge of answers to the standing questions on a bundled script: whether they address it.

The judge reads the bundled case's own facts, which no player sees. With the choice of the replies
it shares only how times are read and how a sentence is said. An answer *addresses* a question about

- another seat if it names that seat, or says that the seat knows nothing of it;
- the hour of the death if it is about the speaker, and one of its sentences has a time within
  20 minutes of the death or says that it lasted the whole time;
- the last meeting if it names the victim and a time or day before the death;
- a reason or a relation if it names the victim and the speaker, and is no entry of the evening's
  time-table;
- what is hidden if it is in the first person and speaks of a secret, a lie, a debt or a fear, or
  is under such a heading of the script;
- what is known if it names another person or a time, and is no public clue.

A refusal to answer in words that fit the question addresses it and *evades* it. An answer stands
*alone* if it does not begin with a reference to a sentence that is missing.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from arena.memory.lexical import split_sentences
from arena.players.script_text.clock_times import HALF_DAY, read_times
from arena.players.script_text.first_person import speak_as_role
from arena.training.judging import Judge
from scripts_mm.script import Language, Script

Asked = Literal["reason", "relation", "last_seen", "alibi", "known", "hidden", "of_other", "case"]
"""What is asked: the standing questions of extractive players; `case` is asked by naive ones."""
_NEAR: Final = 20
"""Minutes before and after a death."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCase:
    """A question on a case: what the judge knows of it."""

    script: Script
    seat: str
    asked: Asked
    about: str = ""
    """The seat or the victim that the question names."""
    death: tuple[int, int] = (0, HALF_DAY)
    """Minutes since midnight: the first and last possible moment of the death."""
    epithets: Sequence[str] = ()
    """How the roles call the victim, apart from the name."""


def judge_addressing(case: AskedCase) -> Judge:
    """Return the judge of answers to a question on a bundled script."""
    words = _WORDS[case.script.language]

    def judge(reply: str) -> Mapping[str, Sequence[bool]]:
        parts = split_sentences(reply)
        is_evasive = bool(_EVASIONS[case.asked].search(reply))
        is_apt = is_evasive or _TESTS[case.asked](case, parts)
        is_whole = not words.reference.match(reply) and not words.quotation.fullmatch(reply)
        return {"addresses": [is_apt], "evades": [is_evasive], "alone": [is_whole]}

    return judge


def _names(case: AskedCase, text: str, name: str) -> bool:
    """Return whether `text` names a person: by a part of the name or by an alias.

    A part that a victim shares with a role means the victim, unless the whole name of the role is
    there.
    """
    script = case.script
    aliases = next((one.aliases for one in script.roles if one.name == name), case.epithets)
    others = [
        one for one in (*(role.name for role in script.roles), *script.victims) if one != name
    ]
    for one in others:
        text = text.replace(one, "")
    parts = name.split() if script.language == "en" else [name[1:]]
    if name not in script.victims:
        parts = [one for one in parts if all(one not in other for other in others)]
    edge = r"\b" if script.language == "en" else ""
    several = "|".join(map(re.escape, (name, *(one for one in parts if len(one) > 1), *aliases)))
    return re.search(f"{edge}(?:{several}){edge}", text) is not None


def _is_near(case: AskedCase, sentence: str) -> bool:
    """Return whether the times of a sentence overlap with the death and the minutes around it."""
    first, last = case.death[0] - _NEAR, case.death[1] + _NEAR
    shifted = [(one - first + HALF_DAY // 2) % HALF_DAY for one in read_times(sentence)]
    if not shifted:
        return False
    return min(shifted) <= HALF_DAY // 2 + last - first and max(shifted) >= HALF_DAY // 2


def _is_before(case: AskedCase, sentence: str) -> bool:
    """Return whether a time of a sentence is not in the two hours after the death."""
    last = case.death[1]
    return any((one - last - 1) % HALF_DAY >= _AFTER for one in read_times(sentence))


def _tells_alibi(case: AskedCase, parts: Sequence[str]) -> bool:
    words = _WORDS[case.script.language]
    return any(
        (words.own.search(one) or _leaves_out_subject(case, one))
        and (_is_near(case, one) or (words.lasting.search(one) and not [*read_times(one)]))
        for one in parts
    )


def _leaves_out_subject(case: AskedCase, sentence: str) -> bool:
    """Return whether a Chinese entry of a time-table has no subject, so that the speaker is it."""
    found = _ENTRY.match(sentence)
    people = (*(one.name for one in case.script.roles), *case.script.victims)
    return bool(found) and not any(_names(case, found[1], one) for one in people)


def _pairs(parts: Sequence[str]) -> Iterator[str]:
    """Yield each sentence, with the one before it if it has a pronoun that can refer to it."""
    for at, one in enumerate(parts):
        yield f"{parts[at - 1]} {one}" if at and _PRONOUN.search(one) else one


def _is_about(case: AskedCase, sentence: str) -> bool:
    """Return whether a sentence names the person in question, or has a pronoun and no name."""
    if _names(case, sentence, case.about):
        return True
    people = (*(one.name for one in case.script.roles), *case.script.victims)
    named = any(_names(case, sentence, one) for one in people if one != case.seat)
    return _PRONOUN.search(sentence) is not None and not named


def _tells_meeting(case: AskedCase, parts: Sequence[str]) -> bool:
    words = _WORDS[case.script.language]
    return any(
        _is_about(case, one)
        and (_is_before(case, one) or words.day.search(one))
        and not words.dead.search(one)
        for one in _pairs(parts)
    )


def _tells_relation(case: AskedCase, parts: Sequence[str]) -> bool:
    words = _WORDS[case.script.language]
    return any(
        _is_about(case, one)
        and words.own.search(one)
        and (not [*read_times(one)] or words.dealing.search(one))
        for one in _pairs(parts)
    )


def _tells_secret(case: AskedCase, parts: Sequence[str]) -> bool:
    words, headed = _WORDS[case.script.language], {*_list_secrets(case)}
    return any(
        words.own.search(one) and (words.secret.search(one) or not headed.isdisjoint(parts))
        for one in _pairs(parts)
    )


def _list_secrets(case: AskedCase) -> Iterator[str]:
    """Yield what the author of the script puts under a heading such as “What you hide”."""
    role, language, is_secret = case.script.role(case.seat), case.script.language, False
    for line in filter(None, map(str.strip, role.script.splitlines())):
        if len(line) < _HEADING and line[-1] not in ".。!！?？":
            is_secret = _SECRET_SECTION.search(line) is not None
        elif is_secret:
            yield from (speak_as_role(one, language) for one in split_sentences(line))


def _tells_other(case: AskedCase, parts: Sequence[str]) -> bool:
    return any(_names(case, one, case.about) for one in parts)


def _tells_something(case: AskedCase, parts: Sequence[str]) -> bool:
    words = _WORDS[case.script.language]
    roles = [one.name for one in case.script.roles if one.name != case.seat]
    people = (*roles, *case.script.victims)
    return any(
        not words.identity.match(one)
        and (case.asked == "case" or not words.clue.match(one))
        and ([*read_times(one)] or any(_names(case, one, name) for name in people))
        for one in parts
    )


_TESTS: Final[Mapping[Asked, Callable[[AskedCase, Sequence[str]], bool]]] = {
    "reason": _tells_relation, "relation": _tells_relation, "last_seen": _tells_meeting,
    "alibi": _tells_alibi, "known": _tells_something, "hidden": _tells_secret,
    "of_other": _tells_other, "case": _tells_something,
}  # fmt: skip
_NOTHING: Final = r"I have nothing more to say|我没有别的要说了"
_UNKNOWN: Final = r"^I don't know\.|^我不知道。"
_THEN: Final = r"I can say nothing of that hour|那个时候的事，我说不上来"
_RATHER_NOT: Final = r"I would rather not speak of what was between|之间的事，我不想说"
_DENIAL: Final = r"I did not kill|不是我杀的"
_EVASIONS: Final[Mapping[Asked, re.Pattern[str]]] = {
    "reason": re.compile(rf"{_DENIAL}|{_RATHER_NOT}"),
    "relation": re.compile(_RATHER_NOT),
    "last_seen": re.compile(rf"{_UNKNOWN}|{_THEN}"),
    "alibi": re.compile(_THEN),
    "known": re.compile(rf"{_NOTHING}|{_UNKNOWN}"),
    "hidden": re.compile(_NOTHING),
    "of_other": re.compile(rf"I know nothing of|的事，我没什么可说的|{_UNKNOWN}"),
    "case": re.compile(rf"{_NOTHING}|{_UNKNOWN}|{_DENIAL}"),
}
"""Refusals that fit each question: those of extractive replies, and the naive “I don't know”."""
_ENTRY: Final = re.compile(r"(?:[\d:：]{4,5}|[^，。]{1,4}点[^，。]{0,5})[，到 ]?([^他她它]{1,5})")
_AFTER: Final = 120
"""Minutes."""
_HEADING: Final = 30
"""Characters of a heading, at most."""
_SECRET_SECTION: Final = re.compile(r"secret|hide|瞒|秘密|窟窿|亏心")
_PRONOUN: Final = re.compile(r"\b(?:he|him|his|she|her)\b|[他她]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnswerWords:
    reference: re.Pattern[str]
    """The beginning of a sentence that refers to another one."""
    quotation: re.Pattern[str]
    own: re.Pattern[str]
    lasting: re.Pattern[str]
    day: re.Pattern[str]
    dead: re.Pattern[str]
    dealing: re.Pattern[str]
    """Words of a quarrel or a bargain, which a time-table can hold too."""
    secret: re.Pattern[str]
    identity: re.Pattern[str]
    clue: re.Pattern[str]


_WORDS: Final[Mapping[Language, _AnswerWords]] = {
    "en": _AnswerWords(
        reference=re.compile(
            r"(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those|Then|So|But|And|Both|There "
            r"it)\b(?! (?:evening|night|day|morning|afternoon|week)\b)"
        ),
        quotation=re.compile(r"[\"“][^\"”]*[\"”]\.?|[\"“][^\"”]*[\"”],? (?:he|she) \w+\."),
        own=re.compile(r"\b(?:I|me|my|mine|myself|we|us|our)\b"),
        lasting=re.compile(
            r"\b(?:throughout|all (?:evening|night|the time)|the whole (?:time|evening|night)|"
            r"never left|did not leave|that (?:night|evening))\b"
        ),
        day=re.compile(
            r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|yesterday|this (?:morning|afternoon|"
            r"evening)|tonight|last (?:night|time))\b",
            re.IGNORECASE,
        ),
        dead=re.compile(r"\b(?:dead|body|corpse)\b"),
        dealing=re.compile(
            r"\b(?:sign|shout|refus|promis|threat|quarrel|ow(?:e|ed)\b|sack|dismiss|pay|paid|"
            r"forgiv|hat|lov|marr|ask)\w*"
        ),
        secret=re.compile(
            r"\b(?:secret|hid|hide|hidden|lie|lied|lies|suspect|"
            r"told (?:the (?:constable|sergeant)|Inspector|nobody|no one)|nobody (?:\w+ )?knows?|"
            r"only [A-Z]\w+ knows|never told|held my tongue|not proud|sold|stole|"
            r"stolen|forged?|forger|false|pretend\w*|sworn|promise\w*|afraid|ashamed|comes? "
            r"out|burn(?:ed|t)|to myself|debts?|owed?|pregnant|drunk|without saying|no idea that|"
            r"said nothing|not said|have not told|cannot tell|fear\w*|blackmail\w*|cheat\w*|"
            r"truth)\b",
            re.IGNORECASE,
        ),
        identity=re.compile(r"I am [A-Z]"),
        clue=re.compile(r"The clue “"),
    ),
    "zh": _AnswerWords(
        reference=re.compile(
            r"[他她它]|其(?!实)|[这那](?![天晚夜年时一个])|于是|可是|但|所以|然后"
        ),
        quotation=re.compile(r"“[^”]*”[。！？]?"),
        own=re.compile(r"[我咱]"),
        lasting=re.compile(r"一直|没(?:有)?离开|整晚|整夜|当晚|今晚|那晚|那一晚|始终"),
        day=re.compile(r"星期|礼拜|昨[天晚]|今[天晚早]|前天|下午|早上|上午|晚上|傍晚|中午"),
        dead=re.compile(r"死|尸|没了"),
        dealing=re.compile(r"签|骂|吵|拒|答应|限|逼|欠|辞|还钱|恨|爱|嫁|娶|求|问"),
        secret=re.compile(
            r"瞒|骗|偷|假|谎|没告诉|没有告诉|谁也没|没人知道|不敢|不肯|藏|怕|债|欠|秘密|没说|没有说|"
            r"不说|卖|拿走|烧|冒|改|私|知道的只有|只有.{1,12}(?:知道|晓得)|对.{1,4}说(?:[，,]?我|的)|露|丢"
        ),
        identity=re.compile(r"我是.{2,4}[，,]"),
        clue=re.compile(r"线索“"),
    ),
}
