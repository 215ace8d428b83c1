"""Texts of a vote, as its options require."""

from arena.games.shared.options import VoteOptions
from arena.games.wording import Wording
from scripts_mm.script import Language


def join_sentences(language: Language, *sentences: str) -> str:
    """Join sentences to one paragraph."""
    between = "" if language == "zh" else " "
    return between.join(sentence for sentence in sentences if sentence)


def write_voters(say: Wording, silent: int) -> str:
    """Return the sentence on the voters: all seats except `silent` many that never vote."""
    if not silent:
        return say("rules.voters_all")
    return say("rules.voters_one_silent" if silent == 1 else "rules.voters_silent", silent=silent)


def write_voting(
    say: Wording, options: VoteOptions, *, voters: str, secrecy: str, announced: str
) -> str:
    """Return the rule of the vote: voters, secrecy, and the announcement after the count.

    `secrecy` and `announced` are keys of the table `rules`; an empty `announced` adds no text.
    """
    in_base = options.quorum != "plurality" and options.base == "eligible"
    return say(
        "rules.voting",
        voters=voters,
        secrecy=say(f"rules.{secrecy}"),
        announced=say(f"rules.{announced}") if announced else "",
        self_vote=say("rules.self_vote") if options.self_vote else "",
        abstain=say("rules.abstain_in_base" if in_base else "rules.abstain"),
    )


def write_winning(
    say: Wording, options: VoteOptions, language: Language, *, several: bool = True
) -> str:
    """Return the rules of quorum and win; `several`: a script can have several murderers."""
    quorum = options.quorum
    accused = "plurality" if quorum == "plurality" else f"{quorum}_{options.base}"
    tie = write_tie(say, options, language, several=several)
    return join_sentences(language, say(f"rules.{accused}"), say("rules.result"), tie)


def write_tie(say: Wording, options: VoteOptions, language: Language, *, several: bool) -> str:
    """Return the rules for a tie, and for a vote that names no seat."""
    last = options.last_tie
    nobody = say("rules.nobody_draw" if last == "draw" else "rules.nobody_loss")
    if options.quorum == "majority":
        return nobody
    guilty = say("rules.guilty") if several and last in {"draw", "none"} else ""
    if options.tie != "revote":
        return join_sentences(language, say(f"rules.tie_{options.tie}"), guilty, nobody)
    times = say("rules.times", revotes=options.revotes)
    revotes = say("rules.once") if options.revotes == 1 else times
    held = say("rules.tie_revote", revotes=revotes)
    return join_sentences(language, held, say(f"rules.then_{last}"), guilty, nobody)
