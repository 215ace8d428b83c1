"""`python -m serving.standin MODULE FOLDER`: make a stand-in; stdin: JSON list of texts."""

import importlib
import json
import sys
from pathlib import Path

importlib.import_module(sys.argv[1]).make_standin(Path(sys.argv[2]), json.load(sys.stdin))
