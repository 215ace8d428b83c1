"""Servers as this host lists them."""

import os

from serving.process.server_registry import RunningServer, own_start_time


def entry(profile: str, port: int, *argv: str, shared: bool = True) -> RunningServer:
    """Return the entry of a server that this process keeps."""
    return RunningServer(
        profile=profile,
        model=profile,
        port=port,
        pid=os.getpid(),
        owner=os.getpid(),
        owner_since=own_start_time(),
        command="",
        argv=argv,
        log="",
        engine_version="0.32.0",
        start_seconds=1.0,
        shared=shared,
    )
