"""What came of it: one match in words, many in a table, each with its cost and its record."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.text import Text

from arena.cli.blocks import MOST_CELLS, Block, Copyable, fact, heading, put
from arena.cli.figures import NOT_TOLD, per_second, percent, span
from arena.cli.onlookers import Onlooker
from arena.cli.program import command
from arena.cli.safe import clean_line
from arena.cli.standings import standings
from arena.cli.words.choice import words_on
from arena.cli.words.table import Words
from arena.core.actions import ABSTAIN
from arena.store.summary import MatchSummary

Shown = tuple[RenderableType, ...]
STAND_IN = "stand-in"
"""Stands in a mark of a match that an untrained model played."""
MOST_ROWS = 50
"""Matches named one by one below the sums; errors are named all."""


def show_verdict(
    console: Console,
    summaries: Sequence[MatchSummary],
    *,
    wall: float | None = None,
    words: Words | None = None,
) -> None:
    """Print the verdict of one match, or of many; nothing where there is none.

    `wall` is the time of the whole run in seconds: matches run at the same time, so that the sum
    of their times gives no rate. The words are those of the scripts' language if they have one.
    """
    said = words or words_on(console, *(summary.language for summary in summaries))
    if len(summaries) == 1:
        blocks = verdict(summaries[0], said)
    else:
        blocks = verdicts(summaries, said, wall=wall)
    put(console, *blocks)


def verdict(summary: MatchSummary, words: Words) -> Shown:
    """Return what came of one match: votes, truth, cost, what was played, where the record is."""
    heads = words.heads
    rows = [
        *_decision(summary, words),
        *(fact(heads[side], text) for side, text in _contestants(summary, words)),
        fact(heads["cost"], _pace([summary], summary.seconds, words)),
        fact(heads["tokens"], _tokens([summary], words)),
    ]
    if summary.marks:
        rows.append(fact(heads["marks"], words.join(summary.marks)))
    sentence = Block(head=Text(outcome(summary, words), style="bold"))
    head = (Text(""), heading(heads["verdict"]), sentence)
    return (*head, *rows, *warning([summary], words), *_record(summary, words, match=False))


def verdicts(
    summaries: Sequence[MatchSummary], words: Words, *, wall: float | None = None
) -> Shown:
    """Return what came of many matches: sums of each pair, then the matches one by one."""
    if not summaries:
        return ()
    heads = words.heads
    marks = tuple(dict.fromkeys(mark for summary in summaries for mark in summary.marks))
    rows = (
        fact(heads["cost"], _pace(summaries, wall, words)),
        fact(heads["tokens"], _tokens(summaries, words)),
        *((fact(heads["marks"], words.join(marks)),) if marks else ()),
    )
    return (
        Text(""),
        heading(f"{heads['verdict']} ({words.count(len(summaries), 'match')})"),
        *standings(summaries, words),
        Text(""),
        *_each(summaries, words),
        Text(""),
        *rows,
        *warning(summaries, words),
        *_record(summaries[0], words, match=True),
    )


def outcome(summary: MatchSummary, words: Words) -> str:
    """Return a match's outcome as a sentence."""
    return words.outcomes[summary.outcome].format(
        seat=clean_line(summary.forfeit_seat or ""), cause=clean_line(summary.error_cause)
    )


def most_votes(summary: MatchSummary, words: Words) -> str:
    """Return who got the most votes, and how many of those that were cast."""
    counts = Counter(choice for choice in summary.votes.values() if choice != ABSTAIN)
    if not counts:
        return words.heads["nobody"]
    most, cast = max(counts.values()), sum(counts.values())
    leaders = tuple(clean_line(name) for name, n in counts.items() if n == most)
    return words.of_votes.format(name=words.join(leaders), n=most, all=cast)


def one_line(summary: MatchSummary, words: Words) -> str:
    """Return a match in one line, as `--quiet` prints it."""
    marks = f" [{words.join(summary.marks)}]" if summary.marks else ""
    head = f"{clean_line(summary.match)}{marks}{words.colon}{outcome(summary, words)}"
    colon = words.colon
    decision = (
        f"{words.heads['most']}{colon}{most_votes(summary, words)}",
        f"{words.heads['guilty']}{colon}{words.join(summary.truth)}",
    )
    facts = (
        head,
        *(decision if summary.outcome != "error" else ()),
        f"{words.count(summary.turns, 'turn')}, {span(summary.seconds)}",
        summary.record,
    )
    return clean_line(words.semicolon.join(fact.rstrip(".。") for fact in facts))


def replay_command(summary: MatchSummary, *, match: bool) -> str:
    """Return the command that shows a record again; `match` names the match beside its run."""
    return command("replay", run_folder(summary), *([summary.match] if match else []))


def run_folder(summary: MatchSummary) -> str:
    """Return the folder of the run that holds a match, or the run's name without a record."""
    folder = Path(summary.record)
    return str(folder.parent.parent) if folder.parent.name == "matches" else summary.run


def warning(summaries: Sequence[MatchSummary], words: Words) -> Shown:
    """Return the warning that an untrained model played, if one did."""
    if any(STAND_IN in mark for summary in summaries for mark in summary.marks):
        said = Block(head=Text(), body=words.stand_in, style="bold", indent=0)
        return (Panel(said, style="bold color(166)", width=MOST_CELLS),)
    return ()


class Quiet(Onlooker):
    """Says nothing but one line a match, when it is over."""

    def __init__(self, console: Console, *, words: Words | None = None) -> None:
        self._console = console
        self._words = words

    def ended(self, summary: MatchSummary) -> None:
        """Print the match in one line."""
        words = self._words or words_on(self._console, summary.language)
        put(self._console, Copyable(text=one_line(summary, words)))


def _decision(summary: MatchSummary, words: Words) -> Shown:
    """Return votes and truth; a match that broke off is not spoilt, as it may be resumed."""
    if summary.outcome == "error":
        return ()
    heads = words.heads
    return (
        fact(heads["votes"], _votes(summary, words)),
        fact(heads["most"], most_votes(summary, words)),
        fact(heads["guilty"], words.join(summary.truth), style="bold"),
    )


def _votes(summary: MatchSummary, words: Words) -> str:
    votes = summary.votes.items()
    rows = (f"{clean_line(seat)} -> {_choice(choice, words)}" for seat, choice in votes)
    return "\n".join(rows) or words.heads["nobody"]


def _choice(choice: str, words: Words) -> str:
    return words.abstains if choice == ABSTAIN else clean_line(choice)


def _contestants(summary: MatchSummary, words: Words) -> tuple[tuple[str, str], ...]:
    named = (("civilians", summary.civilians), ("murderer", summary.murderer))
    return tuple((side, _served(name, summary, side, words)) for side, name in named)


def _served(name: str, summary: MatchSummary, side: str, words: Words) -> str:
    served = summary.model_served.get(side, "")
    return name if served in {"", name} else f"{name} ({words.served.format(model=served)})"


def _pace(summaries: Sequence[MatchSummary], seconds: float | None, words: Words) -> str:
    turns = sum(summary.turns for summary in summaries)
    parts = (
        words.count(turns, "turn"),
        *words.asides(sum(s.readings for s in summaries), sum(s.summaries for s in summaries)),
        span(seconds) if seconds is not None else "",
        words.turns_rate.format(rate=per_second(turns, seconds)) if seconds is not None else "",
        words.count(sum(summary.rejected for summary in summaries), "refusal"),
    )
    return words.join(tuple(filter(None, parts)))


def _tokens(summaries: Sequence[MatchSummary], words: Words) -> str:
    told = [(s.cached_tokens, s.prompt_tokens) for s in summaries if s.cached_tokens is not None]
    cached = sum(tokens for tokens, _ in told)
    return words.tokens.format(
        prompt=f"{sum(s.prompt_tokens for s in summaries):,}",
        cached=f"{cached:,}" if told else NOT_TOLD,
        share=percent(cached, sum(tokens for _, tokens in told)),
        output=f"{sum(s.output_tokens for s in summaries):,}",
    )


def _each(summaries: Sequence[MatchSummary], words: Words) -> Shown:
    amiss = {"error", "forfeit"}
    sound = [s for s in summaries if s.outcome not in amiss][:MOST_ROWS]
    named = [*sound, *(s for s in summaries if s.outcome in amiss)]
    rows = tuple(_match_row(summary, words) for summary in named)
    left = len(summaries) - len(named)
    if not left:
        return rows
    more = words.more_matches.format(matches=words.count(left, "match"))
    return (*rows, Block(head=Text(f"  {more}")))


def _match_row(summary: MatchSummary, words: Words) -> Block:
    head = Text.assemble("  ", (clean_line(summary.match), "bold"), words.colon)
    if summary.outcome in {"error", "forfeit"}:
        return Block(head=head, body=outcome(summary, words), indent=4, style="bold")
    facts = (
        words.labels[summary.outcome],
        f"{words.heads['most']} {most_votes(summary, words)}",
        f"{words.heads['guilty']} {words.join(summary.truth)}",
        f"{clean_line(summary.script)} ({clean_line(summary.language)})",
        span(summary.seconds),
    )
    return Block(head=head, body=words.semicolon.join(facts), indent=4)


def _record(summary: MatchSummary, words: Words, *, match: bool) -> Shown:
    heads = words.heads
    return (
        Block(head=Text(f"  {heads['record']}{words.colon}")),
        Copyable(text=run_folder(summary) if match else summary.record),
        Block(head=Text(f"  {heads['replay']}{words.colon}")),
        Copyable(text=replay_command(summary, match=match)),
    )
