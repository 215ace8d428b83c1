"""The file facts.json: safe reading of untrusted files, and writing."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scripts_mm.facts.claim_types import (
    Claim,
    CrimeScene,
    CulpritTrait,
    EarliestTime,
    Exoneration,
    LatestTime,
    PersonTrait,
    PlainStatement,
    Presence,
    TravelTime,
)
from scripts_mm.facts.fact_table import (
    OPENING,
    Crime,
    Fact,
    FactTable,
    Lie,
    Mission,
    Person,
    Place,
    Source,
    SourceKind,
    format_clock,
)
from scripts_mm.facts.facts_schema import (
    AtFile,
    BoundFile,
    ClearedFile,
    FactFile,
    LieFile,
    MissionFile,
    NamedFile,
    NeedsFile,
    SceneFile,
    TableFile,
    TraitFile,
    WayFile,
)
from scripts_mm.names import fold_name
from scripts_mm.safe_io import MAX_JSON, parse_json, read_bytes
from scripts_mm.schema_validation import validate_model
from scripts_mm.script import LANGUAGES, ScriptError
from scripts_mm.script_folder import SCRIPT_FILE, read_script_file

FACTS_FILE = "facts.json"
"""Name of the file, next to the folders of the languages or next to a single script."""
_HOUR = 60


def load_facts(folder: Path) -> FactTable | None:
    """Read the fact table in `folder`, else in its parent folder; None: neither has one.

    The owners of clues come from the script next to it. Raises ScriptError in one line: the file,
    the place in it, what was wanted and what was got.
    """
    places = (folder / FACTS_FILE, folder.parent / FACTS_FILE)
    path = next((one for one in places if one.exists() or one.is_symlink()), None)
    if path is None:
        return None
    model = _parse_table_file(read_bytes(path, MAX_JSON), path)
    return _build_table(model, path, lambda people: _read_owners(folder, path.parent, people))


def parse_facts(data: bytes, path: Path) -> FactTable:
    """Return the table that `facts_json` wrote. Raises ScriptError, which names `path`."""
    return _build_table(_parse_table_file(data, path), path, lambda _: {})


def _parse_table_file(data: bytes, path: Path) -> TableFile:
    return validate_model(TableFile, parse_json(data, path), path)


def _build_table(
    model: TableFile, path: Path, owners: Callable[[tuple[Person, ...]], dict[str, str]]
) -> FactTable:
    """Return the table of a file; `owners` returns the owners of clues."""
    try:
        people = tuple(_person(one) for one in model.people)
        return FactTable(
            k=model.k,
            people=people,
            suspects=model.suspects,
            places=tuple(Place(id=one.id, names=_freeze_texts(one.names)) for one in model.places),
            crimes=tuple(
                Crime(id=one.id, culprits=one.culprits, victim=one.victim or "")
                for one in model.crimes
            ),
            facts=tuple(_fact(one) for one in model.facts),
            lies=tuple(_lie(one) for one in model.lies),
            missions=tuple(_mission(one) for one in model.missions),
            owners=MappingProxyType({**model.owners, **owners(people)}),
        )
    except ScriptError as error:
        raise ScriptError(f"{str(path)!r}: {error}") from error


def facts_json(table: FactTable) -> str:
    """Return the text of facts.json for `table`, with owners; equal tables give equal texts."""
    whole = {
        "format": 1,
        "k": table.k,
        "people": [_name_object(one) for one in table.people],
        "suspects": list(table.suspects),
        "places": [_name_object(one) for one in table.places],
        "crimes": [_crime_json(one) for one in table.crimes],
        "facts": [_fact_json(one) for one in table.facts],
        "lies": [
            {"who": one.who, "says": dict(one.says), "against": list(one.against)}
            for one in table.lies
        ],
        "missions": [
            {"who": one.who, "answered_by": [str(source) for source in one.answered_by]}
            for one in table.missions
        ],
        "owners": dict(sorted(table.owners.items())),
    }
    kept = {key: value for key, value in whole.items() if value not in ([], {})}
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


def _parse_minute(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return int(hours) * _HOUR + int(minutes)


def _freeze_texts(texts: Mapping[Any, str]) -> Mapping[str, str]:
    return MappingProxyType(dict(texts))


def _person(one: NamedFile) -> Person:
    return Person(id=one.id, names=_freeze_texts(one.names))


def _lie(one: LieFile) -> Lie:
    return Lie(who=one.who, says=_freeze_texts(one.says), against=one.against)


def _mission(one: MissionFile) -> Mission:
    return Mission(who=one.who, answered_by=tuple(_source(text) for text in one.answered_by))


def _fact(one: FactFile) -> Fact:
    return Fact(
        id=one.id,
        claim=_claim(one),
        says=_freeze_texts(one.says),
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
            start, end = _parse_minute(one.start), _parse_minute(one.end)
            return Presence(who=one.who, place=one.place, start=start, end=end)
        case WayFile():
            return TravelTime(places=one.places, minutes=one.minutes)
        case BoundFile():
            kind = EarliestTime if one.kind == "after" else LatestTime
            return kind(crime=one.crime, time=_parse_minute(one.time))
        case SceneFile():
            return CrimeScene(crime=one.crime, place=one.place)
        case NeedsFile():
            return CulpritTrait(crime=one.crime, sort=one.sort, name=one.name, value=one.value)
        case TraitFile():
            return PersonTrait(sort=one.kind, who=one.who, name=one.name, value=one.value)
        case ClearedFile():
            return Exoneration(crime=one.crime, who=one.who)
        case _:
            return PlainStatement()


def _read_owners(folder: Path, beside: Path, people: tuple[Person, ...]) -> dict[str, str]:
    """Return person by clue from the script in `folder` or next to the table."""
    places = (folder, *(beside / language for language in LANGUAGES), beside)
    found = next((one for one in places if (one / SCRIPT_FILE).exists()), None)
    if found is None:
        return {}
    ids = {fold_name(name): one.id for one in people for name in one.names.values()}
    owners: dict[str, str] = {}
    for clue in read_script_file(found).clues:
        if clue.owner is None:
            continue
        if fold_name(clue.owner) not in ids:
            raise ScriptError(
                f"people: wanted one called {clue.owner!r}, who owns clue {clue.id!r}, got none"
            )
        owners[clue.id] = ids[fold_name(clue.owner)]
    return owners


def _name_object(one: Person | Place) -> dict[str, Any]:
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
        case Presence():
            stay = {"from": format_clock(claim.start), "to": format_clock(claim.end)}
            return {"kind": "at", "who": claim.who, "place": claim.place, **stay}
        case TravelTime():
            return {"kind": "way", "places": list(claim.places), "minutes": claim.minutes}
        case EarliestTime() | LatestTime():
            kind = "after" if isinstance(claim, EarliestTime) else "before"
            return {"kind": kind, "crime": claim.crime, "time": format_clock(claim.time)}
        case CrimeScene():
            return {"kind": "scene", "crime": claim.crime, "place": claim.place}
        case CulpritTrait():
            needed = {"sort": claim.sort, "name": claim.name, "value": claim.value}
            return {"kind": "needs", "crime": claim.crime, **needed}
        case PersonTrait():
            return {"kind": claim.sort, "who": claim.who, "name": claim.name, "value": claim.value}
        case Exoneration():
            return {"kind": "cleared", "crime": claim.crime, "who": claim.who}
        case PlainStatement():
            return {"kind": "note"}
