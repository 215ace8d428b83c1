"""The private scripts: the same kinds of sentences for culprit and innocents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.fact_sentences import (
    common_fills,
    fact_fills,
    fill_inside,
    motive_reason,
    story_wordings,
    trait_fills,
    wordings,
)
from scripts_mm.generate.text.lexicon import WordPool, plot_pool, pool, pool_groups
from scripts_mm.generate.text.templates import (
    fill_template,
    format_time,
    indefinite_article,
    join_names,
    join_sentences,
    pick_sentence,
)
from scripts_mm.generate.world import CoPresence, Frame, Suspect, WorldFact
from scripts_mm.script import Language

_TOLD = {
    "trait": "trait-told",
    "link": "link-told",
    "spot-link": "link-told",
    "offset": "offset-told",
    "excuse": "excuse-told",
}
_MANY = 1_000
"""More than the wordings of a motive."""
_YOU = {"en": "you", "zh": "你"}
_TO = {"en": " to ", "zh": "到"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleText:
    """The texts of one role."""

    testimony: str
    """Its identity, its motive, its evening and its knowledge."""
    passages: tuple[tuple[str, ...], ...]
    """The same as four paragraphs of sentences."""
    secret: str
    """What it did alone, and whom it saw meanwhile; a culprit has a confession instead."""
    mission: str
    introduction: str
    reply: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleNarrator:
    """The narrator of one suspect's texts, with the wordings for it."""

    frame: Frame
    cast: Cast
    one: Suspect
    language: Language

    def fills(self) -> dict[str, str]:
        """Return the fills for sentences of the suspect about itself."""
        frame, cast, one = self.frame, self.cast, self.one
        ids = [other.id for other in frame.suspects]
        next_id = ids[(ids.index(one.id) + 1) % len(ids)]
        window = frame.windows[one.gap]
        post = cast.posts[one.id]
        return {
            **common_fills(frame, cast),
            **cast.people[one.id],
            **cast.pronouns[one.id],
            "victim": _victim_short_name(cast, self.language),
            "who": cast.names[one.id],
            "other": cast.names[next_id],
            **{f"o{key}": text for key, text in cast.pronouns[next_id].items()},
            "post": post,
            "post_a": f"{indefinite_article(post)} {post}",
            "victim2": _second_short_name(cast, self.language),
            "at": cast.at[one.alone],
            "gap_at": cast.at[one.alone],
            "start": format_time(window.start),
            "end": format_time(window.end),
            "span": f"{format_time(window.start)}{_TO[self.language]}{format_time(window.end)}",
        }

    def role_wordings(self, key: str) -> WordPool:
        """Return the wordings of a kind of sentence in private scripts."""
        return plot_pool(self.language, self.frame.plot, "role", key)

    def windows(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield for each window of the evening the kind of its sentence and the fills."""
        for number, window in enumerate(self.frame.windows):
            if number == self.one.gap:
                yield "gap", self.fills()
                continue
            company = self._company(number)
            if company is None:
                at = {"start": format_time(window.start), "end": format_time(window.end)}
                yield "seen", {**self.fills(), **at}
                continue
            others = [self.cast.names[name] for name in company.members if name != self.one.id]
            kind = "tryst" if company.is_secret else "company"
            yield (
                kind if others else "seen",
                {
                    **self.fills(),
                    "others": join_names(others, self.language),
                    "meet": self._meeting(company),
                    "at": self.cast.at[company.place],
                    "start": format_time(company.start),
                    "end": format_time(company.end),
                },
            )

    def _meeting(self, company: CoPresence) -> str:
        """Return why two who are related met; the relation is that of the first of them."""
        if not company.is_secret:
            return ""
        ids = [one.id for one in self.frame.suspects]
        one, other = sorted(company.members, key=ids.index)
        if ids.index(other) - ids.index(one) > 1:
            one = other
        first = next(each for each in self.frame.suspects if each.id == one)
        found = {**self.fills(), **self.cast.people[one]}
        several = pool(self.language, "life", "relations", first.relation, "meet")
        return fill_inside(several[ids.index(one) % len(several)], found)

    def watching(self) -> str:
        """Return whom the suspect saw from its place in the unseen window; empty: nobody."""
        if self.one.watched < 0:
            return ""
        company = self.frame.companies[self.one.watched]
        found = self.fills() | {
            "others": join_names([self.cast.names[one] for one in company.members], self.language),
            "there": self.cast.at[company.place],
            "start": format_time(company.start),
            "end": format_time(company.end),
        }
        several = self.role_wordings("watching")
        return fill_template(several[company.start % len(several)], found)

    def _company(self, window: int) -> CoPresence | None:
        found = (one for one in self.frame.companies if one.window == window)
        return next((one for one in found if self.one.id in one.members), None)


def render_role(
    frame: Frame,
    cast: Cast,
    who: str,
    language: Language,
    rng: Random,
    *,
    known: Sequence[WorldFact] = (),
) -> RoleText:
    """Return the texts of `who`; `known` are all facts with its private script as a source."""
    one = next(one for one in frame.suspects if one.id == who)
    teller = RoleNarrator(frame=frame, cast=cast, one=one, language=language)
    passages = (
        tuple(_render_self(teller, rng)),
        tuple(_render_victim(teller, rng)),
        tuple(_render_evening(teller, rng)),
        tuple(_render_knowledge(teller, known, rng)),
    )
    found = teller.fills()
    aims = [pick_sentence(rng, teller.role_wordings(key), found) for key in ("mission", "mission2")]
    return RoleText(
        testimony="\n\n".join(join_sentences(sentences, language) for sentences in passages),
        passages=passages,
        secret=_render_secret(teller, rng),
        mission=join_sentences(aims, language),
        introduction=pick_sentence(rng, teller.role_wordings("introduction"), found),
        reply=pick_sentence(rng, teller.role_wordings("reply"), found),
    )


def own_sentences(teller: RoleNarrator, part: str) -> tuple[str, ...]:
    """Return every wording of a script about its owner: `post`, `motive` or `relation`."""
    one, found = teller.one, teller.fills()
    book = {
        "post": teller.role_wordings("post"),
        "motive": story_wordings(one.id, one.motive, "you", teller.cast, teller.language),
        "relation": pool(teller.language, "life", "relations", one.relation, "you"),
    }
    return tuple(fill_template(wording, found) for wording in book[part])


def _render_self(teller: RoleNarrator, rng: Random) -> list[str]:
    found = teller.fills()
    sentences = [
        rng.choice(own_sentences(teller, "post")),
        pick_sentence(rng, teller.role_wordings("background"), found),
        pick_sentence(rng, teller.role_wordings("traits"), found),
    ]
    for trait, value in zip(teller.frame.traits, teller.one.traits, strict=True):
        values = found | trait_fills(trait.id, value, teller.cast, teller.language)
        sentences.append(
            pick_sentence(rng, pool(teller.language, "traits", trait.id, "you"), values)
        )
    return [*sentences, rng.choice(own_sentences(teller, "relation"))]


def _render_victim(teller: RoleNarrator, rng: Random) -> list[str]:
    found = teller.fills()
    full = found | {"victim": teller.cast.names["victim"]}
    return [
        pick_sentence(rng, teller.role_wordings("victim"), full),
        rng.choice(own_sentences(teller, "motive")),
        pick_sentence(rng, teller.role_wordings("feeling"), found),
    ]


def _render_evening(teller: RoleNarrator, rng: Random) -> list[str]:
    frame, found = teller.frame, teller.fills()
    alive, dead = (
        found | {"start": format_time(frame.alive)},
        found | {"start": format_time(frame.found)},
    )
    return [
        pick_sentence(rng, teller.role_wordings("evening"), found),
        pick_sentence(rng, teller.role_wordings("alive"), alive),
        *(
            pick_sentence(rng, teller.role_wordings(key), values)
            for key, values in teller.windows()
        ),
        pick_sentence(rng, teller.role_wordings("found"), dead),
    ]


def _render_knowledge(teller: RoleNarrator, known: Sequence[WorldFact], rng: Random) -> list[str]:
    found = teller.fills()
    told = [one for one in known if one.form not in ("relation", "with")]
    leads: dict[str, list[str]] = {}
    return [
        pick_sentence(rng, teller.role_wordings("knows"), found),
        *(_render_known_fact(teller, fact, leads, rng) for fact in told),
        pick_sentence(rng, teller.role_wordings("close"), found),
    ]


def _render_known_fact(
    teller: RoleNarrator, fact: WorldFact, leads: dict[str, list[str]], rng: Random
) -> str:
    """Return the sentence for a fact about others; `leads` are the unused introductions."""
    frame, cast, language = teller.frame, teller.cast, teller.language
    found = fact_fills(fact, frame, cast, language) | {"victim": teller.fills()["victim"]}
    key = _TOLD.get(fact.form, "motive")
    waiting = leads.setdefault(key, [])
    if not waiting:
        groups = pool_groups(language, "facts", key)
        waiting += [rng.choice(one) for one in rng.sample(groups, len(groups))]
    if fact.form == "motive":
        at = rng.randrange(_MANY)
        found["reason"] = motive_reason(fact.who, fact.value, at, teller.fills(), cast, language)
        return fill_template(waiting.pop(), found)
    if fact.form == "excuse":
        found["knower"] = _YOU[language]
    said = pick_sentence(rng, wordings(fact, frame, language, cast), found)
    found["fact"] = said if said.startswith(tuple(cast.names.values())) else _decapitalise(said)
    return fill_template(waiting.pop(), found)


def _decapitalise(text: str) -> str:
    return text[:1].lower() + text[1:]


def _second_short_name(cast: Cast, language: Language) -> str:
    if "victim2" not in cast.names:
        return ""
    return cast.aliases["victim2"][-1] if language == "en" else cast.names["victim2"]


def _victim_short_name(cast: Cast, language: Language) -> str:
    """Return the victim's name among acquaintances: in English the surname."""
    return cast.aliases["victim"][-1] if language == "en" else cast.names["victim"]


def _render_secret(teller: RoleNarrator, rng: Random) -> str:
    found = teller.fills()
    acts = pool(teller.language, "life", "secrets", teller.one.secret, "you")
    found["act"] = fill_inside(rng.choice(acts), found)
    found["stake"] = pick_sentence(rng, teller.role_wordings("stake"), found)
    found["watching"] = teller.watching()
    if found["watching"]:
        found["stake"] = pick_sentence(rng, teller.role_wordings("stake-watching"), found)
    return pick_sentence(rng, teller.role_wordings("secret"), found).replace("  ", " ")
