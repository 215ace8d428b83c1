"""`python -m serving.yi_vl.parity`."""

import sys

from serving.yi_vl.parity.program import main

sys.exit(main())
