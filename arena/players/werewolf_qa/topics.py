"""The ten predefined questions, each by its topic."""

from typing import Final

from arena.core.quoting import quote
from arena.players.wording import find_method_wording
from scripts_mm.script import Language

WORDING: Final = "werewolf_qa"
TIMELINE: Final = "timeline"
TOPICS: Final = (
    TIMELINE,
    "relation",
    "last_seen",
    "enemies",
    "scene",
    "worries",
    "strange",
    "secrets",
    "things",
    "opinion",
)


def write_question(language: Language, topic: str, victim: str) -> str:
    """Return the predefined question on a topic, with the victim's name."""
    return find_method_wording(WORDING, language)(f"question.{topic}", victim=quote(victim))


def label_topics(language: Language) -> dict[str, str]:
    """Return the name of each topic in the language of the match, and the topic."""
    say = find_method_wording(WORDING, language)
    return {say(f"topic.{topic}"): topic for topic in TOPICS}
