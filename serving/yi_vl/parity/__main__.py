"""Entry point of `python -m serving.yi_vl.parity`."""

import sys

from serving.yi_vl.parity.cli import main

sys.exit(main())
