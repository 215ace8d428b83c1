"""`python -m serving.standin FOLDER`: make the stand-in; further texts, a JSON list, on stdin."""

import json
import sys
from pathlib import Path

from serving.standin.checkpoint import make_standin

make_standin(Path(sys.argv[1]), json.load(sys.stdin))
