"""The design matrix of matches: connected components, and the strengths of each row."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from eval.ratings.rated_games import RatedGame, RatedOutcome, RatingOptions, StrengthKey, from_elo
from eval.stats.untyped import csgraph, sparse

Floats = NDArray[np.float64]
OUTCOMES: Final[Mapping[RatedOutcome, tuple[float, float, float]]] = {
    "civ_win": (1.0, 0.0, 0.0),
    "draw": (0.0, 1.0, 0.0),
    "murderer_win": (0.0, 0.0, 1.0),
}
HALF: Final = (0.5, 0.0, 0.5)
_STRENGTH_PRECISION: Final = 1 / 2**2
SCRIPT_PRECISION: Final = 1.0
"""The precision of the normal prior on a script's effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One connected set of contestants, as log-odds = rows @ parameters + offsets.

    The parameters are alpha, the free strengths, then the scripts.
    """

    free: tuple[StrengthKey, ...]
    fixed: Mapping[StrengthKey, float]
    scripts: tuple[str, ...]
    clusters: tuple[str, ...]
    script_clusters: NDArray[np.intp]
    """Per script, the index of its work in `clusters`."""
    rows: Any
    """Sparse matrix: cells x parameters."""
    offsets: Floats
    """Per cell: anchors and chance."""
    tallies: Any
    """Sparse matrix: clusters x (cells x 3), the sums of civ_win, draw, murderer_win."""
    precision: Floats
    """Parameters x parameters: the precision of the normal prior, without the scripts' part."""
    centre: Floats
    """The prior mean of each parameter."""
    half_draws: Floats
    """1 for each parameter that has half a draw against an anchor at its centre."""

    @property
    def strength_count(self) -> int:
        """The number of parameters without scripts: alpha and strengths."""
        return 1 + len(self.free)


def sides_of(game: RatedGame, options: RatingOptions) -> tuple[StrengthKey, StrengthKey]:
    """Return the two strengths that meet in `game`."""
    if options.single:
        return (game.civilians, "both"), (game.murderer, "both")
    return (game.civilians, "civilians"), (game.murderer, "murderer")


def split_components(
    games: Sequence[RatedGame], options: RatingOptions
) -> tuple[tuple[RatedGame, ...], ...]:
    """Return the games by connected set of strengths; anchors of one side are connected."""
    pairs = [sides_of(game, options) for game in games]
    names = _sort(one for pair in pairs for one in pair)
    links = [*pairs, *_anchor_links(names, options)]
    _, labels = csgraph.connected_components(_graph(names, links), directed=False)
    number = dict(zip(names, labels, strict=True))
    parts: dict[int, list[RatedGame]] = defaultdict(list)
    for game, (first, _) in zip(games, pairs, strict=True):
        parts[number[first]].append(game)
    return tuple(tuple(part) for part in parts.values())


def find_separated(games: Sequence[RatedGame], options: RatingOptions) -> frozenset[StrengthKey]:
    """Return the strengths without a finite fit: they only won or only lost against the rest.

    They are outside the largest strongly connected set of wins and draws (Ford 1957); all of them,
    if two sets are the largest.
    """
    wins: list[tuple[StrengthKey, StrengthKey]] = []
    for game in games:
        pair = sides_of(game, options)
        if game.outcome != "murderer_win":
            wins.append(pair)
        if game.outcome != "civ_win":
            wins.append((pair[1], pair[0]))
    names = _sort(one for game in games for one in sides_of(game, options))
    anchors = _anchor_links(names, options)
    graph = _graph(names, [*wins, *anchors, *((b, a) for a, b in anchors)])
    _, labels = csgraph.connected_components(graph, connection="strong")
    sizes = np.bincount(labels)
    largest = np.flatnonzero(sizes == sizes.max())
    main = largest[0] if len(largest) == 1 else None
    return frozenset(name for name, label in zip(names, labels, strict=True) if label != main)


def make_design(games: Sequence[RatedGame], options: RatingOptions) -> Design:
    """Return the design of one connected set of games."""
    names = _sort(one for game in games for one in sides_of(game, options))
    fixed = {one: from_elo(options.anchors[one[0]]) for one in names if one[0] in options.anchors}
    free = tuple(one for one in names if one not in fixed)
    scripts = tuple(sorted({game.script for game in games})) if options.scripts else ()
    clusters = tuple(sorted({game.work for game in games}))
    works = {game.script: game.work for game in games}
    cells = sorted({_cell(game, options) for game in games})
    ranked = 1 + len(free)
    column: dict[StrengthKey | str, int] = {one: 1 + i for i, one in enumerate(free)}
    column |= {script: ranked + i for i, script in enumerate(scripts)}
    rows: Any = sparse.lil_matrix((len(cells), ranked + len(scripts)))
    offsets = np.zeros(len(cells))
    for i, (civilians, murderer, script, offset) in enumerate(cells):
        rows[i, 0] = 1.0
        offsets[i] = offset + fixed.get(civilians, 0.0) - fixed.get(murderer, 0.0)
        for one, sign in ((civilians, 1.0), (murderer, -1.0)):
            if one in column:
                rows[i, column[one]] += sign
        if scripts:
            rows[i, column[script]] = 1.0
    precision, centre, half_draws = _prior(free, fixed, len(scripts), options)
    return Design(
        free=free,
        fixed=fixed,
        scripts=scripts,
        clusters=clusters,
        script_clusters=np.array([clusters.index(works[one]) for one in scripts], dtype=np.intp),
        rows=rows.tocsr(),
        offsets=offsets,
        tallies=_tally(games, cells, clusters, options),
        precision=precision,
        centre=centre,
        half_draws=half_draws,
    )


_Cell = tuple[StrengthKey, StrengthKey, str, float]


def _cell(game: RatedGame, options: RatingOptions) -> _Cell:
    civilians, murderer = sides_of(game, options)
    offset = 0.0
    if options.chance:
        if game.chance is None or not 0 < game.chance < 1:
            raise ValueError(f"wanted a chance level in (0, 1), got {game.chance}")
        offset = log(game.chance / (1 - game.chance))
    return civilians, murderer, game.script if options.scripts else "", offset


def _tally(
    games: Sequence[RatedGame],
    cells: Sequence[_Cell],
    clusters: Sequence[str],
    options: RatingOptions,
) -> Any:
    cell_number = {cell: i for i, cell in enumerate(cells)}
    cluster_number = {cluster: i for i, cluster in enumerate(clusters)}
    table: Any = sparse.lil_matrix((len(clusters), 3 * len(cells)))
    for game in games:
        counts = OUTCOMES[game.outcome]
        if game.outcome == "draw" and options.draws == "half":
            counts = HALF
        first = 3 * cell_number[_cell(game, options)]
        for i, count in enumerate(counts):
            if count:
                table[cluster_number[game.work], first + i] += count * game.weight
    return table.tocsr()


def _prior(
    free: Sequence[StrengthKey],
    fixed: Mapping[StrengthKey, float],
    scripts: int,
    options: RatingOptions,
) -> tuple[Floats, Floats, Floats]:
    size = 1 + len(free) + scripts
    precision, centre, half_draws = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    for side in {side for _, side in free}:
        columns = [1 + i for i, one in enumerate(free) if one[1] == side]
        anchors = [strength for one, strength in fixed.items() if one[1] == side]
        centre[columns] = np.mean(anchors) if anchors else 0.0
        if options.prior == "normal":
            precision[columns, columns] = _STRENGTH_PRECISION
        elif options.prior == "half_draw":
            half_draws[columns] = 1.0
        elif not anchors:
            precision[np.ix_(columns, columns)] = 1.0
    return precision, centre, half_draws


def _anchor_links(
    names: Sequence[StrengthKey], options: RatingOptions
) -> list[tuple[StrengthKey, StrengthKey]]:
    anchors = [one for one in names if one[0] in options.anchors]
    return [(a, b) for a, b in pairwise(anchors) if a[1] == b[1]]


def _sort(names: Iterable[StrengthKey]) -> list[StrengthKey]:
    return sorted(set(names), key=lambda one: (one[1], one[0]))


def _graph(names: Sequence[StrengthKey], links: Sequence[tuple[StrengthKey, StrengthKey]]) -> Any:
    number = {name: i for i, name in enumerate(names)}
    ends = np.array([(number[a], number[b]) for a, b in links]).reshape(-1, 2)
    size = len(names)
    return sparse.coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
