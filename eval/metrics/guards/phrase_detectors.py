"""Detectors of single phrases that are out of role."""

import re
from collections.abc import Mapping
from functools import lru_cache

from arena.games.shared.word_matching import plain
from eval.metrics.guards.guard_scene import GuardScene
from eval.metrics.text_tokens import ngrams, word_tokens
from eval.played_match import Utterance
from scripts_mm.names import normal_form
from scripts_mm.script import Language
from scripts_mm.script_texts import CJK

PatternsByLanguage = Mapping[Language, str]

_QUOTED = re.compile(
    r"“[^“”]*”|\"[^\"\n]*\"|「[^「」]*」|『[^『』]*』|‘[^‘’\n]*’(?!\w)|《[^《》]*》"
)
_SENTENCE = re.compile(r"[^.!?。！？\n;；]+[.!?。！？]?")
_LABEL = r"^[\s\[【*_#>-]*(?:{names})[\]】*_\s]*[:：]"

_I_AM: PatternsByLanguage = {
    "en": r"\b(?:i am|i['’]m|my name is|my name['’]s|speaking as)\s+(?:called\s+)?(?:{names})"
    r"(?!['’]s?\b| \w+['’]s?\b)|\bas (?:{names}),? i\b",
    "zh": r"(?<![不问])(?:我是|我叫|我的名字是|我就是)(?:{names})(?!的)|作为(?:{names})[，,]?\s*我",
}
_OF_MY_SIDE: PatternsByLanguage = {
    "en": r"\bmy (?:own )?faction\b|\bi(?: am|['’]m)(?: really| truly)?(?: not)?"
    r" (?:the|a|one of the) (?:murderers?|killers?|culprits?|civilians?)\b(?!['’]s)"
    r"|\bi belong to the (?:civilians?|murderers?|innocents?)\b"
    r"|\bi(?: am|['’]m) on the (?:civilians?['’]?|murderer['’]s) side\b",
    "zh": r"(?:我的|我方|我所在的)阵营|我(?:并|真的|确实|就|绝对|可)?(?:不|才)?是"
    r"(?:凶手|杀人凶手|真凶|杀人犯|平民|平民阵营)(?!的)|我属于(?:平民|凶手|无辜者)",
}
_CONFESSION: PatternsByLanguage = {
    "en": r"\bi(?: am|['’]m)(?: indeed| truly)? the (?:murderer|killer|culprit)\b(?!['’]s)"
    r"|\bi(?: have)? (?:killed|murdered|poisoned|stabbed|strangled|shot) (?:him|her|them|{victims})"
    r"|\bit was (?:i|me) who (?:killed|murdered|poisoned|stabbed|strangled|shot)\b"
    r"|\bi confess to (?:the|this) (?:murder|killing)\b",
    "zh": r"(?<!不)我(?:就|才|确实|真的)?是(?:凶手|真凶|杀人凶手)(?!的)"
    r"|(?<!不)是我(?:亲手)?(?:杀|毒死|勒死|捅死|下的毒|下的手)"
    r"|我(?:亲手)?(?:杀了|杀死了|毒死了|勒死了|捅死了)(?:他|她|{victims})",
}
_SUPPOSED: PatternsByLanguage = {
    "en": r"(?:\b(?:if|whether|as though|as if|suppose|unless)|\b(?!i\b)[\w’']+ (?:think|believe"
    r"|say|said|claim|suspect|suggest|assume|decide|insist|know)s?(?: that)?)\s*$",
    "zh": r"(?:如果|假如|假设|要是|就算|即使|若|倘若|难道|凭什么|万一"
    r"|(?<!我)(?:说|认为|怀疑|觉得|以为|断定))[，,：:]?$",
}
"""Prefixes of a supposition or a quotation."""
_QUESTION = re.compile(r"[?？]\s*$|[吗么][。！]?\s*$")
_AS_AI: PatternsByLanguage = {
    "en": r"\b(?:as|i am|i['’]m) an? (?:large )?(?:ai|artificial intelligence|language model)\b"
    r"|\blanguage model\b|\bai (?:assistant|model|language)\b"
    r"|\bi (?:cannot|can['’]t|am unable to|won['’]t) (?:assist|help|comply) with"
    r" (?:that|this|your) request\b"
    r"|\bcontent (?:is|was|has been) (?:blocked|filtered)\b|\bcontent polic(?:y|ies)\b"
    r"|\bi['’]m sorry, but i (?:cannot|can['’]t) (?:assist|help|comply|continue|fulfil)",
    "zh": r"(?:作为|我是|我只是)(?:一个|一名|一款)?(?:大型)?"
    r"(?:ai|人工智能|语言模型|大模型|聊天机器人)(?![a-z])"
    r"|语言模型|人工智能助手|(?<![a-z])ai助手"
    r"|(?:无法|不能)(?:满足|完成|协助)(?:您的|你的|该|这个|此)请求"
    r"|内容(?:已)?被(?:屏蔽|拦截|过滤)|内容(?:安全)?政策|(?:不适合|违规)内容",
}
_MARKER = re.compile(
    r"#{2,}\s*(?:thought|response|action|reply|思考|回复|回应|行动)"
    r"|【\s*(?:ask|investigate|thought|response|询问|调查|提问|思考|回复)\s*】",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"```|^\s*import [\w.]+(?: as \w+)?\s*;?$|^\s*from [\w.]+ import \w+|^\s*def \w+\(.*\):"
    r"|\{\s*\"\w+\"\s*:|</?(?:tool_call|function|think|tool_response|invoke)\b[^>]*>|<\|[^|>]{1,40}\|>"
    r"|\[/?(?:TOOL_CALLS?|INST)\]",
    re.MULTILINE,
)
_LEAST_LETTERS = 20
_FLIP = 0.2
"""Share of Chinese letters that separates the two languages."""
_NGRAM = 4
_REPEATED = 0.5


def strip_quotes(text: str) -> str:
    """Return `text` without quotations."""
    return _QUOTED.sub(" ", text)


def is_other(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the seat says that it is another seat; quotations do not count."""
    pattern = _I_AM[scene.language].format(names=scene.others(said.seat))
    return _is_asserted(scene, said, pattern)


def speaks_for_others(scene: GuardScene, said: Utterance) -> bool:
    """Return whether a line begins with another seat's name and a colon."""
    pattern = re.compile(_LABEL.format(names=scene.others(said.seat)))
    return any(pattern.search(plain(line)) for line in scene.own_words(said).splitlines())


def leaks_faction(scene: GuardScene, said: Utterance) -> bool:
    """Return whether a civilian states its faction against the rules."""
    if not scene.is_faction_secret or scene.match.faction(said.seat) != "civilians":
        return False
    return _is_asserted(scene, said, _OF_MY_SIDE[scene.language])


def confesses(scene: GuardScene, said: Utterance) -> bool:
    """Return whether a seat of the murderer's faction confesses."""
    if scene.match.faction(said.seat) != "murderer":
        return False
    pattern = _CONFESSION[scene.language].format(victims=scene.victims)
    return _is_asserted(scene, said, pattern)


def speaks_as_ai(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the seat speaks as a model, or a filter replaced its words."""
    text = plain(scene.own_words(said))
    return any(re.search(pattern, text) for pattern in _AS_AI.values())


def shows_marker(scene: GuardScene, said: Utterance) -> bool:
    """Return whether free speech contains a heading of a reply's form."""
    return _MARKER.search(scene.own_words(said)) is not None


def is_code(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the speech contains code, a call or a tool tag."""
    return _CODE.search(scene.own_words(said)) is not None


def flips_language(scene: GuardScene, said: Utterance) -> bool:
    """Return whether most of the speech is not in the language of the match."""
    script = scene.match.script
    names = [name for names in scene.names.values() for name in names]
    names += [plain(one) for one in (*script.victims, *(clue.title for clue in script.clues))]
    text = plain(strip_quotes(scene.own_words(said)))
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    letters = sum(char.isalpha() for char in text)
    if letters < _LEAST_LETTERS:
        return False
    share = len(CJK.findall(text)) / letters
    return share < _FLIP if scene.language == "zh" else share > _FLIP


def is_empty(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the speech has no letter or digit."""
    return not normal_form(scene.own_words(said))


def repeats(scene: GuardScene, said: Utterance) -> bool:
    """Return whether the speech repeats itself, or puts the same question to a seat again."""
    grams = ngrams(word_tokens(scene.own_words(said)), _NGRAM)
    if grams and 1 - len(set(grams)) / len(grams) > _REPEATED:
        return True
    form = normal_form(said.text)
    return said.is_question and any(
        (one.seat, one.to) == (said.seat, said.to) and normal_form(one.text) == form
        for one in scene.match.utterances
        if one.is_question and one.event < said.event
    )


@lru_cache(maxsize=4096)
def _compile(pattern: str) -> re.Pattern[str]:
    """Return a compiled pattern, cached: patterns with seat names recur in matches of a script."""
    return re.compile(pattern)


def _is_asserted(scene: GuardScene, said: Utterance, pattern: str) -> bool:
    """Return whether `pattern` is asserted, not quoted, asked or supposed."""
    supposed = re.compile(_SUPPOSED[scene.language])
    for sentence in _SENTENCE.findall(strip_quotes(scene.own_words(said))):
        text = plain(sentence)
        if _QUESTION.search(text):
            continue
        hits = _compile(pattern).finditer(text)
        if any(not supposed.search(text[: hit.start()]) for hit in hits):
            return True
    return False
