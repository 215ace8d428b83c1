"""MIRAGE's judged indexes: abilities, ICI and SCI, from judgements of a seat.

A judgement `MIRAGE_RP`, `MIRAGE_RA`, `MIRAGE_CC`, `MIRAGE_DO` or `MIRAGE_CT` has the rating 0..20
as its value. A judgement `MIRAGE_RL` has the judge's reconstruction of the script part `about` as
its text.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from arena.core.seats import SeatId
from eval.metrics.judgements import Judgement, no_scores
from eval.metrics.similarity import rouge_l
from eval.metrics.text_tokens import word_tokens
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score
from scripts_mm.script import PART_NAMES

ABILITIES = ("RP", "RA", "CC", "DO", "CT")
"""Role-play; reasoning and analysis; communication and cooperation; detail observation; creative
thinking."""
MOST = 20
"""The highest rating of an ability."""
PREFIX = "MIRAGE_"


def ici(ra: float | None, cc: float | None, do: float | None, ct: float | None) -> float | None:
    """Return the interactivity capability index `(RA + CC + DO + CT)/80 x 100`.

    Ratings 0..20, range 0..100; None if a rating is missing (MIRAGE Table 23).
    """
    known = [one for one in (ra, cc, do, ct) if one is not None]
    return 100 * sum(known) / (4 * MOST) if len(known) == 4 else None  # noqa: PLR2004 - abilities


def sci(rp: float | None, rouge: float | None) -> float | None:
    """Return the script compliance index `(RP/20 x 100 + RL)/2` from RP 0..20 and RL 0..1.

    Range 0..100; None if a half is missing (MIRAGE section 2.4).
    """
    return None if rp is None or rouge is None else (100 * rp / MOST + 100 * rouge) / 2


def reconstruction(parts: Mapping[str, str], rebuilt: Mapping[str, str]) -> float | None:
    """Return RL, 0..1: the mean ROUGE-L of script parts and their reconstructions.

    Empty parts are omitted, a missing reconstruction scores 0; None without any part (MIRAGE Table
    24).
    """
    asked = {name: held for name, text in parts.items() if (held := word_tokens(text))}
    if not asked:
        return None
    return fmean(rouge_l(word_tokens(rebuilt.get(name, "")), held) for name, held in asked.items())


def script_parts(match: PlayedMatch, seat: SeatId) -> Mapping[str, str]:
    """Return the parts of a seat's private script, each joined over all stages."""
    parts = match.script.role(seat).parts
    return {
        name: "\n".join(part.text for part in parts if part.name == name) for name in PART_NAMES
    }


def score_mirage(match: PlayedMatch, judgements: Sequence[Judgement]) -> Iterator[Score]:
    """Yield abilities, ICI, SCI and its halves for each judged seat and judge."""
    for seat in match.started.seats:
        of_seat = [one for one in judgements if one.seat == seat and one.metric.startswith(PREFIX)]
        for judge in dict.fromkeys(one.judge for one in of_seat):
            own = [one for one in of_seat if one.judge == judge]
            for name, value in _indexes(match, seat, own).items():
                yield make_score(match, name, value=value, seat=seat, judge=judge)


def _indexes(
    match: PlayedMatch, seat: SeatId, judgements: Sequence[Judgement]
) -> Mapping[str, float | None]:
    rated = {one.metric.removeprefix(PREFIX): _legal(one.value) for one in judgements}
    rebuilt = {one.about: one.text for one in judgements if one.metric == f"{PREFIX}RL"}
    indexes = {f"{PREFIX}{name}": rated[name] for name in ABILITIES if name in rated}
    if set(ABILITIES[1:]) & set(rated):
        indexes["ICI"] = ici(*(rated.get(name) for name in ABILITIES[1:]))
    if rebuilt:
        half = reconstruction(script_parts(match, seat), rebuilt)
        indexes[f"{PREFIX}RL"] = None if half is None else 100 * half
        indexes["SCI"] = sci(rated.get("RP"), half)
    return indexes


def _legal(value: float | None) -> float | None:
    return value if value is not None and 0 <= value <= MOST else None


def _metric(name: str, source: str, english: str, chinese: str, high: float) -> Metric:
    return Metric(
        name=name,
        source=f"MIRAGE {source}",
        meaning={"en": english, "zh": chinese},
        high=high,
        measure=no_scores,
    )


_INDEX = 100.0
METRICS: tuple[Metric, ...] = (
    _metric("MIRAGE_RP", "Table 23", "Role-play, 0 to 20.", "角色扮演，0至20分。", MOST),
    _metric(
        "MIRAGE_RA",
        "Table 23",
        "Reasoning and analysis, 0 to 20.",
        "推理分析，0至20分。",
        MOST,
    ),
    _metric(
        "MIRAGE_CC",
        "Table 23",
        "Communication and cooperation, 0 to 20.",
        "沟通协作，0至20分。",
        MOST,
    ),
    _metric(
        "MIRAGE_DO",
        "Table 23",
        "Detail observation, 0 to 20.",
        "细节观察，0至20分。",
        MOST,
    ),
    _metric(
        "MIRAGE_CT",
        "Table 23",
        "Creative thinking, 0 to 20.",
        "创造性思维，0至20分。",
        MOST,
    ),
    _metric(
        "ICI",
        "App. B.3",
        "Interactivity: mean of the four abilities without role-play, 0 to 100.",
        "互动能力指数：除角色扮演外四项能力的均值，0至100。",
        _INDEX,
    ),
    _metric(
        "MIRAGE_RL",
        "section 2.4",
        "ROUGE-L of the private script and a judge's reconstruction from its play, 0 to 100.",
        "评判者由其行为还原剧本的程度：ROUGE-L，0至100。",
        _INDEX,
    ),
    _metric(
        "SCI",
        "section 2.4",
        "Script compliance: mean of role-play and of the reconstructed script, 0 to 100.",
        "剧本遵从指数：角色扮演与剧本还原的均值，0至100。",
        _INDEX,
    ),
)
