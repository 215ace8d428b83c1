"""Entry point of `python -m serving.yi_vl.checkpoints`."""

import sys

from serving.yi_vl.checkpoints.cli import main

sys.exit(main())
