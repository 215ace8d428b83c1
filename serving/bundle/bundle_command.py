"""`arena bundle`: one folder with everything that a host without a network needs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from serving.bundle.bundle_builder import BundleSpec, make_bundle
from serving.bundle.bundle_manifest import MANIFEST_NAME
from serving.bundle.check import file_digest
from serving.bundle.target import PYTHONS, BundleTarget, this_host
from serving.errors import ServingError
from serving.host.hardware import detect
from serving.hub.hub_profile import find_any_profile
from serving.model_files.profile import GIB


def add_commands(app: typer.Typer) -> None:
    """Register this module's command with the arena's command line."""
    app.command("bundle")(bundle_command)


def bundle_command(
    out: Annotated[Path, typer.Argument(help="The folder to write or resume.")],
    profiles: Annotated[
        str, typer.Option(help="Models to include, separated by commas; also hf:ORG/NAME.")
    ] = "",
    engine: Annotated[
        Literal["cpu", "cuda"] | None, typer.Option(help="Default: this host's.")
    ] = None,
    python: Annotated[
        str, typer.Option("--python", help="Python version of the other host, such as 3.12.")
    ] = "",
    no_weights: Annotated[bool, typer.Option("--no-weights", help="Omit the weights.")] = False,
    image: Annotated[
        bool, typer.Option("--image", help="Build Dockerfile.gpu too (docker or podman).")
    ] = False,
) -> None:
    """Write a folder from which a host without a network installs the arena, engine and models."""
    here = this_host()
    target = BundleTarget(python=python or here.python, machine=here.machine)
    if target.python not in PYTHONS:
        raise ServingError(f"--python is {target.python!r}; the locks support {', '.join(PYTHONS)}")
    chosen = engine or ("cuda" if detect().gpus else "cpu")
    if image and chosen == "cpu":
        raise ServingError("--image needs --engine cuda; Dockerfile.gpu has no other engine")
    names = [name.strip() for name in profiles.split(",") if name.strip()]
    order = BundleSpec(
        engine=chosen,
        target=target,
        profiles=tuple(find_any_profile(name) for name in names),
        weights=not no_weights,
        image=image,
    )
    manifest = make_bundle(out, order, say=lambda line: typer.echo(line, err=True))
    gib = sum(one.bytes for one in manifest.files) / GIB
    typer.echo(
        f"{out}: {len(manifest.files)} files, {gib:.2f} GiB; copy the folder over and run "
        f"{out.resolve().name}/install.sh TARGET there"
    )
    typer.echo(
        f"SHA-256 of manifest.json: {file_digest(out / MANIFEST_NAME)}; install.sh prints the "
        "same there"
    )
