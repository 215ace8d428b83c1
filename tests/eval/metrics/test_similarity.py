"""How alike texts are."""

import math
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.reading.options import ReadingOptions
from arena.games.whodunit.options import WhodunitOptions
from eval.metrics.similarity import (
    LENGTHS,
    TFIDF,
    TOKEN3,
    embedding_metric,
    jaccard_token3,
    mean_embedding_cosine,
    rouge_l,
    tfidf_cosine,
)
from eval.metrics.text_tokens import split_by_tokens, word_tokens
from tests.eval.made import drawn, made, play
from tests.eval.metrics.speeches import (
    ADA,
    opened,
    said,
    values_of,
)
from tests.table import case

WORDS = st.lists(st.sampled_from("abcde"), max_size=12)


def test_tokens_are_chinese_characters_and_lower_case_words() -> None:
    assert word_tokens("凶手是Tom's cat，21:05!") == ("凶", "手", "是", "tom's", "cat", "21", "05")
    assert word_tokens("…？！ \n") == ()


@pytest.mark.parametrize("most", [1, 2, 5, 100])
def test_pieces_lose_no_token_and_do_not_overlap(most: int) -> None:
    text = "One two, three 四五六 seven."
    parts = split_by_tokens(text, most)
    assert [token for part in parts for token in word_tokens(part)] == [*word_tokens(text)]
    assert all(len(word_tokens(part)) <= most for part in parts)
    assert split_by_tokens(" … ", most) == ()


@pytest.mark.slow
@given(WORDS, WORDS)
def test_likeness_is_symmetric_and_between_nothing_and_all(
    left: list[str], right: list[str]
) -> None:
    for measure in (rouge_l, jaccard_token3, tfidf_cosine):
        value = measure(left, right)
        assert 0 <= value <= 1
        assert value == pytest.approx(measure(right, left))
    if left:
        assert (rouge_l(left, left), tfidf_cosine(left, left)) == pytest.approx((1, 1))


@pytest.mark.slow
@given(WORDS, WORDS)
def test_weighted_words_follow_the_formula(left: list[str], right: list[str]) -> None:
    counts = [Counter(left), Counter(right)]

    def weight(word: str, count: Counter[str]) -> float:
        held = sum(word in one for one in counts)
        return count[word] * (math.log(3 / (1 + held)) + 1)

    vectors = [[weight(word, one) for word in "abcde"] for one in counts]
    norm = math.prod(math.hypot(*one) for one in vectors)
    product = sum(a * b for a, b in zip(*vectors, strict=True))
    assert tfidf_cosine(left, right) == pytest.approx(product / norm if norm else 0.0)


@pytest.mark.slow
@given(WORDS, WORDS)
def test_the_longest_common_subsequence_is_that_of_the_table(
    left: list[str], right: list[str]
) -> None:
    rows = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for at, one in enumerate(left):
        for to, other in enumerate(right):
            best = max(rows[at][to + 1], rows[at + 1][to])
            rows[at + 1][to + 1] = rows[at][to] + 1 if one == other else best
    common = rows[-1][-1]
    expected = 2 * common / (len(left) + len(right)) if common else 0.0
    assert rouge_l(left, right) == pytest.approx(expected)


def test_empty_documents_have_nothing_in_common() -> None:
    assert tfidf_cosine([], ["a"]) == tfidf_cosine([], []) == jaccard_token3([], []) == 0
    assert mean_embedding_cosine([], [[1.0]]) == mean_embedding_cosine([[0.0]], [[1.0]]) == 0


def test_pieces_are_averaged_before_they_are_normalised() -> None:
    found = mean_embedding_cosine([[10.0, 0.0], [0.0, 1.0]], [[0.0, 1.0]])
    assert found == pytest.approx(1 / math.hypot(10, 1))


def test_the_chat_is_compared_with_the_private_scripts() -> None:
    words = "At 21:00 you saw Otto Lamm"
    match = made(opened(ADA), said(ADA, words), said(ADA, "SECRET", audience=(ADA,)))
    scripts = word_tokens("\n".join(role.script for role in case().roles))
    assert values_of(TOKEN3, match) == {
        "": pytest.approx(jaccard_token3(scripts, word_tokens(words)))
    }
    assert values_of(TFIDF, match) == {"": pytest.approx(tfidf_cosine(scripts, word_tokens(words)))}
    assert values_of(LENGTHS, match) == {"scripts": len(scripts), "chat": 7}


def test_a_game_in_which_nobody_talks_has_no_chat_to_compare() -> None:
    match = play("reading", case(), ReadingOptions(), drawn())
    assert not [score for metric in (TFIDF, TOKEN3, LENGTHS) for score in metric.measure(match)]
    silent = made(opened(ADA))
    assert values_of(TFIDF, silent) == {"": 0.0}, "seats might have talked, and said nothing"


def test_long_documents_are_embedded_in_pieces() -> None:
    seen: list[Sequence[str]] = []

    def embed(texts: Sequence[str]) -> list[list[float]]:
        seen.append(texts)
        return [[1.0, float("ada" in text.casefold())] for text in texts]

    match = play("whodunit", case(), WhodunitOptions(rounds=1), drawn())
    (value,) = values_of(embedding_metric(embed, 4), match).values()
    assert value is not None
    assert 0 < value <= 1
    assert all(len(word_tokens(text)) <= 4 for texts in seen for text in texts)
    assert len(seen) == 2
