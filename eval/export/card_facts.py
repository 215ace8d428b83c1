"""Facts for the card of an export, collected match by match."""

from collections import Counter
from dataclasses import dataclass, field

from arena.records.match_summary import BUNDLED
from arena.records.run_manifest import RunManifest
from eval.played_match import PlayedMatch, UnreadMatch

ORIGINS = {
    "original": "written for the arena; Apache-2.0, as the arena",
    "generated": "made by the arena's generator; Apache-2.0, as the arena",
}
"""First word of a script's source -> its known licence."""
UNTRAINED = "untrained"
"""Part of the flag of a match with a randomly initialised model."""


@dataclass(kw_only=True)
class CardFacts:
    """Counts over the added matches."""

    matches: int = 0
    languages: Counter[str] = field(default_factory=Counter[str])
    games: Counter[str] = field(default_factory=Counter[str])
    outcomes: Counter[str] = field(default_factory=Counter[str])
    flags: Counter[str] = field(default_factory=Counter[str])
    contestants: Counter[str] = field(default_factory=Counter[str])
    scripts: dict[str, str] = field(default_factory=dict[str, str])
    """Id -> source."""

    def add(self, match: PlayedMatch) -> None:
        """Count a match."""
        self.matches += 1
        self.languages[match.summary.language] += 1
        self.games[match.started.game] += 1
        self.outcomes[match.summary.outcome] += 1
        self.flags.update(match.summary.flags)
        self.contestants.update({match.summary.civilians, match.summary.murderer})
        self.scripts[match.script.id] = match.script.source

    @property
    def n_untrained(self) -> int:
        """Flags of matches with an untrained model."""
        return sum(number for flag, number in self.flags.items() if UNTRAINED in flag)

    @property
    def n_bundled(self) -> int:
        """Flags of matches with the mini model."""
        return sum(number for flag, number in self.flags.items() if flag.startswith(BUNDLED))


def model_and_player(manifest: RunManifest, contestant: str) -> tuple[str | None, str]:
    """Return the model of a contestant, if it has one, and its strategy."""
    for one in manifest.contestants:
        if one.name == contestant:
            return one.model, one.player
    return None, ""


def card_lines(facts: CardFacts, left_out: tuple[UnreadMatch, ...]) -> list[str]:
    """Return the Markdown lines of every card: matches, flags, licence, gaps."""
    lines = [
        f"{facts.matches} matches. Games: {_counts(facts.games)}. Outcomes: "
        f"{_counts(facts.outcomes)}. Contestants (matches): {_counts(facts.contestants)}.",
        "",
    ]
    if facts.n_untrained:
        lines += [
            "> **Untrained stand-in.** A model with random weights played matches of this data: "
            "its words, votes and scores mean nothing.",
            "",
        ]
    if facts.n_bundled:
        lines += [
            "> **Mini model.** The tiny model that comes with the arena played matches of this "
            "data: no score counts for another model.",
            "",
        ]
    flags = _counts(facts.flags) or "none"
    lines += ["## Flags of matches", "", f"{flags}.", "", "## Licence", ""]
    lines += [
        f"- script {_cell(script)}: {ORIGINS.get(source.partition(' ')[0], _foreign(source))}"
        for script, source in sorted(facts.scripts.items())
    ]
    lines += [
        "- speeches are output of the models named above; their licences may restrict its use",
        "",
        "## Left out",
        "",
    ]
    lines += [f"- {_cell(f'{one.run}/{one.match}')}: {_cell(one.reason)}" for one in left_out]
    return lines if left_out else [*lines, "Nothing."]


def _foreign(source: str) -> str:
    return (
        f"imported ({_cell(source) or 'unknown source'}); its texts and pictures keep the licence "
        "of their publisher and may not be open: check before sharing, or export with `--no-texts`"
    )


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{_cell(name)} ({number})" for name, number in sorted(counts.items()))


def _cell(text: str) -> str:
    """Return a text of a record on one line, as inline code to prevent markup."""
    plain = " ".join(text.split()).replace("`", "'")
    return f"`{plain}`" if plain else ""
