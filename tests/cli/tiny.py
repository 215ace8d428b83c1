"""Two tiny invented cases, and matches of them with fixed answers."""

import io
from collections.abc import Callable
from dataclasses import replace

from rich.console import Console

from arena.cli.console.streams import screen
from arena.cli.rendering.context import ViewOptions
from arena.cli.console.transcript import Transcript
from arena.core.actions import Action, Ask, Choose, Conclude, Decline, SeatId, ShareAndAsk, Speak
from arena.core.asking import asks
from arena.core.events import Event
from arena.core.options import Options
from arena.core.rules import Setup, decide, open_match
from arena.core.state import MatchState, fold
from arena.models.chat import CallId, Completion, Message, Request
from arena.records.summary import MatchSummary
from scripts_mm.script import Clue, Language, Picture, Role, Script, Truth

Answer = Callable[[Ask], Action]


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
        "ask": "Where were you at two?",
        "answer": "In bed, with the door locked.",
        "method": "A blow with an oar, from behind.",
        "motive": "The letter: somebody sold the oil.",
        "reason": "The oar was wet.",
    },
    "zh": {
        "introduce": "我是{seat}，昨晚我一直在睡觉，什么都没有听见，直到今天早上有人敲门。",
        "share": "钟停在两点十分，那时厨房里没有人；残信上写着“我知道你卖了什么”。",
        "ask": "两点钟你在哪里？",
        "answer": "在床上，门锁着。",
        "method": "用桨从背后一击。",
        "motive": "信里说得很清楚：有人卖了灯油。",
        "reason": "桨是湿的。",
    },
}


def fixed(script: Script, **texts: str) -> Answer:
    """Return answers that never change; `texts` replaces those of the language."""
    words = WORDS[script.language] | texts

    def answer(ask: Ask) -> Action:
        match ask.verb:
            case "introduce" | "speak":
                return Speak(text=words["introduce"].format(seat=ask.seat))
            case "answer":
                return Speak(text=words["answer"])
            case "share_and_ask" | "ask":
                target = SeatId(ask.options[0])
                return ShareAndAsk(share=words["share"], target=target, question=words["ask"])
            case "conclude":
                return Conclude(method=words["method"], motive=words["motive"])
            case _:
                return Choose(option=ask.options[0], reason=words["reason"])

    return answer


def lively(ask: Ask) -> Action:
    """Play the lamp room with a long speech, a refused answer, a discard_output and an abstention."""
    if ask.verb == "introduce" and ask.seat == "Cora Lund":
        return Speak(text=LONG)
    if ask.verb == "share_and_ask" and ask.seat == "Dov Marsh":
        target = SeatId("Nobody Known" if ask.tries > 1 else "Bram Finch")
        return ShareAndAsk(share="I heard the boathouse door.", target=target, question="You?")
    if ask.verb == "answer" and ask.seat == "Bram Finch":
        return Speak(text="") if ask.asker == "Dov Marsh" else Speak(text="I was in bed.")
    if ask.verb == "vote":
        votes = {"Ada Vale": "Bram Finch", "Cora Lund": "Bram Finch", "Bram Finch": "Ada Vale"}
        return Choose(option=votes[ask.seat]) if ask.seat in votes else Decline()
    return fixed(LAMP)(ask)


def play(
    script: Script = LAMP,
    answer: Answer | None = None,
    *,
    options: Options | None = None,
    marks: tuple[str, ...] = (),
) -> tuple[Event, ...]:
    """Return the events of a whole match."""
    setup = Setup(
        script=script,
        script_sha256="0" * 64,
        options=options or Options(),
        seed=7,
        civilian_player="qwen+direct",
        murderer_player="naive",
        civilian_served="standin-qwen2.5-vl",
        marks=marks,
    )
    answer = answer or fixed(script)
    state = MatchState(script=script)
    for event in open_match(setup):
        state = fold(state, event)
    while state.closed is None:
        ask = asks(state)[0]
        for event in decide(state, ask, answer(ask)):
            state = fold(state, event)
    return state.history


def paper(width: int) -> tuple[Console, io.StringIO]:
    """Return a console that is no terminal, and what it writes to."""
    stream = io.StringIO()
    return screen(stream, width=width, env={}), stream


def shown(
    events: tuple[Event, ...], script: Script = LAMP, *, width: int = 80, look: ViewOptions | None = None
) -> str:
    """Return a transcript as text."""
    console, stream = paper(width)
    Transcript(console, look).play("m1", script, events)
    return stream.getvalue()


def summary(**changes: object) -> MatchSummary:
    """Return the row of an invented match."""
    row = MatchSummary(
        match="m0001",
        script="lamp-room",
        protocol="whodunit",
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
    seat: str = "Ada Vale", *, cached: int | None = 60, attempt: int = 1
) -> tuple[Request, Completion]:
    """Return an invented call: 100 tokens in, 10 out, 2 seconds."""
    request = Request(
        call_id=CallId(seat=seat, request=f"introduction-1/introduce/{seat}", attempt=attempt),
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
    return request, completion
