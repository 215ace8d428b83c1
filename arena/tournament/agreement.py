"""Whether the runs of a tournament can be read together: one model, one wording for all."""

from collections.abc import Mapping

from arena.errors import RecordError
from arena.records.manifest import RunManifest, ServerRecord


def check_agreement(manifests: Mapping[str, RunManifest]) -> None:
    """Raise `RecordError` where a model or the prompts' wording differ between runs, by name."""
    servers: dict[str, tuple[str, ServerRecord]] = {}
    wordings: dict[tuple[str, str], tuple[str, str]] = {}
    for run, manifest in manifests.items():
        for name, server in manifest.servers.items():
            first, known = servers.setdefault(name, (run, server))
            if (why := _differ(known, server)) is not None:
                raise RecordError(
                    f"model {name!r} is not the same in the runs {first!r} and {run!r}: {why}; "
                    "play one of them again with the other's model, or rate them apart"
                )
        for language, digest in manifest.versions.wordings.items():
            key = (manifest.config.game, language)
            first, known = wordings.setdefault(key, (run, digest))
            if known != digest:
                raise RecordError(
                    f"the prompts of the runs {first!r} and {run!r} have different wordings: they "
                    "were played with two versions of the arena; play one of them again"
                )


def _differ(one: ServerRecord, other: ServerRecord) -> str | None:
    """Return in what two servers of one model differ; None: in nothing that decides prompts."""
    if one.served != other.served:
        return f"{one.served!r} and {other.served!r} were served"
    for key in sorted(one.limits.keys() & other.limits.keys()):
        if one.limits[key] != other.limits[key]:
            return f"{key} was {one.limits[key]!r} and {other.limits[key]!r}"
    first, second = _roots(one), _roots(other)
    if first and second and first != second:
        return f"its weights were {', '.join(sorted(first))} and {', '.join(sorted(second))}"
    return None


def _roots(server: ServerRecord) -> set[str]:
    """Return where the weights of a model were, as its servers said."""
    return {str(one.get("root") or "") for one in server.identities} - {""}
