"""Agreement between the runs of a tournament: one model, one wording for all."""

from collections.abc import Iterator, Mapping

from arena.errors import RecordError
from arena.records.run_manifest import RunManifest, ServerRecord


def check_agreement(manifests: Mapping[str, RunManifest]) -> None:
    """Raise `RecordError` if a model or the prompts' wording differ between runs, by name.

    Every run is compared with every earlier one in their common values: a value that one lacks does
    not hide a difference between two others.
    """
    known: dict[tuple[str, str, str], tuple[str, object]] = {}
    for run, manifest in manifests.items():
        for name, server in manifest.servers.items():
            for what, value in _facts(server):
                first, before = known.setdefault(("model", name, what), (run, value))
                if before != value:
                    raise RecordError(
                        f"model {name!r} is not the same in the runs {first!r} and {run!r}: "
                        f"{what} {before} and {value}; play one of them again with the other's "
                        "model, or rate them separately"
                    )
        for language, digest in manifest.versions.wordings.items():
            first, before = known.setdefault(
                ("wording", manifest.config.game, language), (run, digest)
            )
            if before != digest:
                raise RecordError(
                    f"the prompts of the runs {first!r} and {run!r} have different wordings: they "
                    "were played with two versions of the arena; play one of them again"
                )


def _facts(server: ServerRecord) -> Iterator[tuple[str, object]]:
    """Yield the recorded values that decide a model's prompts and replies."""
    yield "its name is", server.served
    for key, value in sorted(server.limits.items()):
        yield f"{key} is", value
    for key, words in (("root", "its weights are"), ("template", "its chat template is")):
        if found := {str(one.get(key) or "") for one in server.identities} - {""}:
            yield words, ", ".join(sorted(found))
