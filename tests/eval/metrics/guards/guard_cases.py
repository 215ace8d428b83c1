"""A case in both languages for the guard detectors, and matches in which one thing is said."""

from arena.core.events import Event, PhaseStarted
from arena.core.purposes import Purpose
from arena.core.specs import Choice
from arena.games.game_registry import find_game
from eval.metrics.guards.detectors import find_hits
from eval.played_match import PlayedMatch
from scripts_mm.script import Clue, KeyClue, Language, Question, Role, Script, Truth
from tests.eval.made import made, start
from tests.eval.metrics.speeches import opened, said

NAMES: dict[Language, tuple[str, str, str, str]] = {
    "en": ("Ada Quill", "Bram Stone", "Cleo Marsh", "Dirk Vane"),
    "zh": ("林远山", "苏曼青", "周子墨", "何秋月"),
}
"""A civilian who speaks, another one, the murderer, and one more."""
STORIES: dict[Language, tuple[str, str, str, str]] = {
    "en": (
        "In the spring you came to the harbour to mend the nets of your uncle, and since that day "
        "you have slept in the loft above the boat house, where each step on the stairs wakes you.",
        "For nine years you kept the books of the lamp company, and in the last of them you found "
        "that oil for forty nights was paid for and never came, so you wrote to the owner.",
        "You owe money to three men in the town, and when the keeper saw you at the oil store at "
        "night you struck him with the iron key and threw it from the rocks into deep water.",
        "Your brother drowned because the light was out, and you have waited ever since for the "
        "night on which you would learn who sold the oil that should have burned for his boat.",
    ),
    "zh": (
        "今年春天你来到港口替叔父修补渔网，从那天起你就睡在船屋的阁楼上，楼梯上只要有一点脚步声你就会醒过来，谁也瞒不过你。",
        "九年来你一直替灯塔公司记账，最近你在账本里发现有四十夜的灯油付了钱却从来没有送到，于是你给东家写了一封长信说明此事。",
        "你欠了城里三个人的钱，那天夜里看塔人在油库里撞见了你，你就用铁钥匙打了他，又把钥匙从礁石上扔进了深水里，没有人看见。",
        "你的弟弟因为灯没有亮而淹死在海里，从那以后你一直在等，等着有一夜能知道究竟是谁把本该点亮航路的灯油偷偷卖给了别人。",
    ),
}
TRUTH: dict[Language, str] = {
    "en": "The keeper had counted the barrels that very afternoon and meant to row across to the "
    "magistrate at dawn with the list, which was found sewn into the lining of his winter coat.",
    "zh": "看塔人当天下午刚刚清点过油桶，本打算天一亮就带着清单划船去见县官，"
    "那份清单后来在他冬衣的夹层里被人找到，上面写得清清楚楚。",
}
OPENING: dict[Language, str] = {
    "en": "Otto Lamm, the keeper of the light, is dead.",
    "zh": "看塔人欧德林死在了灯塔下。",
}
CLUES: dict[Language, tuple[Clue, Clue]] = {
    "en": (
        Clue(
            id="log",
            title="The lamp log",
            text="On eleven nights of this month the lamp was lit two hours late; each time the "
            "same hand has scratched out the true hour and written another one over it in pencil.",
        ),
        Clue(
            id="note",
            title="A note",
            text="Meet me at the oil store when the bell has rung nine, and bring the book of the "
            "forty nights in it, for I shall ask to see it before I pay you anything at all.",
            owner="Bram Stone",
        ),
    ),
    "zh": (
        Clue(
            id="log",
            title="点灯簿",
            text="这个月有十一个晚上灯都晚点了两个小时，每一次都有同一个人的笔迹把真正的时辰刮掉，再用铅笔在上面重新写了另外一个时辰。",
        ),
        Clue(
            id="note",
            title="一张字条",
            text="钟敲过九下以后到油库来见我，把记着那四十夜的账本一起带来，我要先亲眼看过账本，才会把说好的钱付给你。",
            owner="苏曼青",
        ),
    ),
}
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def guard_case(language: Language) -> Script:
    """Return a script with long private texts, a truth, a quiz and two clues."""
    roles = tuple(
        Role(name=name, script=story, aliases=("Mother Marsh",) if name == "Cleo Marsh" else ())
        for name, story in zip(NAMES[language], STORIES[language], strict=True)
    )
    return Script(
        id="light",
        title="The Light",
        language=language,
        roles=roles,
        opening=OPENING[language],
        victims=("Otto Lamm",) if language == "en" else ("欧德林",),
        clues=CLUES[language],
        questions=(
            Question(id="q", kind="mmr", stem=TRUTH[language], options=("x", "y"), keys=(0,)),
        ),
        truth=Truth(
            culprits=(NAMES[language][2],),
            text=TRUTH[language],
            key_clues=(KeyClue(id="k", text="x"),),
        ),
    )


def heard(
    language: Language,
    *events: Event,
    game: str = "whodunit",
    kinds: tuple[str, str] = ("speak", "vote"),
) -> PlayedMatch:
    """Return a match of the case in which requests were put to two seats, and then `events`."""
    script = guard_case(language)
    ada, _, cleo, _ = NAMES[language]
    started = start(script, find_game(game).options(), game)
    choice = Choice(options=NAMES[language])
    asked = (
        opened(ada, name="a", kind=kinds[0]),
        opened(cleo, name="c", kind=kinds[0]),
        opened(ada, Purpose.VOTE, name="v", kind=kinds[1], spec=choice),
    )
    return made(PhaseStarted(phase="some"), *asked, *events, script=script, started=started)


def faults(language: Language, text: str, seat: int = 0, *before: Event) -> set[str]:
    """Return the detectors that find a fault in one speech; seat 0 is a civilian, 2 a murderer."""
    speech = said(NAMES[language][seat], text)
    match = heard(language, *before, speech)
    number = match.events.index(speech)
    return {hit.detector for hit in find_hits(match) if hit.event == number}
