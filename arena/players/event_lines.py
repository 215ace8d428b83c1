"""Lines of events: the game's text for an event, else the platform's."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from arena.core.actions import Values
from arena.core.events import (
    ClueRevealed,
    Event,
    QuestionAsked,
    Said,
    SeatEliminated,
    StageStarted,
    TurnSkipped,
    VoteCast,
    VotesTallied,
)
from arena.core.observation import ClueObservation, Observation
from arena.core.option_labels import list_options
from arena.core.quoting import defuse, quote
from arena.core.specs import ABSTAIN
from arena.games.game_registry import find_game
from arena.games.wording import Wording
from arena.models.chat import Message
from arena.players.wording import find_wording

ClueRenderer = Callable[[ClueObservation], tuple[Message, ...]]
"""Renders a clue: its text, then one message for each of its pictures."""


def event_messages(
    observation: Observation, number: int, show: ClueRenderer | None = None
) -> tuple[Message, ...]:
    """Return the messages for the event with index `number`, including the seat's own speech."""
    event = observation.events[number]
    if isinstance(event, ClueRevealed):
        clue = find_revealed_clues(observation).get(number)
        if clue is None:
            return ()
        return show(clue) if show else clue_messages(find_wording(observation.language), clue)
    line = find_game(observation.game).texts(observation).line(event)
    line = line or _write_line(observation, event)
    return (Message(role="user", text=line),) if line else ()


def find_revealed_clues(observation: Observation) -> Mapping[int, ClueObservation]:
    """Return the clue of each event that reveals one; a repeated clue has no pictures."""
    found: dict[int, ClueObservation] = {}
    seen: set[str] = set()
    clues = list(observation.clues)
    for number, event in enumerate(observation.events):
        if not isinstance(event, ClueRevealed):
            continue
        clue = next((one for one in clues if one.key == event.clue), None)
        if clue is not None:
            clues.remove(clue)
            found[number] = replace(clue, pictures=()) if clue.key in seen else clue
            seen.add(clue.key)
    return found


def clue_messages(say: Wording, clue: ClueObservation) -> tuple[Message, ...]:
    """Return a clue's text, then one message for each of its pictures."""
    title, text = quote(clue.title), defuse(clue.text)
    key = f"line.{'private_' if clue.private else ''}clue{'' if text else '_only'}"
    count = len(clue.pictures)
    return (
        Message(role="user", text=say(key, title=title, text=text)),
        *(
            Message(
                role="user",
                text=say("line.clue_picture", title=title, number=number, count=count),
                picture=picture,
            )
            for number, picture in enumerate(clue.pictures, start=1)
        ),
    )


def _write_line(observation: Observation, event: Event) -> str:
    """Return the platform's line for `event`; empty if it has none."""
    say = find_wording(observation.language)
    match event:
        case Said() | QuestionAsked() | VoteCast():
            return _write_act(say, observation, event)
        case VotesTallied():
            return "\n".join(_write_tally(say, observation, event))
        case TurnSkipped(seat=seat):
            return say("line.skipped", seat=seat)
        case SeatEliminated(seat=seat):
            return say("line.eliminated", seat=seat)
        case StageStarted():
            return _write_stage(say, observation, event)
        case _:
            return ""


def _write_stage(say: Wording, observation: Observation, event: StageStarted) -> str:
    """Return the seat's private script of a later stage; the role message has the first stage."""
    if event.stage == 1 or observation.role is None:
        return ""
    text = dict(observation.role.stages).get(event.stage, "")
    key = "line.stage" if text else "line.stage_unchanged"
    return say(key, stage=event.stage, text=defuse(text))


def _write_act(
    say: Wording, observation: Observation, event: Said | QuestionAsked | VoteCast
) -> str:
    match event:
        case Said():
            return _write_said(say, observation, event)
        case VoteCast():
            return _write_vote(say, observation, event)
        case QuestionAsked():
            text = say("line.text", text=quote(event.text))
            about = _write_about(say, event.about)
            key = _key(observation, event, "asked")
            return say(key, seat=event.seat, to=event.to, about=about, text=text)


def _key(observation: Observation, event: Said | QuestionAsked | VoteCast, name: str) -> str:
    own = observation.role is not None and event.seat == observation.seat
    return f"line.own_{name}" if own else f"line.{name}"


def _write_said(say: Wording, observation: Observation, event: Said) -> str:
    spoken: Values = tuple((name, text) for name, text in event.parts if text)
    if len(spoken) == 1:
        text = say("line.text", text=quote(spoken[0][1]))
    else:
        texts = find_game(observation.game).texts(observation)
        text = say("line.part_separator").join(
            say("line.part", name=texts.part_name(name), text=quote(part)) for name, part in spoken
        )
    key = _key(observation, event, "said" if event.to is None else "answered")
    return say(key, seat=event.seat, to=event.to, text=text)


def _write_vote(say: Wording, observation: Observation, event: VoteCast) -> str:
    key = _key(observation, event, "abstained" if event.choice == ABSTAIN else "voted")
    about = _write_about(say, event.about)
    return say(key, seat=event.seat, choice=event.choice, about=about)


def _write_tally(say: Wording, observation: Observation, event: VotesTallied) -> Iterator[str]:
    """Yield the line of the votes per candidate, and that of all ballots if they are public."""
    votes = list_options((f"{name} {n}" for name, n in event.votes), observation.language)
    about = _write_about(say, event.about)
    yield say("line.tallied", votes=votes or say("line.no_votes"), about=about)
    if event.ballots:
        ballots = (
            say("line.ballot_abstained" if choice == ABSTAIN else "line.ballot", seat=seat,
                choice=choice)
            for seat, choice in event.ballots
        )  # fmt: skip
        yield say("line.all_ballots", ballots=list_options(ballots, observation.language))


def _write_about(say: Wording, about: str) -> str:
    return say("line.about", about=quote(about)) if about else ""
