"""A fast tokenizer from sentencepiece's tokenizer.model, for folders without tokenizer.json.

It gives the ids that sentencepiece itself gives; a model of which that cannot be said is refused.
What transformers makes of such a file leaves out how the model treats spaces. The one difference
is that of all its tokenizers: control tokens are read in a text.
"""

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers

SPACE: Final = "▁"
"""What sentencepiece writes for a space."""

_BPE: Final = 2
_NORMAL, _UNKNOWN, _CONTROL, _OWN, _UNUSED = 1, 2, 3, 4, 5
# Kinds of pieces and models: src/sentencepiece_model.proto of google/sentencepiece.
_UNNAMED: Final[Mapping[int, str]] = MappingProxyType({})


def read_model(model: bytes, where: str) -> Any:
    """Return the parsed tokenizer.model; `where` names it in errors.

    Raises `ValueError` where it is none, or sentencepiece is not installed.
    """
    try:
        proto: Any = importlib.import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    except ImportError as error:
        raise ValueError(
            f"{where!r} has no tokenizer.json, and its tokenizer.model is read with sentencepiece "
            "and protobuf, which are not installed; install them"
        ) from error
    try:
        proto.ParseFromString(model)
    except Exception as error:  # protobuf's DecodeError, of which nothing is known before
        raise ValueError(f"the tokenizer.model in {where!r} cannot be read: {error}") from error
    fault = next((fault for fault, found in _FAULTS if found(proto)), "")
    if fault:
        raise _refusal(where, fault)
    return proto


def write_fast(folder: Path, model: bytes, config: Mapping[str, Any], where: str) -> None:
    """Write the two files of a fast tokenizer into `folder`, from those of an older one.

    `model`: tokenizer.model; `config`: tokenizer_config.json, whose names for tokens hold; `where`
    names the model's folder in errors. Raises `ValueError` as `read_model` and `build_tokenizer`.
    """
    proto = read_model(model, where)
    added: Mapping[str, Any] = config.get("added_tokens_decoder") or {}
    tokenizer = build_tokenizer(
        proto, where, {int(id_): it["content"] for id_, it in added.items()}
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    said = {name: value for name, value in config.items() if value is not None}
    (folder / "tokenizer_config.json").write_text(
        json.dumps({**_named(proto, tokenizer), **said}), encoding="utf-8"
    )


def build_tokenizer(proto: Any, where: str, names: Mapping[int, str] = _UNNAMED) -> Tokenizer:
    """Return the tokenizer of `read_model`'s model, which puts no token before or behind a text.

    `names`: what tokens are called, by their ids, if not as in the model. Raises `ValueError` where
    they clash with words, or a symbol of the model's own is not found as sentencepiece finds it.
    """
    kinds = {names.get(id_, one.piece): one.type for id_, one in enumerate(proto.pieces)}
    if len(kinds) < len(proto.pieces) or not all(one.piece in kinds for one in _normal(proto)):
        raise _refusal(where, "has other names for its words than tokenizer_config.json")
    tokenizer: Any = Tokenizer(
        models.BPE(
            vocab={word: id_ for id_, word in enumerate(kinds)},
            merges=_merges({one.piece: one.score for one in _normal(proto)}),
            unk_token=next(word for word, kind in kinds.items() if kind == _UNKNOWN),
            fuse_unk=True,
            byte_fallback=proto.trainer_spec.byte_fallback,
        )
    )
    tokenizer.normalizer = normalizers.Sequence(list(_normalisers(proto.normalizer_spec)))
    tokenizer.decoder = decoders.Sequence(list(_decoders(proto.normalizer_spec)))
    own = [word for word, kind in kinds.items() if kind == _OWN]
    lost = [word for word in own if tokenizer.normalizer.normalize_str(word) != word]
    if lost:
        raise _refusal(where, f"treats the spaces of a text before it looks for {lost[0]!r}")
    # Looked for as sentencepiece does it, after spaces were treated; control tokens before.
    tokenizer.add_tokens([AddedToken(word, normalized=True, special=False) for word in own])
    control = [word for word, kind in kinds.items() if kind in (_UNKNOWN, _CONTROL)]
    tokenizer.add_special_tokens([AddedToken(word, normalized=False) for word in control])
    return tokenizer


def _refusal(where: str, fault: str) -> ValueError:
    return ValueError(
        f"the tokenizer.model in {where!r} cannot be followed exactly, since it {fault}; put a "
        "tokenizer.json beside it"
    )


def _named(proto: Any, tokenizer: Tokenizer) -> dict[str, str]:
    """Return the tokens that have a role, as the model's trainer was told."""
    ids = {role: getattr(proto.trainer_spec, f"{role}_id") for role in ("unk", "bos", "eos", "pad")}
    words = {role: tokenizer.id_to_token(id_) for role, id_ in ids.items() if id_ >= 0}
    return {f"{role}_token": word for role, word in words.items() if word is not None}


def _merges(scores: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return the pairs that become a piece, those of the highest score first.

    sentencepiece joins the pair whose piece has the highest score, and of equals the leftmost,
    however the piece is cut. Here each cut has a rank of its own; no vocabulary was found in which
    that matters, among thousands of random ones of words that repeat themselves.
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


def _with_equals(proto: Any) -> bool:
    scores = [piece.score for piece in _normal(proto) if len(piece.piece) > 1]
    return len(set(scores)) < len(scores)


def _with_strangers(proto: Any) -> bool:
    """Tell whether a character of a piece is no piece, so that it would be bytes before it."""
    known = {piece.piece for piece in proto.pieces}
    return any(not known.issuperset(piece.piece) for piece in _normal(proto))


def _normal(proto: Any) -> Iterable[Any]:
    return (piece for piece in proto.pieces if piece.type == _NORMAL)


_FAULTS: Final[tuple[tuple[str, Callable[[Any], bool]], ...]] = (
    ("is not a BPE model", lambda proto: proto.trainer_spec.model_type != _BPE),
    ("puts other characters in place", lambda proto: proto.normalizer_spec.precompiled_charsmap),
    ("leaves spaces as they are", lambda proto: not proto.normalizer_spec.escape_whitespaces),
    ("has spaces behind words", lambda proto: proto.trainer_spec.treat_whitespace_as_suffix),
    ("has pieces out of use", lambda proto: any(one.type == _UNUSED for one in proto.pieces)),
    ("has pieces of equal score", _with_equals),
    ("has pieces of unknown characters", _with_strangers),
)
