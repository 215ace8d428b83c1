"""What the rules say is what the game does: a reader of the text predicts every vote."""

from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

from arena.core.events import VotesTallied
from arena.core.observation import observe
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.core.voting import QuorumBase, Tie, TieAfterRevote
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from scripts_mm.script import Language, Script
from tests.arena.games.whodunit.scenes import (
    events_of,
    start,
    until,
    vote,
)
from tests.table import NAMES, case

SEATS = NAMES[:4]
PHRASES: dict[str, dict[Language, str]] = {
    "most": {
        "en": "The player with most votes is accused.",
        "zh": "得票最多者被指认。",
    },
    "over half of those who may vote": {
        "en": "more than half of those who may vote.",
        "zh": "得票超过有投票权人数一半者被指认。",
    },
    "over half of the votes": {
        "en": "more than half of the votes for a player.",
        "zh": "得票超过有效票（弃权除外）一半者被指认。",
    },
    "half of those who may vote": {
        "en": "at least half of those who may vote.",
        "zh": "得票达到有投票权人数一半者被指认。",
    },
    "half of the votes": {
        "en": "at least half of the votes for a player.",
        "zh": "得票达到有效票（弃权除外）一半者被指认。",
    },
    "tie: draw": {"en": "A tie is a draw.", "zh": "平票为平局。"},
    "tie: murderer": {"en": "If there is a tie, the murderer wins.", "zh": "平票则凶手获胜。"},
    "tie: lot": {"en": "A tie is decided by lot.", "zh": "平票时抽签决定。"},
    "tie: any": {
        "en": "If there is a tie, the civilians win if the murderer is among the accused;",
        "zh": "平票时，被指认的人中有凶手，平民获胜，否则凶手获胜。",
    },
    "tie: vote again": {
        "en": "If there is a tie, the vote is held again between those accused, at most ",
        "zh": "平票时，在被指认的人中重新投票，最多",
    },
    "then: draw": {"en": "still tied, it is a draw.", "zh": "仍然平票则为平局。"},
    "then: murderer": {"en": "still tied, the murderer wins.", "zh": "仍然平票则凶手获胜。"},
    "then: lot": {"en": "still tied, one of them is drawn by lot.", "zh": "仍然平票则抽签决定。"},
    "then: any": {
        "en": "still tied, the civilians win if the murderer is among them;",
        "zh": "仍然平票时，其中有凶手则平民获胜",
    },
    "only murderers tied": {
        "en": "only murderers are tied in the end, the civilians win.",
        "zh": "最后平票的都是凶手时，平民获胜。",
    },
    "nobody: draw": {
        "en": "If nobody is accused, it is a draw.",
        "zh": "没有人被指认则为平局。",
    },
    "nobody: murderer": {
        "en": "If nobody is accused, the murderer wins.",
        "zh": "没有人被指认则凶手获胜。",
    },
    "all vote": {"en": "all players vote", "zh": "投票：所有玩家"},
    "all but the murderer vote": {
        "en": "all players but the murderer vote",
        "zh": "除凶手外的所有玩家",
    },
    "some never vote": {"en": "may vote (who", "zh": "（是谁保密）的所有玩家"},
    "for oneself": {"en": "voting for oneself is allowed", "zh": "可以投给自己"},
    "secret": {"en": "in secret", "zh": "不记名投票"},
    "open": {"en": "openly, one after the other", "zh": "依次公开投票"},
    "told": {"en": "everybody hears who voted for whom", "zh": "公布谁投了谁"},
    "reason": {"en": "reason that no other player hears", "zh": "其他玩家看不到理由"},
    "abstention counts": {"en": "counts as a vote for nobody", "zh": "弃权不算投给任何人"},
}
AGAIN: dict[Language, tuple[str, str]] = {
    "en": ("at most once", "at most {} times"),
    "zh": ("最多一次", "最多{}次"),
}
ACCUSED = ("most", "over half", "half")


@dataclass(frozen=True)
class Reading:
    """What a reader of the rules understands."""

    said: frozenset[str]
    again: int

    @classmethod
    def of(cls, text: str, language: Language) -> "Reading":
        """Read a text by its phrases."""
        said = {name for name, words in PHRASES.items() if words[language] in text}
        for name in said:
            if name.startswith("then:"):
                text = text.replace(PHRASES[name][language], "")
        said -= {name for name in said if name.startswith("tie:")}
        said |= {
            name
            for name, words in PHRASES.items()
            if name.startswith("tie:") and words[language] in text
        }
        once, many = AGAIN[language]
        numbers = [n for n in range(2, 9) if many.format(n) in text] + [1] * (once in text)
        return cls(said=frozenset(said), again=numbers[0] if numbers else 0)

    def accused(self, ballots: dict[str, str], voters: int) -> set[str]:
        """Return who is accused."""
        chosen = [choice for choice in ballots.values() if choice != "abstain"]
        votes = {name: chosen.count(name) for name in chosen}
        if "most" in self.said:
            return {name for name in votes if votes[name] == max(votes.values())}
        base = voters if any("who may vote" in one for one in self.said) else len(chosen)
        if any(one.startswith("over half") for one in self.said):
            return {name for name in votes if votes[name] > base / 2}
        return {name for name in votes if votes[name] >= base / 2}

    def results(self, accused: set[str], guilty: set[str], *, is_last: bool) -> set[str]:
        """Return the results that are possible; `again` where the vote is held again."""
        if not accused:
            return {"draw" if "nobody: draw" in self.said else "murderer_win"}
        alone = is_last and accused <= guilty and "only murderers tied" in self.said
        if len(accused) == 1 or alone:
            return {"civ_win" if accused <= guilty else "murderer_win"}
        if "tie: vote again" in self.said and not is_last:
            return {"again"}
        return self.tied(accused, guilty)

    def tied(self, accused: set[str], guilty: set[str]) -> set[str]:
        """Return the results that are possible where a tie stays."""
        begin = "then: " if self.again else "tie: "
        [rule] = [one.removeprefix(begin) for one in self.said if one.startswith(begin)]
        lots = {"civ_win" if name in guilty else "murderer_win" for name in accused}
        possible = {
            "lot": lots,
            "any": {"civ_win" if accused & guilty else "murderer_win"},
            "draw": {"draw"},
            "murderer": {"murderer_win"},
        }
        return possible[rule]


def combinations() -> list[dict[str, Any]]:
    ties: list[dict[str, Any]] = [{"tie": tie} for tie in get_args(Tie) if tie != "revote"]
    ties += [
        {"tie": "revote", "revote_then": then, "revotes": revotes}
        for then in get_args(TieAfterRevote)
        for revotes in (1, 2)
    ]
    hints = get_type_hints(WhodunitOptions)
    return [
        {"quorum": quorum, "base": base, "electorate": electorate, "self_vote": own, **tie}
        for quorum, base, electorate, own, tie in product(
            get_args(hints["quorum"]),
            get_args(QuorumBase),
            get_args(hints["electorate"]),
            (False, True),
            ties,
        )
        if not (quorum == "majority" and tie["tie"] == "revote")
    ]


def rules(state: MatchState) -> str:
    return WHODUNIT.texts(observe(state, SeatId(SEATS[0]))).rules()


def ballots_of(voters: list[str], *, own: bool, chance: Random) -> list[dict[str, str]]:
    """Return ballots of small tables: one for each way that the votes can be spread."""
    allowed = [[*(name for name in SEATS if own or name != voter), "abstain"] for voter in voters]
    by_count: dict[tuple[int, ...], list[tuple[str, ...]]] = {}
    for choices in product(*allowed):
        by_count.setdefault(tuple(choices.count(name) for name in SEATS), []).append(choices)
    found = [chance.choice(choices) for choices in by_count.values()]
    return [dict(zip(voters, choices, strict=True)) for choices in found]


def check_votes(options: dict[str, Any], script: Script, reading: Reading) -> int:
    """Vote in every way and compare; return how many votes were held."""
    state = until(start(script=script, **options, rounds=1), "vote")
    guilty = set(script.murderers)
    hidden = {"all but the murderer vote", "some never vote"} & reading.said
    silent = guilty if hidden else set[str]()
    voters = [name for name in SEATS if name not in silent]
    tried = ballots_of(voters, own="for oneself" in reading.said, chance=Random(1))
    for ballots in tried:
        check_one(state, ballots, reading, guilty)
    return len(tried)


def check_one(
    state: MatchState, ballots: dict[str, str], reading: Reading, guilty: set[str]
) -> None:
    """Vote again and again with the same ballots, in revotes only for those who are tied."""
    voters, allowed, count = len(ballots), set(SEATS), 0
    while True:
        count += 1
        own = {
            seat: choice
            if choice in allowed and (choice != seat or "for oneself" in reading.said)
            else "abstain"
            for seat, choice in ballots.items()
        }
        accused = reading.accused(own, voters)
        wanted = reading.results(accused, guilty, is_last=count > reading.again)
        state = vote(state, own)
        if wanted != {"again"}:
            break
        assert state.ended is None, (own, reading)
        allowed = accused
    assert state.ended is not None, (own, reading)
    assert state.ended.outcome in wanted, (own, reading)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("guilty", [1, 2])
def test_a_reader_of_the_rules_predicts_every_vote(language: Language, guilty: int) -> None:
    script = replace(case(SEATS, SEATS[-guilty:]), language=language)
    tried = 0
    for options in combinations()[:: 1 if language == "en" else 7]:
        reading = Reading.of(rules(start(script=script, **options)), language)
        tried += check_votes(options, script, reading)
    assert tried > 500


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("guilty", [1, 2])
def test_a_reader_predicts_every_vote_of_a_match_in_which_a_player_never_votes(
    language: Language, guilty: int
) -> None:
    script = replace(case(SEATS, SEATS[-guilty:]), language=language)
    tried = 0
    for options in combinations()[:: 5 if language == "en" else 13]:
        silent: dict[str, Any] = {**options, "silent": ("murderer",)}
        reading = Reading.of(rules(start(script=script, **silent)), language)
        assert ("some never vote" in reading.said) == (options["electorate"] == "all")
        tried += check_votes(silent, script, reading)
    assert tried > 100


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_rules_say_each_thing_once(language: Language) -> None:
    script = replace(case(), language=language)
    for options in combinations():
        said = Reading.of(rules(start(script=script, **options)), language).said
        kinds = [one.partition(":")[0] for one in said]
        assert sum(one.startswith(ACCUSED) for one in said) == 1, options
        assert kinds.count("nobody") == 1, options
        assert kinds.count("tie") == (options["quorum"] != "majority"), options
        assert kinds.count("then") == (options["tie"] == "revote"), options
        assert ("for oneself" in said) == options["self_vote"]
        assert ("all but the murderer vote" in said) == (options["electorate"] == "civilians")
        counts = options["quorum"] != "plurality" and options["base"] == "eligible"
        assert ("abstention counts" in said) == counts, options


@pytest.mark.parametrize("options", [{}, {"electorate": "civilians"}, {"silent": ("murderer",)}])
@pytest.mark.parametrize("tie", get_args(Tie))
def test_who_voted_for_whom_is_told_where_the_rules_say_so(
    tie: Tie, options: dict[str, Any]
) -> None:
    state = start(tie=tie, **options)
    ended = vote(until(state, "vote"), {})
    [tally] = events_of(ended, VotesTallied)
    assert bool(tally.ballots) == ("told" in Reading.of(rules(state), "en").said)
    assert bool(tally.ballots) == (tie != "revote" or not options), "a silent seat stays hidden"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_secrecy_of_votes_is_told_as_it_is(language: Language) -> None:
    script = replace(case(), language=language)

    def said(**options: Any) -> frozenset[str]:
        return Reading.of(rules(start(script=script, **options)), language).said

    assert {"secret", "told"} <= said()
    assert "open" not in said()
    assert "open" in said(vote="open")
    assert not {"secret", "told"} & said(vote="open")
    assert {"secret", "told"} <= said(vote="open", silent=("murderer",))
    assert "reason" in said(vote_with_reason=True)
    assert "reason" not in said()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_value_of_an_option_that_seats_must_know_changes_the_rules(
    language: Language,
) -> None:
    script = replace(case(), language=language)
    hints = get_type_hints(WhodunitOptions)
    for name in ("introductions", "clues", "answers", "reasoning", "vote", "electorate"):
        texts = {rules(start(script=script, **{name: one})) for one in get_args(hints[name])}
        assert len(texts) == len(get_args(hints[name])), name
    assert len({rules(start(script=script, rounds=number)) for number in (1, 2, 3)}) == 3
    assert len({rules(start(script=script, self_vote=own)) for own in (True, False)}) == 2


def test_the_rules_are_the_same_for_every_seat_and_script() -> None:
    several: list[dict[str, Any]] = [{}, {"clues": "owner"}, {"vote": "open", "tie": "revote"}]
    for options in several:
        found = {
            WHODUNIT.texts(observe(start(script=script, **options), SeatId(seat))).rules()
            for script in (case(), case(culprits=NAMES[1:3]), case(NAMES[:4], NAMES[:1]))
            for seat in script.names
        }
        assert len(found) == 1


def test_what_is_declared_of_the_case_is_told_to_every_seat() -> None:
    plain = WHODUNIT.texts(observe(start(), SeatId(SEATS[0]))).case()
    assert plain == ""
    script = replace(case(), innocents_truthful=True, victims=("Otto", "Ines"))
    for seat in NAMES:
        told = WHODUNIT.texts(observe(start(script=script), SeatId(seat))).case()
        assert "The private scripts of the innocent are true" in told
        assert "Otto, Ines" in told
