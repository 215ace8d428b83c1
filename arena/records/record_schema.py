"""Schema number of records, and strict JSON decoding: exactly the type, or an error."""

import json
import re
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, from_json

from arena.errors import RecordError

SCHEMA: Final = 3
"""Schema of every written line and file. Records without a number have schema 1."""

_HEAD: Final = f'{{"schema":{SCHEMA},'
_SHOWN: Final = 160
_MAX_VALUES: Final = 100_000
"""Maximum values of one line or file: twice the tokens of the longest reply. An invalid value costs
1 kB.
"""
_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_CONSTANTS: Final = ("NaN", "Infinity")

T = TypeVar("T")


class JsonCodec(Generic[T]):
    """Codec of values of one type as JSON objects whose first key is the schema number."""

    def __init__(self, wanted: Any, name: str, *, most: int = _MAX_VALUES) -> None:
        """Encode and decode values of the type `wanted`; errors call a value `name`.

        `most`: maximum values of one line or file, counting containers and their contents.
        """
        self._adapter: TypeAdapter[T] = TypeAdapter(wanted)
        self._name = name
        self._most = most

    def encode(self, value: T) -> str:
        """Return `value` as one line of JSON."""
        return add_schema(self.dump(value))

    def encode_file(self, value: T) -> str:
        """Return `value` as an indented JSON file."""
        found = {"schema": SCHEMA, **load_object(self.dump(value), self._most)}
        return json.dumps(found, ensure_ascii=False, indent=1) + "\n"

    def decode(self, text: str) -> T:
        """Return the value of a JSON object, or raise `RecordError` with a one-line message."""
        return self.load(remove_schema(text, self._most))

    def dump(self, value: T) -> str:
        """Return `value` as JSON without a schema number."""
        try:
            return self._adapter.dump_json(value).decode()
        except PydanticSerializationError:
            # A reply can contain half of a surrogate pair, which no UTF-8 file can store: U+FFFD.
            found = self._adapter.dump_python(value, mode="json")
            text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
            return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")

    def load(self, text: str) -> T:
        """Return the value of JSON without a schema number, or raise `RecordError`."""
        _refuse_lax(text, self._most)
        try:
            return self._adapter.validate_json(text, strict=True, extra="forbid")
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            reason = _shorten(f"{place}: {first['msg']}" if place else first["msg"])
            raise RecordError(f"{self._name} cannot be read: {reason}") from error


def add_schema(text: str) -> str:
    """Return the non-empty JSON object `text` with the schema number as its first key."""
    return _HEAD + text[1:]


def remove_schema(text: str, most: int = _MAX_VALUES) -> str:
    """Return the JSON object `text` without its schema number.

    Raises `RecordError` if it is not an object, or was written with another schema.
    """
    if text.startswith(_HEAD):
        return "{" + text[len(_HEAD) :]
    found = load_object(text, most)
    check_schema(found.pop("schema", 1))
    return json.dumps(found, ensure_ascii=False)


def load_object(text: str, most: int = _MAX_VALUES) -> dict[str, Any]:
    """Return the JSON object `text`, or raise `RecordError`."""
    _refuse_lax(text, most)
    try:
        found: object = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise RecordError(f"this is not JSON: {_shorten(str(error))}") from error
    if not isinstance(found, dict):
        raise RecordError(f"wanted a JSON object, got {_shorten(repr(text))}")
    return cast("dict[str, Any]", found)


def check_schema(found: object) -> None:
    """Raise `RecordError` if a record has another schema than this version reads."""
    if found == SCHEMA and isinstance(found, int):
        return
    is_newer = isinstance(found, int) and found > SCHEMA
    remedy = (
        "update the arena" if is_newer else "read it with the version that wrote it or run it again"
    )
    raise RecordError(
        f"wanted a record of schema {SCHEMA}, got schema {_shorten(repr(found))}; {remedy}"
    )


def _refuse_lax(text: str, most: int) -> None:
    """Raise `RecordError` for NaN and Infinity, and for more values than a record can have."""
    if text.count(",") <= most and not any(one in text for one in _CONSTANTS):
        return
    bare = _STRING.sub("", text)
    if found := next((one for one in _CONSTANTS if one in bare), None):
        raise RecordError(f"this is not JSON: {found} is not a number")
    if bare.count(",") > most:
        raise RecordError(f"this is not a record: it has more than {most} values")


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
