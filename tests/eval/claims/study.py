"""Agreement of the two labellings, and precision and recall of the audit by category.

`python -m tests.eval.claims.study [--odd | --even] [--misses]`. Patterns were tuned on statements
with an odd number only; those with an even number are the held-out half.
"""

import csv
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from eval.claims.audit import audit_sentence
from eval.claims.audit_case import AuditCase, PersonKnowledge
from eval.claims.claim_check import CheckedClaim, reclassify_accusation
from eval.claims.fact_matching import WordMatcher
from eval.claims.sentences import split_sentences
from eval.stats.agreement import cohen_kappa
from scripts_mm.catalog import find_script
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.script import Language

HERE = Path(__file__).parent
CATEGORIES = ("true", "lie", "error", "unsupported", "unverifiable", "none")
WORST = ("lie", "error", "unsupported", "true", "unverifiable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A statement, what both labellings say of it, and what the audit says."""

    id: str
    origin: str
    language: str
    text: str
    first: str
    second: str
    agreed: str
    agreed_fact: str
    independent: str
    """Category that another annotator gave, who saw no labels and no code."""
    found: str
    found_fact: str


def read_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the study."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def study() -> Iterator[Labelled]:
    """Yield every statement with its labels and the audit's answer."""
    labels = {row["id"]: row for row in read_rows("labels.csv")}
    others = {row["id"]: row["category"] for row in read_rows("independent.csv")}
    for row in read_rows("statements.csv"):
        label = labels[row["id"]]
        worst = judge(row)
        yield Labelled(
            id=row["id"],
            origin=row["origin"],
            language=row["language"],
            text=row["text"],
            first=label["first"],
            second=label["second"],
            agreed=label["agreed"],
            agreed_fact=label["agreed_fact"],
            independent=others[row["id"]],
            found=worst.category if worst else "none",
            found_fact=worst.fact if worst else "",
        )


def judge(row: Mapping[str, str]) -> CheckedClaim | None:
    """Return the most serious claim that the audit finds in a statement; None: none."""
    language: Language = "zh" if row["language"] == "zh" else "en"
    knowledge = _knowledge(row["script"], language, row["speaker"], row["seen"] == "all")
    found = [
        one
        for sentence in split_sentences(row["text"], language)
        for one in audit_sentence(sentence, knowledge, WordMatcher())
    ]
    found = [reclassify_accusation(one, found, knowledge.case) for one in found]
    if any(one.kind == "guilt" for one in found):
        found = [one for one in found if one.kind == "guilt"]
    return min(found, key=lambda one: WORST.index(one.category), default=None)


def precision_recall(rows: Sequence[Labelled], category: str) -> tuple[int, int, int]:
    """Return how many were rightly found, found, and labelled."""
    right = sum(one.found == category == one.agreed for one in rows)
    found = sum(one.found == category for one in rows)
    return right, found, sum(one.agreed == category for one in rows)


def agreement(first: Iterable[str], second: Iterable[str]) -> float | None:
    """Return Cohen's kappa of two labellings."""
    one, other = ([CATEGORIES.index(label) for label in labels] for labels in (first, second))
    return cohen_kappa(one, other)


@cache
def _case(name: str, language: Language) -> AuditCase:
    loaded = find_script(name, language)
    table = load_facts(loaded.folder)
    assert table is not None, "a bundled script has facts"
    return AuditCase(table=table, script=loaded.script)


def _knowledge(name: str, language: Language, who: str, everything: bool) -> PersonKnowledge:
    case = _case(name, language)
    clues = [one.id for one in case.script.clues if one.owner is None] if everything else []
    return case.knowledge_of(who, clues)


def _print_table(title: str, rows: Sequence[Labelled]) -> None:
    right = sum(one.found == one.agreed for one in rows)
    _say(f"{title}: {len(rows)} statements, {right} right")
    for category in CATEGORIES:
        hit, found, labelled = precision_recall(rows, category)
        precision = f"{hit / found:.2f}" if found else "-"
        recall = f"{hit / labelled:.2f}" if labelled else "-"
        _say(
            f"  {category:13} precision {precision} ({hit}/{found})"
            f"  recall {recall} ({hit}/{labelled})"
        )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main(arguments: Sequence[str]) -> None:
    """Print the study."""
    rows = list(study())
    halves = {
        "odd": [r for r in rows if int(r.id) % 2],
        "even": [r for r in rows if not int(r.id) % 2],
    }
    wanted = [name for name in halves if f"--{name}" in arguments]
    if "--misses" in arguments:
        for one in [row for name in wanted for row in halves[name]]:
            if one.found != one.agreed:
                _say(
                    f"{one.id} {one.origin} labelled {one.agreed} {one.agreed_fact}, "
                    f"found {one.found} {one.found_fact}: {one.text}"
                )
    for title, pairs in (
        ("labels of one annotator, given twice", [(one.first, one.second) for one in rows]),
        ("labels of two annotators", [(one.agreed, one.independent) for one in rows]),
        ("the audit and the other annotator", [(one.found, one.independent) for one in rows]),
    ):
        same, kappa = sum(a == b for a, b in pairs), agreement(*zip(*pairs, strict=True))
        _say(f"{title}: {same}/{len(rows)} equal, Cohen's kappa {kappa:.3f}")
    for name in wanted or ("odd", "even"):
        _print_table(
            f"{name} numbers ({'tuned on' if name == 'odd' else 'held out'})", halves[name]
        )
    if not wanted:
        _print_table("all", rows)


if __name__ == "__main__":
    main(sys.argv[1:])
