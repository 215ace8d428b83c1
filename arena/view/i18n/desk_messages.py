"""Messages to a person at a seat, in English and Chinese."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arena.core.purposes import (
    ASK_VARIANT,
    INVESTIGATE_VARIANT,
    OVER_VARIANT,
    PLACE,
    QUESTION,
    SKIP_VARIANT,
    STATEMENT,
    TALK_VARIANT,
    TARGET,
    VICTIM,
)
from arena.core.specs import CHOICE, TEXT
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskMessages:
    """Messages of one language; the caller fills in `{name}` values."""

    heads: Mapping[str, str]
    """Headings: `you`, `rules`, `case`, `script`, `stage`, `role`, `seen`, `log`, `turn`."""
    names: Mapping[str, str]
    """Values and variants that the game does not name."""
    help: Mapping[str, str]
    """Description of each command."""
    hint: str
    """Line below the input."""
    intro: str
    """Introduction, shown once before the first event."""
    given: str
    resumed: str
    ways: str
    option: str
    option_named: str
    """Prompt for one of the options listed above."""
    optional: str
    no_option: str
    no_number: str
    several: str
    empty: str
    too_long: str
    refused: str
    no_command: str
    nothing: str
    time: str
    time_over: str
    left: str
    not_started: str


_EN = DeskMessages(
    heads=MappingProxyType(
        {
            "you": "you are",
            "rules": "The rules",
            "case": "The case",
            "script": "Your script (only you see it)",
            "stage": "Your script, part {n} (only you see it)",
            "role": "Your role (only you see it)",
            "seen": "The clues you have seen",
            "log": "What has happened so far",
            "turn": "Your turn: {act}",
        }
    ),
    names=MappingProxyType(
        {
            TEXT: "Your words",
            CHOICE: "Your choice",
            TARGET: "To",
            QUESTION: "Question",
            STATEMENT: "Statement",
            PLACE: "Place",
            VICTIM: "Victim",
            ASK_VARIANT: "ask a question",
            INVESTIGATE_VARIANT: "look for a clue",
            TALK_VARIANT: "say something",
            SKIP_VARIANT: "say nothing this time",
            OVER_VARIANT: "stop speaking",
        }
    ),
    help=MappingProxyType(
        {
            "/script": "your role and your script",
            "/log": "everything you have heard and seen",
            "/clues": "the clues you have seen, with the files of their pictures",
            "/leave": "leave the match; you can continue it later",
            "/help": "this list",
        }
    ),
    hint="/script  /log  /clues  /leave  /help",
    intro=(
        "You play {seat}. You see only what your seat may know. Speak as your role; what the "
        "others say may be false. At any prompt: /script, /log, /clues, /leave, /help. To say "
        "something that begins with a slash, type two."
    ),
    given="Your answer is in; the others are still deciding.",
    resumed="The match continues where you left it.",
    ways="What do you want to do?",
    option="a number from 1 to {n}",
    option_named="one of: {options}",
    optional="optional, press Enter to leave it out",
    no_option="{text!r} is not one of the options; enter {wanted}.",
    no_number="Enter {wanted}.",
    several="{text!r} can mean {names}.",
    empty="You must say something here.",
    too_long="That is {over} characters too long; the limit is {limit}. Shorten it.",
    refused="This answer is not legal: {error}. Try again.",
    no_command="There is no command {text!r}; /help lists them.",
    nothing="Nothing yet.",
    time="time left {time}",
    time_over="Time is up.",
    left="you have left the match, and all of it is saved; continue with `{command}`",
    not_started="you left before the match began, and nothing was saved",
)
_ZH = DeskMessages(
    heads=MappingProxyType(
        {
            "you": "你扮演",
            "rules": "规则",
            "case": "案情",
            "script": "你的剧本（只有你能看到）",
            "stage": "你的剧本，第 {n} 部分（只有你能看到）",
            "role": "你的身份（只有你能看到）",
            "seen": "你看过的线索",
            "log": "到目前为止的经过",
            "turn": "轮到你了：{act}",
        }
    ),
    names=MappingProxyType(
        {
            TEXT: "你要说的话",
            CHOICE: "你的选择",
            TARGET: "对谁",
            QUESTION: "问题",
            STATEMENT: "陈述",
            PLACE: "地点",
            VICTIM: "死者",
            ASK_VARIANT: "提问",
            INVESTIGATE_VARIANT: "搜查线索",
            TALK_VARIANT: "发言",
            SKIP_VARIANT: "这次不说话",
            OVER_VARIANT: "没有别的要说了",
        }
    ),
    help=MappingProxyType(
        {
            "/script": "你的身份和剧本",
            "/log": "你听到、看到的一切",
            "/clues": "你看过的线索，以及图片文件的位置",
            "/leave": "离开对局，以后可以接着玩",
            "/help": "显示这份说明",
        }
    ),
    hint="/script  /log  /clues  /leave  /help",
    intro=(
        "你扮演{seat}。你只能看到这个座位可以知道的内容。请以角色的身份说话；"
        "别人说的话不一定是真的。任何时候都可以输入 /script、/log、/clues、/leave、/help。"
        "要说的话若以斜杠开头，请输入两个斜杠。"
    ),
    given="你的回答已提交，其他人还在决定。",
    resumed="对局从你离开的地方继续。",
    ways="你想做什么？",
    option="1 到 {n} 的数字",
    option_named="其中之一：{options}",
    optional="可不填，按回车跳过",
    no_option="“{text}”不在选项之列，请输入：{wanted}。",
    no_number="请输入：{wanted}。",
    several="“{text}”可能指：{names}。",
    empty="这里必须说点什么。",
    too_long="超出 {over} 个字符，最多 {limit} 个，请删短。",
    refused="这个回答不合规则：{error}。请重新回答。",
    no_command="没有 {text} 这个命令，输入 /help 查看。",
    nothing="还没有。",
    time="剩余时间 {time}",
    time_over="时间到了。",
    left="你离开了对局，一切都已保存；用 `{command}` 接着玩",
    not_started="你在对局开始前离开了，没有保存任何内容",
)
DESK_MESSAGES: Mapping[Language, DeskMessages] = MappingProxyType({"en": _EN, "zh": _ZH})
"""Messages by language."""
