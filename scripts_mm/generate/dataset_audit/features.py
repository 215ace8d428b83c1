"""The features of a case for the leak probes: all texts except the end of each private script.

They cover the opening, the titles and texts of all clues, public or owned, the transcripts and
descriptions of all pictures, and of every role its testimony (the private script without the last
paragraph, an innocent role's secret or the culprit's confession), mission, introduction and reply.
They do not cover the truth, the questions and the fact table, which no seat sees before the end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scripts_mm.generate.dataset_audit.leak_probe import CaseFeatures, FeatureVocabulary, IntArray
from scripts_mm.generate.render import RenderedCase
from scripts_mm.generate.world import World

_SENTENCE = re.compile(r"(?<=[.!?。！？；;:：])\s*|\n+")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]")
_PAIR = re.compile(r"(?=([\u3400-\u9fff]{2}))")
_MARK = "\ue000"
"""Mark before the number of a role that replaces its name; no text of a case contains it."""


def candidate_features(told: RenderedCase, world: World, words: FeatureVocabulary) -> CaseFeatures:
    """Return for each suspect the words about it, by it and in its script, without names."""
    ids = [one.id for one in world.frame.suspects]
    own = {name: _mask_names(_own_text(told, at), told, ids) for at, name in enumerate(ids)}
    testimony = {name: _mask_names(told.testimonies[name], told, ids) for name in ids}
    public = [_mask_names(text, told, ids) for text in public_texts(told)]
    rows: list[IntArray] = []
    for at, name in enumerate(ids):
        others = [text for other, text in testimony.items() if other != name]
        named = [one for text in (*public, *others) for one in _sentences(text) if _is_of(one, at)]
        features = {f"said {word}" for word in _word_features(testimony[name], at)}
        features |= {f"shown {word}" for word in _word_features(own[name], at)}
        features |= {f"of {word}" for one in named for word in _word_features(one, at)}
        features.add(f"sentences {min(len(named), 40)}")
        features.add(f"long {len(testimony[name]) // 50}")
        rows.append(words.row(sorted(features)))
    right = ids.index(world.crime.culprit)
    return CaseFeatures(rows=tuple(rows), right=right, candidates=len(ids))


def whole_case_features(told: RenderedCase, world: World, words: FeatureVocabulary) -> CaseFeatures:
    """Return for each position of a role all words of the case, combined with the position.

    So the model has a separate weight for each position and word; positions replace names.
    """
    ids = [one.id for one in world.frame.suspects]
    texts = [*public_texts(told), *told.testimonies.values()]
    texts += [_own_text(told, at) for at in range(len(ids))]
    masked = [_mask_names(text, told, ids) for text in texts]
    row = words.row(sorted({word for text in masked for word in _word_features(text, None)}))
    return CaseFeatures(rows=(row,), right=ids.index(world.crime.culprit), candidates=len(ids))


def public_texts(told: RenderedCase) -> Iterator[str]:
    """Yield the opening and all texts of the clues and their pictures."""
    yield told.bare.opening
    for clue in told.bare.clues:
        yield clue.title
        yield clue.text
        if clue.id in told.pictures:
            yield told.pictures[clue.id].transcript
            yield told.pictures[clue.id].description


def _own_text(told: RenderedCase, at: int) -> str:
    role = told.bare.roles[at]
    return "\n".join((role.mission, role.introduction or "", role.reply or ""))


def _mask_names(text: str, told: RenderedCase, ids: Sequence[str]) -> str:
    """Return `text` with a mark and the role's number in place of every name of a role."""
    forms = {
        form: at
        for at, name in enumerate(ids)
        for form in (
            told.cast.names[name],
            *told.cast.aliases.get(name, ()),
            *_name_parts(told, name),
        )
    }
    return _replace_names(text, forms)


def _name_parts(told: RenderedCase, name: str) -> Iterable[str]:
    """Return the parts of a name that can be used separately: words of two or more letters."""
    return [part for part in told.cast.names[name].split() if len(part) > 1]


def _replace_names(text: str, forms: Mapping[str, int]) -> str:
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, f" {_MARK}{forms[form]} ")
    return text


def _sentences(text: str) -> list[str]:
    return [one for one in _SENTENCE.split(text) if one]


def _is_of(sentence: str, at: int) -> bool:
    return f"{_MARK}{at} " in sentence


def _word_features(text: str, at: int | None) -> Iterator[str]:
    """Yield words and pairs of Chinese characters; role `at` is `self`, others are marked."""
    for number in re.findall(f"{_MARK}(\\d+)", text):
        if at is None:
            yield f"role {number}"
        else:
            yield "self" if int(number) == at else "other"
    plain = re.sub(f"{_MARK}\\d+", " ", text).casefold()
    yield from _WORD.findall(plain)
    yield from _PAIR.findall(plain)
