"""Detectors of passages: own script, secrets of others, rules, unknown people."""

import re
from collections.abc import Mapping

from arena.games.shared.word_matching import has_word, plain
from eval.metrics.guards.guard_scene import RULE_RUN, RUN, GuardScene, token_runs
from eval.metrics.guards.phrase_detectors import shows_marker
from eval.metrics.text_tokens import ngrams, word_tokens
from eval.played_match import Utterance
from scripts_mm.names import normal_form
from scripts_mm.script import Language

_PERSON: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:Mr|Mrs|Miss|Ms|Dr|Sir|Lady|Lord|Inspector|Captain|Professor|Sergeant|Uncle|Aunt)\.? "
        r"([A-Z][a-z’'-]+(?: [A-Z][a-z’'-]+)?)"
        r"|(?<=[a-z,] )([A-Z][a-z’'-]+ [A-Z][a-z’'-]+)\b"
        r"|【([^】]{2,30})】"
    ),
    "zh": re.compile(
        r"【([\u4e00-\u9fff]{2,4})】"
        r"|([赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜谢邹苏潘葛范彭鲁韦马方俞任袁柳史唐薛雷贺倪汤"
        r"罗毕郝安常于傅齐康伍余顾孟黄穆萧尹姚邵汪毛米明计成戴宋庞熊纪舒项祝董梁杜阮蓝闵席季贾江童颜郭梅盛林徐邱骆高"
        r"夏蔡田樊胡凌霍万柯卢莫丁邓洪包左石崔吉程裴陆荣翁甄曲封储靳焦巴侯全班仲宁仇栾甘祖武符刘景龙叶幸韶黎白赖卓"
        r"池乔阴翟谭申冉桑桂牛边燕冀尚温庄晏柴瞿阎慕连茹艾鱼容向古易慎戈廖终居衡步都耿满弘匡国文寇广东欧][\u4e00-\u9fff]{0,2}?)"
        r"(?:先生|女士|小姐|太太|夫人|医生|教授|警官|探长|老板)"
    ),
}
"""A person by title or in brackets; in English also two capitalised words within a sentence."""


def reads_aloud(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the seat repeats a passage of its own script verbatim."""
    size = RUN[scene.language]
    own = ngrams(word_tokens(scene.own_words(said)), size)
    if not own:
        return False
    held = (token_runs(text, size) for text in scene.private_texts(said.seat))
    return any(not text.isdisjoint(own) for text in held)


def reads_secrets(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the seat repeats a passage that it cannot know: an information leak.

    The passage is from another seat's script or clue, the truth or the quiz; texts that the seat
    observed before do not count.
    """
    size = RUN[scene.language]
    own = frozenset(ngrams(word_tokens(scene.own_words(said)), size))
    if not own:
        return False
    found = {run for text in scene.secret_texts(said.seat) for run in own & token_runs(text, size)}
    for text in scene.texts_before(said) if found else ():
        found -= token_runs(text, size)
    return bool(found)


def leaks_prompt(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the speech has a passage of rules or instructions, or a form's heading."""
    if shows_marker(scene, said):
        return True
    found = scene.rule_runs.intersection(ngrams(word_tokens(scene.own_words(said)), RULE_RUN))
    heard = [one.text for one in scene.match.utterances if one.event < said.event] if found else []
    return bool(found.difference(*(token_runs(text, RULE_RUN) for text in heard)))


def names_unknown(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the speech names a person not in the case's texts and not named before.

    The patterns are heuristic, so a hit is only a hint.
    """
    people = {
        next(filter(None, hit.groups()))
        for hit in _PERSON[scene.language].finditer(scene.own_words(said))
    }
    people = {one for one in people if _is_unknown(one, scene.case_text, scene.language)}
    if not people:
        return False
    heard = plain("\n".join(one.text for one in scene.match.utterances if one.event < said.event))
    return any(_is_unknown(person, heard, scene.language) for person in people)


def _is_unknown(person: str, known: str, language: Language) -> bool:
    if language == "zh":
        return normal_form(person) not in normal_form(known)
    return not any(has_word(known, plain(word)) for word in person.split())
