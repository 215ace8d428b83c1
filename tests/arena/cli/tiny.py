"""Two tiny invented cases, and matches of them with fixed answers."""

import io
from collections.abc import Callable
from dataclasses import replace

from rich.console import Console

from arena.cli.console.screens import open_screen
from arena.cli.console.transcript import Transcript
from arena.cli.rendering.render_context import ViewOptions
from arena.core.actions import Action, Reply, Skip, choose, fill, say
from arena.core.events import Event
from arena.core.options import GameOptions
from arena.core.requests import DecisionRequest
from arena.core.specs import TEXT, Choice, Field, spec_fields, variants
from arena.core.transitions import MatchSetup
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import CallId, Completion, Message, Request
from arena.records.match_summary import MatchSummary
from scripts_mm.script import Clue, Language, Picture, Role, Script, Truth
from tests.table import begin
from tests.table import play as play_on

Answer = Callable[[DecisionRequest], Action | None]
"""None: no answer in time."""


def picture(file: str, letter: str, *, text: bool, said: str = "") -> Picture:
    return Picture(
        sha256=letter * 64,
        file=file,
        mime="image/png",
        width=640,
        height=480,
        kind="text" if text else "media",
        transcript=said if text else "",
        description="" if text else said,
    )


LAMP = Script(
    id="lamp-room",
    title="The Lamp Room",
    language="en",
    opening=(
        "The keeper of the lighthouse lies dead below his own lamp. The storm has closed the "
        "causeway, and four people have spent the night on the rock."
    ),
    roles=tuple(
        Role(name=name, script=f"The story of {name}.")
        for name in ("Ada Vale", "Bram Finch", "Cora Lund", "Dov Marsh")
    ),
    clues=(
        Clue(
            id="letter",
            title="A letter in the stove",
            text="Half burnt; the hand is the keeper's.",
            pictures=(
                picture("letter.png", "a", text=True, said="I know what you sold. B. must answer."),
            ),
        ),
        Clue(
            id="plan",
            title="Plan of the rock",
            pictures=(picture("plan.png", "b", text=False, said="Boathouse north, tower south."),),
        ),
        Clue(id="clock", title="The stopped clock", text="It stands at ten past two."),
        Clue(id="oar", title="A wet oar", text="In your own hand.", owner="Bram Finch"),
        Clue(id="key", title="The spare key", text="You hold it.", owner="Cora Lund"),
        Clue(id="tin", title="A tobacco tin", text="Under the bed.", owner="Cora Lund"),
    ),
    truth=Truth(
        culprits=("Bram Finch",),
        text="Bram rowed round the rock at two, because the keeper knew of the sold oil.",
    ),
)

ISLAND = Script(
    id="deng-ta",
    title="灯塔之夜",
    language="zh",
    opening="守塔人死在自己的灯下。风暴淹没了堤道，四个人整夜都困在礁石上，谁也没有离开。",
    roles=tuple(
        Role(name=name, script=f"{name}的故事。") for name in ("顾明", "沈砚秋", "罗芷", "韩六")
    ),
    clues=(
        Clue(
            id="letter",
            title="炉中残信",
            text="烧去一半，是守塔人的笔迹。",
            pictures=(picture("信.png", "c", text=True, said="我知道你卖了什么。"),),
        ),
        Clue(id="oar", title="湿桨", text="在你手里。", owner="沈砚秋"),
    ),
    truth=Truth(culprits=("沈砚秋",), method="两点绕礁石划船。", motive="守塔人知道他卖了灯油。"),
)

LONG = (
    "I walked up from the boathouse when the bell had gone twice, and the wind took my lantern. "
    * 12
)

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "introduce": "I am {seat}, and I slept through most of it.",
        "share": "The clock stopped at ten past two, and nobody was in the kitchen then.",
        "speak": "I have told you all that I know.",
        "question": "Where were you at two?",
        "answer": "In bed, with the door locked.",
        "method": "A blow with an oar, from behind.",
        "motive": "The letter: somebody sold the oil.",
        "reason": "The oar was wet.",
    },
    "zh": {
        "introduce": "我是{seat}，昨晚我一直在睡觉，什么都没有听见，直到今天早上有人敲门。",
        "share": "钟停在两点十分，那时厨房里没有人；残信上写着“我知道你卖了什么”。",
        "speak": "我知道的都说了。",
        "question": "两点钟你在哪里？",
        "answer": "在床上，门锁着。",
        "method": "用桨从背后一击。",
        "motive": "信里说得很清楚：有人卖了灯油。",
        "reason": "桨是湿的。",
    },
}


def fixed(script: Script, **texts: str) -> Answer:
    """Return answers that never change; `texts` replaces those of the language."""
    words = WORDS[script.language] | texts

    def value(request: DecisionRequest, field: Field) -> str:
        if isinstance(field.spec, Choice):
            options = field.spec.options
            return next((name for name in script.names if name in options), options[0])
        text = words[request.kind if field.name == TEXT else field.name]
        return text.format(seat=request.seat)

    def answer(request: DecisionRequest) -> Action:
        [variant] = variants(request.spec)
        fields = spec_fields(variant.spec)
        return Reply(values=tuple((field.name, value(request, field)) for field in fields))

    return answer


def lively(request: DecisionRequest) -> Action:
    """Play the lamp room with a long speech, a refused answer, a silence and an abstention."""
    match request.kind, request.seat:
        case "introduce", "Cora Lund":
            return say(LONG)
        case "share_and_ask", "Dov Marsh":
            target = "Nobody Known" if request.attempts_left > 1 else "Bram Finch"
            return fill(share="I heard the boathouse door.", target=target, question="You?")
        case "answer", "Bram Finch":
            return say("" if request.context_value("asker") == "Dov Marsh" else "I was in bed.")
        case "vote", seat:
            votes = {"Ada Vale": "Bram Finch", "Cora Lund": "Bram Finch", "Bram Finch": "Ada Vale"}
            return choose(votes[seat]) if seat in votes else Skip()
        case _:
            answer = fixed(LAMP)(request)
            assert answer is not None
            return answer


def play(
    script: Script = LAMP,
    answer: Answer | None = None,
    *,
    options: GameOptions | None = None,
    flags: tuple[str, ...] = (),
) -> tuple[Event, ...]:
    """Return the events of a whole match, of one round where no options are given."""
    setup = MatchSetup(
        script=script,
        script_sha256="0" * 64,
        options=options or WhodunitOptions(rounds=1),
        seed=7,
        civilians="qwen+direct",
        murderer="naive",
        civilians_served="standin-qwen2.5-vl",
        flags=flags,
    )
    return play_on(begin(setup), answer or fixed(script)).history


def paper(width: int) -> tuple[Console, io.StringIO]:
    """Return a console that is no terminal, and what it writes to."""
    stream = io.StringIO()
    return open_screen(stream, width=width, env={}), stream


def shown(
    events: tuple[Event, ...],
    script: Script = LAMP,
    *,
    width: int = 80,
    view: ViewOptions | None = None,
) -> str:
    """Return a transcript as text."""
    console, stream = paper(width)
    Transcript(console, view).play("m1", script, events)
    return stream.getvalue()


def summary(**changes: object) -> MatchSummary:
    """Return the row of an invented match."""
    row = MatchSummary(
        match="m0001",
        script="lamp-room",
        game="whodunit",
        civilians="qwen+direct",
        murderer="naive",
        model_served={"civilians": "standin-qwen2.5-vl", "murderer": "naive"},
        outcome="civ_win",
        votes={"Ada Vale": "Bram Finch", "Cora Lund": "Bram Finch", "Dov Marsh": "abstain"},
        truth=("Bram Finch",),
        turns=17,
        rejected=1,
        prompt_tokens=81234,
        cached_tokens=61002,
        output_tokens=1240,
        seconds=61.2,
        record="runs/2031-night/matches/m0001",
        forfeit_seat=None,
        error_cause="",
        seed=7,
        language="en",
        run="2031-night",
        events=60,
    )
    return replace(row, **changes)  # pyright: ignore[reportArgumentType]


def call(
    seat: str = "Ada Vale", *, request: str = "introduce", cached: int | None = 60, attempt: int = 1
) -> tuple[Request, Completion]:
    """Return an invented call: 100 tokens in, 10 out, 2 seconds."""
    asked = Request(
        call_id=CallId(seat=seat, request=f"{request}/{seat}", attempt=attempt),
        messages=(Message(role="user", text="Introduce yourself."),),
        max_tokens=64,
        temperature=0.7,
    )
    completion = Completion(
        text="Hm.",
        finish="stop",
        prompt_tokens=100,
        output_tokens=10,
        cached_tokens=cached,
        seconds=2.0,
    )
    return asked, completion
