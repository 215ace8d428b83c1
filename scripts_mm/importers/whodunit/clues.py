"""Public text clues from one string, and key clues from their pool."""

import re
from collections import defaultdict

from scripts_mm.findings import FindingLog
from scripts_mm.importers.lenient_reader import make_unique
from scripts_mm.importers.whodunit.source import RawWhodunitScript
from scripts_mm.name_similarity import find_equal_name, find_similar_name
from scripts_mm.names import text_form
from scripts_mm.script import Clue, KeyClue, Language

_ITEM = re.compile(
    r"^[ \t]*(?:[(（]\s*(\d{1,2})\s*[)）]|(\d{1,2})\s*[.．、:：)）](?!\d))\s*", re.MULTILINE
)
_STEP = re.compile(r"(\d{1,2})\s*-\s*step", re.IGNORECASE)
_PAGE = re.compile(r"^\s*\d{1,4}\s*$", re.MULTILINE)
_QUOTES = {'"': '"', "“": "”", "「": "」", "'": "'"}
TITLES = {"zh": "公开线索", "en": "Public clue"}


def build_public_clues(text: str, language: Language, notes: FindingLog) -> tuple[Clue, ...]:
    """Return one clue per numbered item of the public text; one clue if none is numbered."""
    if not text:
        return ()
    if pages := len(_PAGE.findall(text)):
        detail = f"{pages} lines with only a number, perhaps a page number, are kept"
        notes.info("stray-number", "public_clue", detail)
    items = _split_items(text)
    numbers = [number for number, _ in items]
    if numbers not in ([*range(1, len(items) + 1)], [0]):
        detail = f"the items are numbered {', '.join(map(str, numbers))} (0: none)"
        notes.info("public-clue-numbers", "public_clue", detail)
    return tuple(
        Clue(id=f"public-{number}", title=f"{TITLES[language]} {number or ''}".strip(), text=item)
        for number, item in items
    )


def build_key_clues(case: RawWhodunitScript, notes: FindingLog) -> tuple[KeyClue, ...]:
    """Return the pool's key clues, in its order, with the bucket as their source."""
    names = [role.name for role in case.roles]
    found: list[KeyClue] = []
    taken: set[str] = set()
    for bucket, texts in case.pool:
        hops, holders = _parse_bucket(bucket, names, notes)
        for number, text in enumerate(texts, 1):
            name = make_unique(f"{bucket}-{number}", taken)
            if not text:
                notes.warn("key-clue-empty", name, "a key clue without text is left out")
                continue
            found.append(KeyClue(id=name, text=text, hops=hops, holders=holders, source=bucket))
    _note_repeats(found, notes)
    _note_steps(case, notes)
    return tuple(found)


def _split_items(text: str) -> list[tuple[int, str]]:
    """Return the numbered items; a number that does not increase is part of an item's text."""
    starts: list[tuple[int, re.Match[str]]] = []
    for match in _ITEM.finditer(text):
        number = int(match[1] or match[2])
        if number > (starts[-1][0] if starts else 0):
            starts.append((number, match))
    if not starts:
        return [(0, text)]
    ends = [match.start() for _, match in starts[1:]] + [len(text)]
    items = [
        (number, _strip_quotes(text[match.end() : end]))
        for (number, match), end in zip(starts, ends, strict=True)
    ]
    before = text[: starts[0][1].start()].strip()
    return [(0, before), *items] if before else items


def _strip_quotes(item: str) -> str:
    """Remove a list's comma and quotes from an item."""
    text = item.strip()
    inner = text.rstrip(",，;； ")
    if len(inner) > 1 and _QUOTES.get(inner[0]) == inner[-1] and inner[0] not in inner[1:-1]:
        return inner[1:-1].strip()
    return text


def _parse_bucket(
    bucket: str, names: list[str], notes: FindingLog
) -> tuple[int | None, tuple[str, ...]]:
    """Return the hops and holders stated by a bucket's name."""
    place = f"key_clues_pool.{bucket}"
    if bucket == "p" or bucket in names:
        return 0, () if bucket == "p" else (bucket,)
    if (step := _STEP.fullmatch(bucket)) is not None:
        return int(step[1]), ()
    if (role := find_equal_name(bucket, names)) is not None:
        notes.info("name-matched", place, f"{bucket!r} is read as role {role!r}")
        return 0, (role,)
    near = find_similar_name(bucket, names)
    like = f", though {near!r} is one character away" if near else ""
    notes.warn("key-clue-owner", place, f"{bucket!r} is not a role{like}; kept without a holder")
    return 0, ()


def _note_repeats(clues: list[KeyClue], notes: FindingLog) -> None:
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for clue in clues:
        ids[text_form(clue.text)].append(clue.id)
    for same in ids.values():
        if len(same) > 1:
            notes.info("key-clue-repeated", same[0], f"the same text is in {', '.join(same)}")


def _note_steps(case: RawWhodunitScript, notes: FindingLog) -> None:
    buckets = [bucket for bucket, _ in case.pool]
    found = [_STEP.fullmatch(bucket) for bucket in buckets]
    steps = sorted(int(step[1]) for step in found if step is not None)
    if steps != [*range(1, len(steps) + 1)]:
        notes.info("key-clue-steps", "key_clues_pool", f"the steps are {steps}")
    if buckets and "p" not in buckets:
        notes.info("key-clues-not-visible", "key_clues_pool", "no key clue is visible (no p)")
    if not buckets:
        notes.warn("no-key-clues", "key_clues_pool", "there are no key clues")
