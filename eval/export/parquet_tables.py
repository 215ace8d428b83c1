"""The tables of a Parquet export: their columns, types and meanings. The card prints this list."""

from dataclasses import dataclass
from typing import Final, Literal

ColumnKind = Literal["text", "integer", "number", "truth", "texts", "integers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetColumn:
    """A column of a table."""

    name: str
    kind: ColumnKind
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetTable:
    """A table, written as one Parquet file."""

    name: str
    meaning: str
    columns: tuple[ParquetColumn, ...]


def _columns(*written: tuple[str, ColumnKind, str]) -> tuple[ParquetColumn, ...]:
    return tuple(ParquetColumn(name=name, kind=kind, meaning=text) for name, kind, text in written)


_MATCH = _columns(
    ("run", "text", "name of the run"),
    ("match", "text", "id of the match within its run"),
)
_SEAT = _columns(
    ("seat", "text", "role at the seat"),
    ("faction", "text", "civilians or murderer"),
    ("contestant", "text", "who plays the seat, as named on the command line"),
)

RUNS: Final = ParquetTable(
    name="runs",
    meaning="One row per run: its configuration and versions.",
    columns=_columns(
        ("run", "text", "name of the run"),
        ("game", "text", "game"),
        ("game_options", "text", "options of the game, as JSON"),
        ("contestants", "texts", "all contestants"),
        ("models", "text", "contestant -> its model, null if it has none, as JSON"),
        ("players", "text", "contestant -> its strategy, as JSON"),
        ("pairs", "integer", "pairs of civilians and murderer that play each script and seed"),
        ("scripts", "texts", "ids of the scripts"),
        ("seed", "integer", "seed of the first match"),
        ("rotations", "integer", "times that each seed is played, with another seat first"),
        ("quiz", "text", "moment of the quiz: none, before, after or both"),
        ("silent_ballots", "truth", "a silent ballot after every speech"),
        ("matches_planned", "integer", "matches of the plan"),
        ("matches_exported", "integer", "matches in this export"),
        ("started", "text", "UTC, ISO 8601"),
        ("arena_version", "text", "version of murder-arena"),
        ("git_commit", "text", "commit, if played from a checkout"),
        ("packages", "text", "versions of packages, as JSON"),
        ("wordings", "text", "language -> hash of all prompt texts, as JSON"),
    ),
)
MATCHES: Final = ParquetTable(
    name="matches",
    meaning="One row per finished match, including forfeits and errors.",
    columns=_MATCH
    + _columns(
        ("game", "text", "game"),
        ("game_options", "text", "options of the game, as JSON"),
        ("script", "text", "id of the script"),
        ("script_sha256", "text", "hash of its content"),
        ("work", "text", "world of the script: the cluster of every interval"),
        ("language", "text", "en or zh"),
        ("seed", "integer", "seed"),
        ("civilians", "text", "contestant of the civilians"),
        ("murderer", "text", "contestant of the murderer"),
        ("civilians_served", "text", "served model, or the player if it needs none"),
        ("murderer_served", "text", "likewise"),
        ("outcome", "text", "civ_win, murderer_win, draw, forfeit or error"),
        ("counts", "truth", "it enters win rates: not a forfeit, an error or uncounted"),
        ("uncounted", "text", "why an outcome of play enters no rate; empty: it does"),
        ("civilian_points", "number", "1 civ_win, .5 draw, 0 murderer_win; null: does not count"),
        ("chance_win", "number", "probability that random ballots win; null: unknown"),
        ("chance_draw", "number", "probability that random ballots draw; null: unknown"),
        ("forfeit_seat", "text", "seat that used up its fault budget"),
        ("error_cause", "text", "cause of an error"),
        ("seats", "texts", "seats, in the order of the script"),
        ("factions", "texts", "faction of each seat"),
        ("murderers", "texts", "seats of the murderer's faction"),
        ("culprits", "texts", "seats that killed a victim"),
        ("turns", "integer", "requests that a model answered"),
        ("rejected", "integer", "rejected answers"),
        ("fallbacks", "integer", "turns and steps without a valid answer"),
        ("steps", "integer", "calls of methods to their own model"),
        ("readings", "integer", "calls that read a picture"),
        ("summaries", "integer", "calls that shortened a text"),
        ("events", "integer", "events"),
        ("prompt_tokens", "integer", "tokens of prompts"),
        ("cached_tokens", "integer", "of them found in a cache; null: not reported"),
        ("output_tokens", "integer", "tokens of replies"),
        ("seconds", "number", "wall time"),
        ("flags", "texts", "caveats, such as an untrained stand-in"),
    ),
)
TURNS: Final = ParquetTable(
    name="turns",
    meaning="One row per decision request, with its attempts and model calls.",
    columns=_MATCH
    + _columns(
        ("turn", "integer", "number in the match, from 0, in order of opening"),
        ("request", "text", "id of the request"),
    )
    + _SEAT
    + _columns(
        ("phase", "text", "phase, in the game's term"),
        ("round", "integer", "round of the phase"),
        ("kind", "text", "requested decision, in the game's term"),
        ("purpose", "text", "purpose, in the platform's term"),
        ("about", "text", "victim or number of the ballot, if there are several"),
        ("off_path", "truth", "the match does not depend on it"),
        ("result", "text", "accepted, declined, timeout, invalid, unanswerable or open"),
        ("attempts", "integer", "number of answers"),
        ("errors", "texts", "why answers were rejected, in order"),
        ("action", "text", "the accepted answer, as JSON; null: none, or texts are omitted"),
        ("calls", "integer", "model calls, including steps"),
        ("steps", "integer", "of them steps of a method"),
        ("prompt_tokens", "integer", "tokens of prompts"),
        ("cached_tokens", "integer", "of them found in a cache; null: not reported"),
        ("output_tokens", "integer", "tokens of replies"),
        ("seconds", "number", "sum of the calls' times"),
    ),
)
UTTERANCES: Final = ParquetTable(
    name="utterances",
    meaning="One row per public speech, answer or question.",
    columns=_MATCH
    + _columns(("event", "integer", "index of the event, from 0"), ("request", "text", "request"))
    + _SEAT
    + _columns(
        ("phase", "text", "phase, in the game's term"),
        ("round", "integer", "round of the phase"),
        ("kind", "text", "kind of speech in the game's term; question: put to a seat"),
        ("is_question", "truth", "it is put to a seat"),
        ("addressed_to", "text", "seat that it asks or answers"),
        ("about", "text", "victim of a question"),
        ("characters", "integer", "length"),
        ("truncated", "truth", "it was cut"),
        ("text", "text", "null: texts are omitted"),
    ),
)
VOTES: Final = ParquetTable(
    name="votes",
    meaning="One row per ballot, cast or counted as abstention.",
    columns=_MATCH
    + _columns(("event", "integer", "index of the event, from 0"))
    + _SEAT
    + _columns(
        ("about", "text", "victim, if there are several"),
        ("ballot", "integer", "number of the ballot"),
        ("choice", "text", "a seat, or abstain"),
        ("was_asked", "truth", "false: the seat was not asked, the game counts it"),
        ("is_last", "truth", "no later ballot of the seat on the same victim and number"),
        ("names_culprit", "truth", "the choice killed the victim"),
        ("names_murderer", "truth", "the choice is of the murderer's faction"),
    ),
)
PROBES: Final = ParquetTable(
    name="probes",
    meaning="One row per silent answer: quiz, silent ballot or rating.",
    columns=_MATCH
    + _columns(
        ("kind", "text", "ballot, quiz_before, quiz_after or rated"),
        ("known_events", "integer", "number of events that the seat knew"),
    )
    + _SEAT
    + _columns(
        ("question", "text", "id of the quiz question, or the scale of a rating"),
        ("question_kind", "text", "kind of the quiz question"),
        ("candidate", "text", "seat named by a silent ballot, or rated; null: no legal answer"),
        ("names_culprit", "truth", "for a silent ballot"),
        ("value", "integer", "for a rating; null: no legal answer"),
        ("chosen", "integers", "options chosen, by number in the script; null: no legal answer"),
        ("shown", "integers", "all options in the order shown"),
        ("right", "truth", "for a quiz; null: the question has no key"),
    ),
)
SCORES: Final = ParquetTable(
    name="scores",
    meaning="One row per value of a metric for a seat or a match.",
    columns=_columns(
        ("metric", "text", "name of the metric"),
        ("value", "number", "null: undefined, exclude it from means"),
        ("numerator", "number", "of a rate"),
        ("denominator", "number", "of a rate"),
    )
    + _MATCH
    + _columns(
        ("script", "text", "id of the script"),
        ("work", "text", "cluster"),
        ("game", "text", "game"),
        ("seat", "text", "empty: match-level"),
        ("faction", "text", "of the seat"),
        ("contestant", "text", "scored contestant"),
        ("opponent", "text", "contestant of the other side"),
        ("judge", "text", "model and prompt of a judged value; empty: counted by rules"),
        ("group", "text", "breakdown, such as a round; empty: the whole"),
    ),
)
TABLES: Final = (MATCHES, RUNS, TURNS, UTTERANCES, VOTES, PROBES, SCORES)
"""All tables; the first is the default configuration."""
