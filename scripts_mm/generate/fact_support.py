"""What the facts of a world rest on, how deep they lie and who holds them."""

from collections.abc import Iterable, Mapping

from scripts_mm.generate.world import World, WorldFact


def hop_counts(facts: Iterable[WorldFact]) -> Mapping[str, int]:
    """Return the hops of every fact: 0 where it stands somewhere, else one more than its reasons.

    Reasons stand before what follows from them.
    """
    found: dict[str, int] = {}
    for fact in facts:
        ways = [1 + max(found[name] for name in reasons) for reasons in fact.because]
        found[fact.id] = 0 if fact.sources else min(ways)
    return found


def supporting_facts(world: World, names: Iterable[str]) -> tuple[WorldFact, ...]:
    """Return the facts called `names` and all their reasons, in the order of the world."""
    facts = {fact.id: fact for fact in world.facts}
    waiting, found = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [reason for reasons in facts[name].because for reason in reasons]
    return tuple(fact for fact in world.facts if fact.id in found)


def seats_of(world: World, names: Iterable[str]) -> tuple[str, ...]:
    """Return the seats in whose scripts the grounds of `names` stand, in the order of the script.

    Nothing is counted that the opening or a clue says as well.
    """
    found = {
        source.removeprefix("role:")
        for fact in supporting_facts(world, names)
        if all(source.startswith("role:") for source in fact.sources)
        for source in fact.sources
    }
    return tuple(one.id for one in world.frame.suspects if one.id in found)


def clues_of(world: World, names: Iterable[str]) -> tuple[str, ...]:
    """Return the clues in which grounds of `names` stand, in the order of the script."""
    found = {
        source.partition(":")[2]
        for fact in supporting_facts(world, names)
        for source in fact.sources
        if source.startswith(("clue:", "picture:"))
    }
    return tuple(clue.id for clue in world.frame.clues if clue.id in found)
