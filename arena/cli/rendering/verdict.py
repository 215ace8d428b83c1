"""Verdict: one match in words, many in a table, each with its cost and its record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.text import Text

from arena.cli.console.shell import shell_command
from arena.cli.rendering.formatting import UNKNOWN, format_duration, format_percent, format_rate
from arena.cli.rendering.layout import (
    MAX_CELLS,
    Block,
    UnwrappedLine,
    fact_row,
    heading,
    note,
    print_blocks,
)
from arena.cli.rendering.outcomes import outcome_label, outcome_sentence, votes_by_victim
from arena.cli.rendering.standings_table import render_standings
from arena.core.option_labels import option_label
from arena.core.specs import ABSTAIN
from arena.records.match_summary import BUNDLED, MatchSummary
from arena.records.run_config import HUMAN
from arena.view.i18n.language_choice import messages_for
from arena.view.i18n.messages import Messages
from arena.view.sanitize import sanitize_line

Rendered = tuple[RenderableType, ...]
STAND_IN = "stand-in"
"""Part of a flag of a match that an untrained model played."""
MAX_MATCH_ROWS = 50
"""Maximum matches listed one by one below the sums; errors and forfeits are always listed."""
_UNDECIDED = frozenset({"error", "forfeit"})


def show_verdict(
    console: Console,
    summaries: Sequence[MatchSummary],
    *,
    wall: float | None = None,
    messages: Messages | None = None,
    is_whole_run: bool = True,
) -> None:
    """Print the verdict of one match, or of many; nothing if there are none.

    If it is not the whole run, the command to replay a match names the match after the run.

    `wall` is the time of the whole run in seconds: matches run concurrently, so the sum of their
    times gives no rate. The messages are in the language of the scripts if they share one.
    """
    chosen = messages or _messages_on(console, summaries)
    if len(summaries) == 1:
        blocks = render_verdict(summaries[0], chosen, is_whole_run=is_whole_run)
    else:
        blocks = render_verdicts(summaries, chosen, wall=wall)
    print_blocks(console, *blocks)


def render_verdict(
    summary: MatchSummary, messages: Messages, *, is_whole_run: bool = True
) -> Rendered:
    """Return the verdict of one match: votes, truth, cost, contestants, path of the record."""
    heads = messages.heads
    rows = [
        *_decision(summary, messages),
        *(fact_row(heads[side], text) for side, text in _contestants(summary, messages)),
        fact_row(heads["cost"], _pace([summary], summary.seconds, messages)),
        fact_row(heads["tokens"], _tokens([summary], messages)),
    ]
    if summary.flags:
        rows.append(fact_row(heads["flags"], messages.join(summary.flags)))
    sentence = Block(head=Text(outcome_sentence(summary, messages), style="bold"))
    head = (Text(""), heading(heads["verdict"]), sentence)
    return (
        *head,
        *rows,
        *render_warning([summary], messages),
        *_record([summary], messages, match=not is_whole_run),
    )


def render_verdicts(
    summaries: Sequence[MatchSummary], messages: Messages, *, wall: float | None = None
) -> Rendered:
    """Return the verdict of many matches: sums of each pair, then the matches one by one."""
    if not summaries:
        return ()
    heads = messages.heads
    flags = tuple(dict.fromkeys(flag for summary in summaries for flag in summary.flags))
    rows = (
        fact_row(heads["cost"], _pace(summaries, wall, messages)),
        fact_row(heads["tokens"], _tokens(summaries, messages)),
        *((fact_row(heads["flags"], messages.join(flags)),) if flags else ()),
    )
    return (
        Text(""),
        heading(f"{heads['verdict']} ({messages.count(len(summaries), 'match')})"),
        *render_standings(summaries, messages),
        Text(""),
        *_match_rows(summaries, messages),
        Text(""),
        *rows,
        *render_warning(summaries, messages),
        *_record(summaries, messages, match=True),
    )


def most_votes(summary: MatchSummary, messages: Messages) -> str:
    """Return who got the most votes on each victim, and how many of those that were cast."""
    return messages.join(
        tuple(
            _about(victim, messages) + _leaders(votes, messages)
            for victim, votes in votes_by_victim(summary).items()
        )
    )


def _about(victim: str, messages: Messages) -> str:
    return f"{sanitize_line(victim)}{messages.colon}" if victim else ""


def _leaders(votes: Mapping[str, str], messages: Messages) -> str:
    counts = Counter(choice for choice in votes.values() if choice != ABSTAIN)
    if not counts:
        return messages.heads["nobody"]
    most, cast = max(counts.values()), sum(counts.values())
    leaders = tuple(sanitize_line(name) for name, n in counts.items() if n == most)
    return messages.of_votes.format(name=messages.join(leaders), n=most, all=cast)


def summary_line(summary: MatchSummary, messages: Messages) -> str:
    """Return a match in one line, as `--quiet` prints it."""
    flags = f" [{messages.join(summary.flags)}]" if summary.flags else ""
    colon = messages.colon
    head = f"{sanitize_line(summary.match)}{flags}{colon}{outcome_sentence(summary, messages)}"
    decision = (
        f"{messages.heads['most']}{colon}{most_votes(summary, messages)}",
        f"{messages.heads['guilty']}{colon}{messages.join(summary.truth)}",
    )
    facts = (
        head,
        *(decision if summary.outcome != "error" else ()),
        f"{messages.count(summary.turns, 'turn')}, {format_duration(summary.seconds)}",
        summary.record,
    )
    return sanitize_line(messages.semicolon.join(fact.rstrip(".。") for fact in facts))


def replay_command(summary: MatchSummary, *, match: bool) -> str:
    """Return the command that replays a record; `match` names the match after its run."""
    return shell_command("replay", run_folder(summary), *([summary.match] if match else []))


def run_folder(summary: MatchSummary) -> str:
    """Return the folder of the run that contains a match, or the run's name without a record."""
    folder = Path(summary.record)
    return str(folder.parent.parent) if folder.parent.name == "matches" else summary.run


def render_warning(summaries: Sequence[MatchSummary], messages: Messages) -> Rendered:
    """Return that a person played, and the warnings about substitutes for a model."""
    flags = {flag for summary in summaries for flag in summary.flags}
    human = (note(messages.human),) if HUMAN in flags else ()
    warned = (
        *((messages.stand_in,) if any(STAND_IN in flag for flag in flags) else ()),
        *((messages.bundled,) if any(flag.startswith(BUNDLED) for flag in flags) else ()),
    )
    blocks = (Block(head=Text(), body=text, style="bold", indent=0) for text in warned)
    panels = (Panel(block, style="bold color(166)", width=MAX_CELLS) for block in blocks)
    return (*human, *panels)


def _messages_on(console: Console, summaries: Sequence[MatchSummary]) -> Messages:
    return messages_for(*(summary.language for summary in summaries), encoding=console.encoding)


def _decision(summary: MatchSummary, messages: Messages) -> Rendered:
    """Return votes and truth; a match that broke off is not spoilt, as it can be resumed."""
    if summary.outcome == "error":
        return ()
    heads = messages.heads
    return (
        fact_row(heads["votes"], _votes(summary, messages)),
        fact_row(heads["most"], most_votes(summary, messages)),
        fact_row(heads["guilty"], messages.join(summary.truth), style="bold"),
    )


def _votes(summary: MatchSummary, messages: Messages) -> str:
    rows = (
        f"{_about(victim, messages)}{sanitize_line(seat)} -> {_choice(choice, messages)}"
        for victim, votes in votes_by_victim(summary).items()
        for seat, choice in votes.items()
    )
    return "\n".join(rows) or messages.heads["nobody"]


def _choice(choice: str, messages: Messages) -> str:
    return sanitize_line(option_label(choice, messages.language))


def _contestants(summary: MatchSummary, messages: Messages) -> tuple[tuple[str, str], ...]:
    named = (("civilians", summary.civilians), ("murderer", summary.murderer))
    return tuple((side, _name_with_model(name, summary, side, messages)) for side, name in named)


def _name_with_model(name: str, summary: MatchSummary, side: str, messages: Messages) -> str:
    served = summary.model_served.get(side, "")
    return name if served in {"", name} else f"{name} ({messages.served.format(model=served)})"


def _pace(summaries: Sequence[MatchSummary], seconds: float | None, messages: Messages) -> str:
    turns = sum(summary.turns for summary in summaries)
    parts = (
        messages.count(turns, "turn"),
        *messages.auxiliary_counts(
            sum(s.readings for s in summaries),
            sum(s.summaries for s in summaries),
            sum(s.steps for s in summaries),
        ),
        format_duration(seconds) if seconds is not None else "",
        messages.turns_rate.format(rate=format_rate(turns, seconds)) if seconds is not None else "",
        messages.count(sum(summary.rejected for summary in summaries), "refusal"),
        messages.count(sum(summary.fallbacks for summary in summaries), "fallback"),
    )
    return messages.join(tuple(filter(None, parts)))


def _tokens(summaries: Sequence[MatchSummary], messages: Messages) -> str:
    known = [(s.cached_tokens, s.prompt_tokens) for s in summaries if s.cached_tokens is not None]
    cached = sum(tokens for tokens, _ in known)
    return messages.tokens.format(
        prompt=f"{sum(s.prompt_tokens for s in summaries):,}",
        cached=f"{cached:,}" if known else UNKNOWN,
        share=format_percent(cached, sum(tokens for _, tokens in known)),
        output=f"{sum(s.output_tokens for s in summaries):,}",
    )


def _match_rows(summaries: Sequence[MatchSummary], messages: Messages) -> Rendered:
    decided = [s for s in summaries if s.outcome not in _UNDECIDED][:MAX_MATCH_ROWS]
    named = [*decided, *(s for s in summaries if s.outcome in _UNDECIDED)]
    rows = tuple(_match_row(summary, messages) for summary in named)
    left = len(summaries) - len(named)
    if not left:
        return rows
    more = messages.more_matches.format(matches=messages.count(left, "match"))
    return (*rows, Block(head=Text(f"  {more}")))


def _match_row(summary: MatchSummary, messages: Messages) -> Block:
    head = Text.assemble("  ", (sanitize_line(summary.match), "bold"), messages.colon)
    if summary.outcome in _UNDECIDED:
        return Block(head=head, body=outcome_sentence(summary, messages), indent=4, style="bold")
    facts = (
        outcome_label(summary, messages),
        f"{messages.heads['most']} {most_votes(summary, messages)}",
        f"{messages.heads['guilty']} {messages.join(summary.truth)}",
        f"{sanitize_line(summary.script)} ({sanitize_line(summary.language)})",
        format_duration(summary.seconds),
    )
    return Block(head=head, body=messages.semicolon.join(facts), indent=4)


def _record(summaries: Sequence[MatchSummary], messages: Messages, *, match: bool) -> Rendered:
    """Return the path of the record, and the commands that replay a match and continue the run."""
    summary = summaries[0]
    path = run_folder(summary) if match and len(summaries) > 1 else summary.record
    is_broken = any(one.outcome == "error" for one in summaries)
    resume = shell_command("resume", run_folder(summary))
    return (
        *_heading_and_line("record", path, messages),
        *_heading_and_line("replay", replay_command(summary, match=match), messages),
        *(_heading_and_line("resume", resume, messages) if is_broken else ()),
    )


def _heading_and_line(head: str, line: str, messages: Messages) -> Rendered:
    return (
        Block(head=Text(f"  {messages.heads[head]}{messages.colon}")),
        UnwrappedLine(text=line),
    )
