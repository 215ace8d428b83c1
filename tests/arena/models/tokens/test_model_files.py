from pathlib import Path

import pytest

from arena.models.tokens.model_files import find_model_folder


def test_the_folder_of_a_card_is_found_where_it_holds_a_tokenizer(tmp_path: Path) -> None:
    assert find_model_folder(str(tmp_path)) is None
    (tmp_path / "tokenizer.json").touch()
    assert find_model_folder(str(tmp_path)) == tmp_path


def test_a_name_that_is_no_absolute_path_is_never_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "maker" / "model").mkdir(parents=True)
    (tmp_path / "maker" / "model" / "tokenizer.json").touch()
    (tmp_path / "tokenizer.json").touch()
    monkeypatch.chdir(tmp_path)
    assert find_model_folder("maker/model") is None
    assert find_model_folder("") is None


@pytest.mark.parametrize("root", ["/\0", "/" + "x" * 5000, "/no/such/folder", "/\ud800"])
def test_nonsense_is_no_folder(root: str) -> None:
    assert find_model_folder(root) is None
