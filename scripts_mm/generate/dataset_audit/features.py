"""What the word counter is given of a case: everything but the end of each private script.

It sees the opening, the titles and texts of all clues, public or owned, the words in and of every
picture, and of every role its testimony (the whole private script but the last paragraph, in which
an innocent role's secret stands and the culprit's confession), mission, introduction and reply. It
does not see the truth, the questions and the fact table, which no seat sees before the end.
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
"""Stands before the number of a role where its name stood; no text of a case has it."""


def candidate_features(told: RenderedCase, world: World, words: FeatureVocabulary) -> CaseFeatures:
    """Return each suspect as the words said of it, by it and in its script, names taken out."""
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
    """Return each place in the order of the script with all the words of the case, for that place.

    So the model has weights of its own for each place and word; names stand as places.
    """
    ids = [one.id for one in world.frame.suspects]
    texts = [*public_texts(told), *told.testimonies.values()]
    texts += [_own_text(told, at) for at in range(len(ids))]
    masked = [_mask_names(text, told, ids) for text in texts]
    row = words.row(sorted({word for text in masked for word in _word_features(text, None)}))
    return CaseFeatures(rows=(row,), right=ids.index(world.crime.culprit), candidates=len(ids))


def public_texts(told: RenderedCase) -> Iterator[str]:
    """Yield the opening and everything in and of the clues."""
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
    """Return `text` with a mark and the number of the role for every name of a role."""
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
    """Return the parts of a name that can stand alone: words of two or more letters."""
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
    """Yield words and pairs of Chinese characters; `at` is told as `self`, other roles as such."""
    for number in re.findall(f"{_MARK}(\\d+)", text):
        if at is None:
            yield f"role {number}"
        else:
            yield "self" if int(number) == at else "other"
    plain = re.sub(f"{_MARK}\\d+", " ", text).casefold()
    yield from _WORD.findall(plain)
    yield from _PAIR.findall(plain)
