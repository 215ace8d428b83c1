"""The few words that pages have beside those of `arena.view.i18n`, by key and language."""

from collections.abc import Mapping
from types import MappingProxyType

from scripts_mm.script import Language

_EN = {
    "skip": "To the content",
    "runs": "Runs",
    "run": "Run",
    "pair": "Civilians : murderer",
    "game": "Game",
    "progress": "Matches finished",
    "none": "There is no run in this folder.",
    "match": "Match",
    "state": "State",
    "open": "being played, or broken off",
    "planned": "planned",
    "live": "The match is being played; what happens appears here.",
    "fault": "This cannot be shown",
    "player": "Replay",
    "first": "To the beginning",
    "back": "One event back",
    "play": "Play or pause",
    "next": "One event on",
    "last": "To the end",
    "speed": "Speed",
    "search": "Search",
    "picture": "Picture",
    "close": "Close",
}
_ZH = {
    "skip": "跳到正文",
    "runs": "运行",
    "run": "运行",
    "pair": "平民 : 凶手",
    "game": "游戏",
    "progress": "已完成的对局",
    "none": "这个文件夹里没有运行。",
    "match": "对局",
    "state": "状态",
    "open": "进行中，或已中断",
    "planned": "未开始",
    "live": "对局正在进行，新内容会出现在这里。",
    "fault": "无法显示",
    "player": "回放",
    "first": "回到开头",
    "back": "后退一步",
    "play": "播放或暂停",
    "next": "前进一步",
    "last": "跳到结尾",
    "speed": "速度",
    "search": "搜索",
    "picture": "图片",
    "close": "关闭",
}
WORDS: Mapping[str, Mapping[Language, str]] = MappingProxyType(
    {key: {"en": text, "zh": _ZH[key]} for key, text in _EN.items()}
)
