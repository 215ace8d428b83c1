"""Libraries without types, as the tests of exports use them."""

from importlib import import_module
from typing import Any

DATASETS: Any = import_module("datasets")
PANDAS: Any = import_module("pandas")
PARQUET: Any = import_module("pyarrow.parquet")
SAMPLES_DF: Any = import_module("inspect_ai.analysis").samples_df
