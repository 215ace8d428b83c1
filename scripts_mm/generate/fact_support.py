"""The support of a world's facts: hops, premises, seats and clues."""

from collections.abc import Iterable, Mapping

from scripts_mm.generate.world import World, WorldFact


def hop_counts(facts: Iterable[WorldFact]) -> Mapping[str, int]:
    """Return the hops of every fact: 0 with a source, else 1 + the most hops of its premises.

    Premises must precede their conclusions.
    """
    found: dict[str, int] = {}
    for fact in facts:
        ways = [1 + max(found[name] for name in reasons) for reasons in fact.because]
        found[fact.id] = 0 if fact.sources else min(ways)
    return found


def supporting_facts(world: World, names: Iterable[str]) -> tuple[WorldFact, ...]:
    """Return the facts `names` and all their premises, in the order of the world."""
    facts = {fact.id: fact for fact in world.facts}
    waiting, found = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [reason for reasons in facts[name].because for reason in reasons]
    return tuple(fact for fact in world.facts if fact.id in found)


def seats_of(world: World, names: Iterable[str]) -> tuple[str, ...]:
    """Return the seats whose scripts support `names`, in the order of the script.

    Facts that the opening or a clue also states do not count.
    """
    found = {
        source.removeprefix("role:")
        for fact in supporting_facts(world, names)
        if all(source.startswith("role:") for source in fact.sources)
        for source in fact.sources
    }
    return tuple(one.id for one in world.frame.suspects if one.id in found)


def clues_of(world: World, names: Iterable[str]) -> tuple[str, ...]:
    """Return the clues that support `names`, in the order of the script."""
    found = {
        source.partition(":")[2]
        for fact in supporting_facts(world, names)
        for source in fact.sources
        if source.startswith(("clue:", "picture:"))
    }
    return tuple(clue.id for clue in world.frame.clues if clue.id in found)
