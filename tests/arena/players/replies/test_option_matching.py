"""An option is read only where a reply names it clearly, and never where it is negated."""

import pytest

from arena.core.specs import ABSTAIN
from arena.players.replies.option_matching import match_option
from tests.long_texts import PIECES, slow_pieces

NAMES = ("Ada Quill", "Bram Stone", "云海生", "Dr. Pell")


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("Ada Quill", "Ada Quill"),
        ("  ada   quill. ", "Ada Quill"),
        ("“Ada Quill”", "Ada Quill"),
        ("I vote for Bram Stone!", "Bram Stone"),
        ("凶手是云海生。", "云海生"),
        ("Dr Pell", "Dr. Pell"),
        ("I think that Dr. Pell did it.", "Dr. Pell"),
        ("#Answer#: Ada Quill", "Ada Quill"),
        ("Not Ada Quill. #Answer#：Bram Stone", "Bram Stone"),
        ("Ada Quill or Bram Stone", None),
        ("nobody", None),
        ("", None),
        ("Adaline Quillon", None),
    ],
)
def test_a_choice_is_read_only_where_it_is_clear(reply: str, chosen: str | None) -> None:
    assert match_option(reply, NAMES, "en") == chosen


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("I think it is not Ada", None),
        ("I don't think it's Ada.", None),
        ("It can’t be Ada", None),
        ("Ada is innocent", None),
        ("Ada didn't do it", None),
        ("I doubt that it was Ada", None),
        ("Anyone except Ada", None),
        ("I think it is not Ada, it is Bram.", "Bram"),
        ("Not Ada but Bram", "Bram"),
        ("It was Ada and not Bram.", "Ada"),
        ("Ada is not the murderer; I vote for Bram", "Bram"),
        ("It is not Cleo and I vote for Ada", "Ada"),
        ("Ada, who was not at home", "Ada"),
        ("There is no doubt that it was Ada", "Ada"),
        ("I do not trust her. Ada.", "Ada"),
        ("She could not explain the knife, so Ada", "Ada"),
    ],
)
def test_a_negated_mention_does_not_count(reply: str, chosen: str | None) -> None:
    assert match_option(reply, ("Ada", "Bram", "Cleo"), "en") == chosen


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("我认为不是云海生", None),
        ("我不认为凶手是云海生", None),
        ("云海生不是凶手", None),
        ("云海生是无辜的", None),
        ("排除云海生", None),
        ("不是云海生，是林晚。", "林晚"),
        ("不是云海生而是林晚", "林晚"),
        ("我不知道是谁，但我投云海生", "云海生"),
        ("我不得不投云海生", "云海生"),
        ("云海生没有不在场证明", "云海生"),
    ],
)
def test_a_negated_mention_does_not_count_in_chinese(reply: str, chosen: str | None) -> None:
    assert match_option(reply, ("云海生", "林晚"), "zh") == chosen


def test_an_option_inside_a_longer_one_is_not_meant() -> None:
    options = ("Ada Quill", "Ada Quill the elder")
    assert match_option("I say Ada Quill the elder", options, "en") == "Ada Quill the elder"


@pytest.mark.parametrize("reply", ["弃权", "我弃权。", "abstain", "我选择 abstain"])
def test_an_abstention_is_read_by_its_label_and_by_its_own_name(reply: str) -> None:
    assert match_option(reply, ("云海生", ABSTAIN), "zh") == ABSTAIN


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("Ｂ", "B"),
        ("(C).", "C"),
        ("The answer is D.", "D"),
        ("Not A, it is B", "B"),
        ("It was a mistake to say so", None),
        ("A mistake", None),
        ("A or B", None),
    ],
)
def test_a_letter_is_no_article(reply: str, letter: str | None) -> None:
    assert match_option(reply, ("A", "B", "C", "D"), "en") == letter


@pytest.mark.parametrize(
    ("reply", "letters"),
    [
        ("B", "B"),
        ("AC", "AC"),
        ("C, A", "AC"),
        ("C和A", "AC"),
        ("The two are A and C.", "AC"),
        ("AA", None),
        ("A, B and C", None),
        ("nobody", None),
    ],
)
def test_several_letters_are_read_together_or_apart(reply: str, letters: str | None) -> None:
    assert match_option(reply, ("A", "B", "C", "AB", "AC", "BC"), "en") == letters


def test_a_rating_is_read_as_the_number_that_it_is() -> None:
    assert match_option("I rate it 2.", ("0", "1", "2"), "en") == "2"


def test_a_long_text_is_no_choice_unless_it_marks_its_answer() -> None:
    assert match_option("Ada Quill " + "so " * 1000, NAMES, "en") == "Ada Quill"
    assert match_option("Ada Quill " + "so " * 2000, NAMES, "en") is None
    assert match_option("so " * 2000 + "\n#Answer#: Ada Quill", NAMES, "en") == "Ada Quill"


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", "#answer#: ", "I think that it is not Ada Quill, "])
@pytest.mark.parametrize("options", [NAMES, ("A", "B", "C", "AB"), ("a b c d e", "云 海 生 云")])
def test_any_text_is_matched_in_linear_time(start: str, options: tuple[str, ...]) -> None:
    pieces = (*PIECES, *options)
    assert slow_pieces(lambda text: match_option(text, options, "en"), pieces, start=start) == []
    # The longest text that is still searched.
    short = 4000 - len(start)
    assert not slow_pieces(
        lambda text: match_option(text, options, "zh"), pieces, start=start, length=short
    )
