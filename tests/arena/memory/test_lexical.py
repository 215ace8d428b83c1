"""Sentences, search terms and scores of the lexical search."""

from arena.memory.lexical import Bm25, search_terms, split_sentences


def test_bm25_gives_the_published_score() -> None:
    index = Bm25(["red lamp", "red door", "blue sky at night"])
    # idf(lamp) = ln(1 + 2.5 / 1.5); |d| = 2, average (2 + 2 + 3) / 3; f = 1
    [hit] = index.best("lamp", 3)
    idf, norm = 0.9808292530117262, 1.2 * (1 - 0.75 + 0.75 * 2 / (7 / 3))
    assert (hit.index, round(hit.score, 9)) == (0, round(idf * 2.2 / (1 + norm), 9))
    assert [found.index for found in index.best("red", 3)] == [0, 1]
    assert index.best("violin", 3) == ()


def test_text_is_cut_into_sentences_in_both_languages() -> None:
    assert split_sentences("One. Two!\nThree") == ("One.", "Two!", "Three")
    assert split_sentences("一。“二！”三") == ("一。", "“二！”", "三")
    assert split_sentences("") == ()


def test_a_point_inside_a_number_or_after_a_title_ends_no_sentence() -> None:
    assert split_sentences("Weight No. 6 cost 3.50. Dr. Pell and Mr. Hart paid.") == (
        "Weight No. 6 cost 3.50.",
        "Dr. Pell and Mr. Hart paid.",
    )


def test_search_terms_are_words_or_characters_and_their_pairs() -> None:
    assert search_terms("The Lamp is red") == ["lamp", "red"]
    assert search_terms("红灯亮") == ["红", "灯", "亮", "红灯", "灯亮"]
