"""`python -m serving.yi_vl.checkpoints`."""

import sys

from serving.yi_vl.checkpoints.writing import main

sys.exit(main())
