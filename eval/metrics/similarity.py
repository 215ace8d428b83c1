"""Similarity of two texts without a judge: ROUGE-L, and the three measures of ThinkThrice."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from arena.core.purposes import Purpose
from eval.metrics.text_tokens import ngrams, split_by_tokens, word_tokens
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]] | np.ndarray]
"""A function from texts to vectors of equal length, in the order of the texts."""

_TALK = {
    *(Purpose.INTRODUCE, Purpose.SPEAK, Purpose.ASK),
    *(Purpose.ANSWER, Purpose.ACT, Purpose.CONCLUDE),
}
_SOURCE = "ThinkThrice §6.3"


def rouge_l(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    """Return ROUGE-L of two lists of tokens: F1 (beta 1) of their longest common subsequence.

    Range 0..1; 0 if either list is empty (MIRAGE, section 2.4).
    """
    scorer = _rouge_scorer()
    return float(scorer.score(list(reference), list(hypothesis))["rougeL"].fmeasure)


def jaccard_token3(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the Jaccard similarity of the trigram sets of two lists of tokens.

    Range 0..1; 0 if neither list has three tokens.
    """
    one, other = set(ngrams(left, 3)), set(ngrams(right, 3))
    return len(one & other) / len(one | other) if one | other else 0.0


def tfidf_cosine(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the cosine of tf x idf, idf = ln((1 + 2)/(1 + df)) + 1 over the two documents.

    Range 0..1; 0 if either document is empty.
    """
    if not left or not right:
        return 0.0
    weights = _tfidf_weights(left, right)
    return cosine(weights[0], weights[1])


def mean_embedding_cosine(
    left: Sequence[Sequence[float]] | np.ndarray, right: Sequence[Sequence[float]] | np.ndarray
) -> float:
    """Return the cosine of two documents, each the mean of the vectors of its pieces.

    Range -1..1; 0 if a document has no piece (ThinkThrice §6.3).
    """
    if not len(left) or not len(right):
        return 0.0
    return cosine(np.mean(np.asarray(left), axis=0), np.mean(np.asarray(right), axis=0))


def cosine(left: Sequence[float] | np.ndarray, right: Sequence[float] | np.ndarray) -> float:
    """Return the cosine of two vectors; 0 if one of them is zero."""
    one, other = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return min(1.0, max(-1.0, float(one @ other) / size)) if size else 0.0


def has_talk(match: PlayedMatch) -> bool:
    """Return whether the game has public speech and private scripts."""
    spoken = any(one.purpose in _TALK for one in match.requests.values())
    return spoken and bool(script_text(match).strip())


def script_text(match: PlayedMatch) -> str:
    """Return all private scripts of a match as one document."""
    return "\n".join(role.script for role in match.script.roles)


def chat_text(match: PlayedMatch) -> str:
    """Return all public speech as one document."""
    return "\n".join(one.text for one in match.utterances)


def measure_tfidf(match: PlayedMatch) -> Iterable[Score]:
    """Yield the TF-IDF cosine of the chat and the scripts."""
    if has_talk(match):
        yield make_score(match, TFIDF.name, value=tfidf_cosine(*_documents(match)))


def measure_token3(match: PlayedMatch) -> Iterable[Score]:
    """Yield the trigram Jaccard similarity of the chat and the scripts."""
    if has_talk(match):
        yield make_score(match, TOKEN3.name, value=jaccard_token3(*_documents(match)))


def measure_lengths(match: PlayedMatch) -> Iterable[Score]:
    """Yield the tokens of the scripts and of the chat: similarity depends on the chat's length."""
    documents = _documents(match) if has_talk(match) else ()
    for group, document in zip(("scripts", "chat"), documents, strict=False):
        yield make_score(match, LENGTHS.name, value=float(len(document)), group=group)


def embedding_metric(embed: Embed, most_tokens: int) -> Metric:
    """Return the embedding metric for an embedder whose texts have at most `most_tokens`."""

    def measure(match: PlayedMatch) -> Iterable[Score]:
        if not has_talk(match):
            return
        documents = (
            split_by_tokens(text, most_tokens) for text in (script_text(match), chat_text(match))
        )
        left, right = (embed(parts) if parts else () for parts in documents)
        yield make_score(match, "similarity_embedding", value=mean_embedding_cosine(left, right))

    return Metric(
        name="similarity_embedding",
        source=_SOURCE,
        meaning={
            "en": "Cosine of the embeddings of all private scripts and of the whole dialogue.",
            "zh": "全部剧本与全部公开发言的语义向量余弦相似度。",
        },
        low=-1.0,
        measure=measure,
    )


def _documents(match: PlayedMatch) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return word_tokens(script_text(match)), word_tokens(chat_text(match))


class _IdentityTokenizer:
    """Tokenizer of texts that are already lists of tokens."""

    def tokenize(self, text: list[str]) -> list[str]:
        return text


def _rouge_scorer() -> Any:
    # Imported late: it imports nltk, which takes a second.
    from rouge_score import (  # noqa: PLC0415 # pyright: ignore[reportMissingTypeStubs]
        rouge_scorer,
    )

    untyped: Any = rouge_scorer
    return untyped.RougeScorer(["rougeL"], tokenizer=_IdentityTokenizer())


def _tfidf_weights(left: Sequence[str], right: Sequence[str]) -> np.ndarray:
    """Return tf x idf of both documents, a row each; scikit-learn's `smooth_idf` is the formula."""
    # Imported late: it takes a second.
    from sklearn.feature_extraction import (  # noqa: PLC0415 # pyright: ignore[reportMissingTypeStubs]
        text,
    )

    untyped: Any = text
    vectorizer = untyped.TfidfVectorizer(analyzer=list, smooth_idf=True, norm="l2")
    return np.asarray(vectorizer.fit_transform([list(left), list(right)]).toarray())


TFIDF = Metric(
    name="similarity_tfidf",
    source=_SOURCE,
    meaning={
        "en": "Cosine of the TF-IDF weights of all private scripts and of the whole dialogue.",
        "zh": "全部剧本与全部公开发言的TF-IDF余弦相似度。",
    },
    measure=measure_tfidf,
)
TOKEN3 = Metric(
    name="similarity_token3",
    source=_SOURCE,
    meaning={
        "en": "Share of the word trigrams that the scripts and the dialogue have in common.",
        "zh": "剧本与公开发言共有的三词组所占比例（Jaccard系数）。",
    },
    measure=measure_token3,
)
LENGTHS = Metric(
    name="similarity_length",
    source=_SOURCE,
    meaning={
        "en": "Tokens of the two documents whose similarity is measured.",
        "zh": "用于比较的两份文本各自的长度（词元数）。",
    },
    high=None,
    better="none",
    measure=measure_lengths,
)
METRICS: tuple[Metric, ...] = (TFIDF, TOKEN3, LENGTHS)
