"""Words and patterns by which questions and their possible answers are recognised."""

import re
from collections.abc import Mapping
from typing import Final, Literal

from scripts_mm.script import Language

Topic = Literal["guilt", "other", "last_seen", "alibi", "hidden", "reason", "relation", "known"]
"""What a question is about."""
Patterns = Mapping[Language, re.Pattern[str]]
TOPICS: Final[Mapping[Language, Mapping[Topic, re.Pattern[str]]]] = {
    "en": {
        "last_seen": re.compile(r"\blast (?:see|saw|seen|meet|met|sp[eo]ak)\b|\balive\b", re.I),
        "alibi": re.compile(
            r"\bwhere were you\b|\balibi\b|\bwhat were you doing\b|\bwho was with you\b|"
            r"\bconfirm where\b", re.I,
        ),
        "hidden": re.compile(
            r"\bhiding\b|\bhide\b|\bnot told us\b|\btelling us everything\b|\bsecrets?\b", re.I
        ),
        "reason": re.compile(r"\breasons? to\b|\bmotives?\b", re.I),
        "relation": re.compile(
            r"\bstand with\b|\bbetween you and\b|\bhad you against\b|\brelation", re.I
        ),
        "known": re.compile(r"\bwhat (?:else )?do you know\b|\bwhat did you see\b", re.I),
    },
    "zh": {
        "last_seen": re.compile(r"最后.{0,4}见|活着"),
        "alibi": re.compile(r"在哪|不在场|什么地方|在做什么|在干什么|跟你在一起"),
        "hidden": re.compile(r"瞒|隐藏|没说的|都说了吗|秘密"),
        "reason": re.compile(r"理由|动机"),
        "relation": re.compile(r"过节|关系|不满|恩怨"),
        "known": re.compile(r"你知道.{0,4}什么|是你知道而|你看见了什么|还有什么"),
    },
}  # fmt: skip
OWN: Final[Patterns] = {
    "en": re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b"),
    "zh": re.compile("[我咱]"),
}
"""The first person."""
ENTRY_ZH: Final = re.compile(r"[^，。 ]{0,6}(?:\d\d|[点分刻半])[，,]? ?(.{1,6})")
"""An entry of a time-table: the time, then its first words."""
DEAD: Final[Patterns] = {
    "en": re.compile(r"\b(?:dead|died?|killed|found|body|corpse|murdered)\b"),
    "zh": re.compile(r"死|尸|被杀|发现|人没了|遇害"),
}
UNSETTLED: Final[Patterns] = {
    "en": re.compile(r"\bwho(?:ever)?\b|\bwhose\b|\bwhy\b", re.I),
    "zh": re.compile(r"谁|为什么"),
}
"""What is still in question."""
FILED: Final[Patterns] = {
    "en": re.compile(
        r"(?:Exhibit|File|Taken (?:into|down)|Came by post|Laid before|Belongs to file|"
        r"Handed in|Sent|Secured|Photographed|Recorded|Asked for|"
        r"Picked up|From the (?:papers|photographs))\b(?:(?!: ).)*"
    ),
    "zh": re.compile(r"（[^）]*）|[^，。：]*(?:卷宗|拍摄|所摄|交来|送来|记录本|笔录)。"),
}
"""A whole sentence that only says how a clue came into the file."""
KNOWING: Final[Patterns] = {
    "en": re.compile(r"\bI (?:\w+ )?(?:know|noticed?|saw|heard|learn(?:ed|t)|swear)\b[^:]*:"),
    "zh": re.compile(r"(?:我.{0,6}(?:知道|晓得|留意|看见|听见|听说|清楚|敢)|用得着)[^：]*："),
}
"""An announcement of what the speaker knows."""
DAY: Final[Patterns] = {
    "en": re.compile(
        r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|yesterday|today|tonight|"
        r"this (?:morning|afternoon|evening)|last (?:night|time))\b", re.I,
    ),
    "zh": re.compile(r"星期|礼拜|昨[天晚]|今[天晚早]|前天|[上下]午|早上|晚上|傍晚|中午"),
}  # fmt: skip
LASTING: Final[Patterns] = {
    "en": re.compile(
        r"\bI\b.*\b(?:throughout|all (?:evening|night)|the whole (?:time|evening|night))\b"
    ),
    "zh": re.compile(r"我.*(?:一直|没有?离开|整[晚夜])"),
}
SECRET_HEADING: Final[Patterns] = {
    "en": re.compile(
        r"\b(?:secrets?|hide|hiding|conceal|keep to yourself|not volunteer|nobody is to hear)\b",
        re.I,
    ),
    "zh": re.compile(r"秘密|瞒|藏|亏心|窟窿|不会自己说|谁也不能听见"),
}
SECRET: Final[Patterns] = {
    "en": re.compile(
        r"\b(?:secret\w*|hid\w*|lied?|lying|nobody (?:else )?knows?|told nobody|have told nobody|"
        r"told the constable|not told|never told|sold|stole\w*|"
        r"took (?:money|\w+ (?:hundred|thousand|pounds|crowns))|forged?|false|pretend\w*|"
        r"sworn|ashamed|afraid|comes? out|burn\w*|debts?|ow(?:e|ed)|blackmail\w*|cheat\w*|"
        r"said nothing)\b", re.I,
    ),
    "zh": re.compile(
        r"瞒|骗|偷|假的|谎|没告诉|没有告诉|谁也没|没人知道|不敢说|不肯说|藏|债|欠|秘密|没说|没有说|说穿|说破|"
        r"露馅|冒名|私下|烧掉|烧了"
    ),
}  # fmt: skip
