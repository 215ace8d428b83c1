"""`python -m serving.image.health`: exit with 1 if a model server of this user does not answer."""

import sys
from http import HTTPStatus

from serving.model_files.weights import request_status
from serving.process.server_registry import list_servers


def main() -> int:
    """Check the health of every running server of this user; no server counts as healthy."""
    silent = [
        entry.profile
        for entry in list_servers()
        if request_status(f"{entry.url.removesuffix('/v1')}/health") != HTTPStatus.OK
    ]
    for profile in silent:
        sys.stderr.write(f"{profile} does not answer\n")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
