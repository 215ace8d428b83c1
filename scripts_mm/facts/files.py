"""facts.json: read from files that nobody vouches for, and written."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scripts_mm.facts.claims import (
    After,
    At,
    Before,
    Claim,
    Cleared,
    Needs,
    Note,
    Scene,
    Trait,
    Way,
)
from scripts_mm.facts.schema import (
    AtFile,
    BoundFile,
    ClearedFile,
    FactFile,
    LieFile,
    NamedFile,
    NeedsFile,
    SceneFile,
    TableFile,
    TraitFile,
    WayFile,
)
from scripts_mm.facts.table import (
    OPENING,
    Crime,
    Fact,
    FactTable,
    Lie,
    Person,
    Place,
    Source,
    SourceKind,
    clock,
)
from scripts_mm.files import SCRIPT, read_model
from scripts_mm.names import folded
from scripts_mm.reading import MAX_JSON, parse_json, read_bytes
from scripts_mm.script import LANGUAGES, ScriptError
from scripts_mm.validation import checked

FACTS = "facts.json"
"""Name of the file, beside the folders of the languages or beside a single script."""
_HOUR = 60


def load_facts(folder: Path) -> FactTable | None:
    """Read the fact table in `folder` or, if none is there, in the folder above; None: neither.

    Who is dealt which clue is taken from the script that lies there too. Raises ScriptError in one
    line: the file, the place in it, what was wanted and what came.
    """
    places = (folder / FACTS, folder.parent / FACTS)
    path = next((one for one in places if one.exists() or one.is_symlink()), None)
    if path is None:
        return None
    model = _read_model(read_bytes(path, MAX_JSON), path)
    return _table(model, path, lambda people: _owners(folder, path.parent, people))


def parse_facts(data: bytes, path: Path) -> FactTable:
    """Return the table that `facts_json` wrote; `path` is named in errors. Raises ScriptError."""
    return _table(_read_model(data, path), path, lambda _: {})


def _read_model(data: bytes, path: Path) -> TableFile:
    return checked(TableFile, parse_json(data, path), path)


def _table(
    model: TableFile, path: Path, owners: Callable[[tuple[Person, ...]], dict[str, str]]
) -> FactTable:
    """Return the table of a file; `owners` adds who is dealt which clue."""
    try:
        people = tuple(_person(one) for one in model.people)
        return FactTable(
            k=model.k,
            people=people,
            suspects=model.suspects,
            places=tuple(Place(id=one.id, names=_told(one.names)) for one in model.places),
            crimes=tuple(
                Crime(id=one.id, culprits=one.culprits, victim=one.victim or "")
                for one in model.crimes
            ),
            facts=tuple(_fact(one) for one in model.facts),
            lies=tuple(_lie(one) for one in model.lies),
            owners=MappingProxyType({**model.owners, **owners(people)}),
        )
    except ScriptError as error:
        raise ScriptError(f"{str(path)!r}: {error}") from error


def facts_json(table: FactTable) -> str:
    """Return the text of facts.json for `table`, owners included; equal tables, equal texts."""
    whole = {
        "format": 1,
        "k": table.k,
        "people": [_named(one) for one in table.people],
        "suspects": list(table.suspects),
        "places": [_named(one) for one in table.places],
        "crimes": [_crime_json(one) for one in table.crimes],
        "facts": [_fact_json(one) for one in table.facts],
        "lies": [
            {"who": one.who, "says": dict(one.says), "against": list(one.against)}
            for one in table.lies
        ],
        "owners": dict(sorted(table.owners.items())),
    }
    kept = {key: value for key, value in whole.items() if value not in ([], {})}
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


def _minute(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return int(hours) * _HOUR + int(minutes)


def _told(texts: Mapping[Any, str]) -> Mapping[str, str]:
    return MappingProxyType(dict(texts))


def _person(one: NamedFile) -> Person:
    return Person(id=one.id, names=_told(one.names))


def _lie(one: LieFile) -> Lie:
    return Lie(who=one.who, says=_told(one.says), against=one.against)


def _fact(one: FactFile) -> Fact:
    return Fact(
        id=one.id,
        claim=_claim(one),
        says=_told(one.says),
        sources=tuple(_source(text) for text in one.sources),
        because=one.because,
    )


_KINDS: Mapping[str, SourceKind] = {"clue": "clue", "picture": "picture", "role": "role"}


def _source(text: str) -> Source:
    kind, _, name = text.partition(":")
    return Source(kind=_KINDS[kind], name=name) if name else OPENING


def _claim(one: FactFile) -> Claim:  # noqa: PLR0911 - one return a kind
    match one:
        case AtFile():
            start, end = _minute(one.start), _minute(one.end)
            return At(who=one.who, place=one.place, start=start, end=end)
        case WayFile():
            return Way(places=one.places, minutes=one.minutes)
        case BoundFile():
            kind = After if one.kind == "after" else Before
            return kind(crime=one.crime, time=_minute(one.time))
        case SceneFile():
            return Scene(crime=one.crime, place=one.place)
        case NeedsFile():
            return Needs(crime=one.crime, sort=one.sort, name=one.name, value=one.value)
        case TraitFile():
            return Trait(sort=one.kind, who=one.who, name=one.name, value=one.value)
        case ClearedFile():
            return Cleared(crime=one.crime, who=one.who)
        case _:
            return Note()


def _owners(folder: Path, beside: Path, people: tuple[Person, ...]) -> dict[str, str]:
    """Return person by clue as the script says that lies in `folder` or beside the table."""
    places = (folder, *(beside / language for language in LANGUAGES), beside)
    found = next((one for one in places if (one / SCRIPT).exists()), None)
    if found is None:
        return {}
    ids = {folded(name): one.id for one in people for name in one.names.values()}
    owners: dict[str, str] = {}
    for clue in read_model(found).clues:
        if clue.owner is None:
            continue
        if folded(clue.owner) not in ids:
            raise ScriptError(
                f"people: wanted one called {clue.owner!r}, who owns clue {clue.id!r}, came none"
            )
        owners[clue.id] = ids[folded(clue.owner)]
    return owners


def _named(one: Person | Place) -> dict[str, Any]:
    return {"id": one.id, "names": dict(one.names)}


def _crime_json(one: Crime) -> dict[str, Any]:
    victim = {"victim": one.victim} if one.victim else {}
    return {"id": one.id, **victim, "culprits": list(one.culprits)}


def _fact_json(one: Fact) -> dict[str, Any]:
    told: dict[str, Any] = {"id": one.id, **_claim_json(one.claim)}
    if one.sources:
        told["sources"] = [str(source) for source in one.sources]
    if one.because:
        told["because"] = [list(reasons) for reasons in one.because]
    return {**told, "says": dict(one.says)}


def _claim_json(claim: Claim) -> dict[str, Any]:  # noqa: C901, PLR0911 - one return a kind
    match claim:
        case At():
            stay = {"from": clock(claim.start), "to": clock(claim.end)}
            return {"kind": "at", "who": claim.who, "place": claim.place, **stay}
        case Way():
            return {"kind": "way", "places": list(claim.places), "minutes": claim.minutes}
        case After() | Before():
            kind = "after" if isinstance(claim, After) else "before"
            return {"kind": kind, "crime": claim.crime, "time": clock(claim.time)}
        case Scene():
            return {"kind": "scene", "crime": claim.crime, "place": claim.place}
        case Needs():
            needed = {"sort": claim.sort, "name": claim.name, "value": claim.value}
            return {"kind": "needs", "crime": claim.crime, **needed}
        case Trait():
            return {"kind": claim.sort, "who": claim.who, "name": claim.name, "value": claim.value}
        case Cleared():
            return {"kind": "cleared", "crime": claim.crime, "who": claim.who}
        case Note():
            return {"kind": "note"}
