"""Conversion of sentencepiece's tokenizer.model to a fast tokenizer.

The result gives the ids that sentencepiece gives; a model for which this is not certain is refused.
The conversion of transformers ignores how the model treats spaces. One difference remains, as in
all tokenizers of transformers: control tokens are recognised in a text.
"""

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers

SPACE: Final = "▁"
"""Character that sentencepiece writes for a space (`kSpaceSymbol` in google/sentencepiece)."""

_BPE: Final = 2
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED = 1, 2, 3, 4, 5
# Types of models and pieces: src/sentencepiece_model.proto of google/sentencepiece.
_NO_NAMES: Final[Mapping[int, str]] = MappingProxyType({})


def parse_model(model: bytes, where: str) -> Any:
    """Return the decoded tokenizer.model; `where` names its folder in errors.

    Raises `ValueError` if it cannot be decoded or reproduced exactly, or sentencepiece is missing.
    """
    try:
        proto: Any = importlib.import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    except ImportError as error:
        raise ValueError(
            f"the tokenizer.model in {where!r} is read with sentencepiece and protobuf, which are "
            "not installed; install them"
        ) from error
    try:
        proto.ParseFromString(model)
    except Exception as error:  # protobuf's DecodeError; protobuf may be absent at import time
        raise ValueError(f"the tokenizer.model in {where!r} cannot be read: {error}") from error
    obstacle = next((text for text, applies in _OBSTACLES if applies(proto)), "")
    if obstacle:
        raise _inexact(where, obstacle)
    return proto


def write_fast_tokenizer(folder: Path, model: bytes, config: Mapping[str, Any], where: str) -> None:
    """Write the two files of a fast tokenizer into `folder`, from those of a slow one.

    `model`: content of tokenizer.model; `config`: content of tokenizer_config.json, whose names for
    tokens take precedence; `where` names the model's folder in errors. Raises `ValueError` as
    `parse_model` and `build_tokenizer` do.
    """
    proto = parse_model(model, where)
    added: Mapping[str, Any] = config.get("added_tokens_decoder") or {}
    tokenizer = build_tokenizer(
        proto, where, {int(id_): it["content"] for id_, it in added.items()}
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    given = {name: value for name, value in config.items() if value is not None}
    (folder / "tokenizer_config.json").write_text(
        json.dumps({**_role_tokens(proto, tokenizer), **given}), encoding="utf-8"
    )


def build_tokenizer(proto: Any, where: str, names: Mapping[int, str] = _NO_NAMES) -> Tokenizer:
    """Return the tokenizer of a decoded model; it adds no token before or after a text.

    `names`: texts of tokens by id, where they differ from the model's. Raises `ValueError` if they
    clash with pieces, or a user-defined symbol is not found as sentencepiece finds it.
    """
    types = {names.get(id_, one.piece): one.type for id_, one in enumerate(proto.pieces)}
    if len(types) < len(proto.pieces) or not all(
        one.piece in types for one in _normal_pieces(proto)
    ):
        raise _inexact(where, "has other names for its words than tokenizer_config.json")
    tokenizer: Any = Tokenizer(
        models.BPE(
            vocab={word: id_ for id_, word in enumerate(types)},
            merges=_build_merges({one.piece: one.score for one in _normal_pieces(proto)}),
            unk_token=next(word for word, kind in types.items() if kind == _UNKNOWN),
            fuse_unk=True,
            byte_fallback=proto.trainer_spec.byte_fallback,
        )
    )
    tokenizer.normalizer = normalizers.Sequence(list(_normalisers(proto.normalizer_spec)))
    tokenizer.decoder = decoders.Sequence(list(_decoders(proto.normalizer_spec)))
    symbols = [word for word, kind in types.items() if kind == _USER_DEFINED]
    lost = [word for word in symbols if tokenizer.normalizer.normalize_str(word) != word]
    if lost:
        raise _inexact(where, f"normalises the spaces of a text before it searches {lost[0]!r}")
    # As in sentencepiece, symbols are searched after normalisation, control tokens before it.
    tokenizer.add_tokens([AddedToken(word, normalized=True, special=False) for word in symbols])
    control = [word for word, kind in types.items() if kind in (_UNKNOWN, _CONTROL)]
    tokenizer.add_special_tokens([AddedToken(word, normalized=False) for word in control])
    return tokenizer


def _inexact(where: str, obstacle: str) -> ValueError:
    return ValueError(
        f"the tokenizer.model in {where!r} cannot be reproduced exactly, because it {obstacle}; "
        "to use a tokenizer.json instead, remove tokenizer.model"
    )


def _role_tokens(proto: Any, tokenizer: Tokenizer) -> dict[str, str]:
    """Return the tokens with a role, such as `eos_token`, as the model's trainer set them."""
    ids = {role: getattr(proto.trainer_spec, f"{role}_id") for role in ("unk", "bos", "eos", "pad")}
    words = {role: tokenizer.id_to_token(id_) for role, id_ in ids.items() if id_ >= 0}
    return {f"{role}_token": word for role, word in words.items() if word is not None}


def _build_merges(scores: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return the pairs that merge into a piece, highest score first.

    sentencepiece merges the pair whose piece has the highest score, and of equal ones the leftmost,
    wherever the piece is split. Here each split has a rank of its own. Thousands of random
    vocabularies of repetitive words showed no text for which this makes a difference.
    """
    return [
        (piece[:cut], piece[cut:])
        for piece in sorted(scores, key=lambda piece: -scores[piece])
        for cut in range(1, len(piece))
        if piece[:cut] in scores and piece[cut:] in scores
    ]


def _normalisers(spec: Any) -> Iterator[Any]:
    if spec.remove_extra_whitespaces:
        yield normalizers.Replace(Regex(r"\A +"), "")
        yield normalizers.Replace(Regex(" +"), " ")
    yield normalizers.Replace(" ", SPACE)
    if spec.remove_extra_whitespaces:
        yield normalizers.Replace(Regex(rf"{SPACE}+\z"), "")
    if spec.add_dummy_prefix:
        yield normalizers.Prepend(SPACE)


def _decoders(spec: Any) -> Iterator[Any]:
    yield decoders.Replace(SPACE, " ")
    yield decoders.ByteFallback()
    yield decoders.Fuse()
    if spec.add_dummy_prefix:
        yield decoders.Strip(" ", 1, 0)


def _has_equal_scores(proto: Any) -> bool:
    scores = [piece.score for piece in _normal_pieces(proto) if len(piece.piece) > 1]
    return len(set(scores)) < len(scores)


def _has_unknown_characters(proto: Any) -> bool:
    """Return whether a character of a piece is no piece: bytes would replace it before merging."""
    known = {piece.piece for piece in proto.pieces}
    return any(not known.issuperset(piece.piece) for piece in _normal_pieces(proto))


def _normal_pieces(proto: Any) -> Iterable[Any]:
    return (piece for piece in proto.pieces if piece.type == _NORMAL)


_OBSTACLES: Final[tuple[tuple[str, Callable[[Any], bool]], ...]] = (
    ("is not a BPE model", lambda proto: proto.trainer_spec.model_type != _BPE),
    ("replaces characters", lambda proto: proto.normalizer_spec.precompiled_charsmap),
    ("does not escape spaces", lambda proto: not proto.normalizer_spec.escape_whitespaces),
    ("has spaces at the end of words", lambda proto: proto.trainer_spec.treat_whitespace_as_suffix),
    ("has unused pieces", lambda proto: any(one.type == _UNUSED for one in proto.pieces)),
    ("has pieces of equal score", _has_equal_scores),
    ("has pieces of unknown characters", _has_unknown_characters),
)
"""Properties of a decoded model that the fast tokenizer does not reproduce, as errors name them."""
