"""The pictures of "The First Night": which there are, and how each is drawn in each language."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from types import ModuleType

from PIL import Image

from scripts_mm.drawing import first_night_en, first_night_zh
from scripts_mm.drawing.chat import chat
from scripts_mm.drawing.checklist import checklist
from scripts_mm.drawing.first_night_plan import DOORS, ROOMS, THINGS, WAYS
from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.invoice import invoice
from scripts_mm.drawing.letter import letter
from scripts_mm.drawing.log import log
from scripts_mm.drawing.plan import PlanSpec, plan
from scripts_mm.drawing.report import report
from scripts_mm.drawing.scene import SceneSpec, scene
from scripts_mm.drawing.stage import StageSpec, stage
from scripts_mm.script import Language
