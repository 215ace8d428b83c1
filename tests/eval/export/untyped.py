"""Libraries without types, as the tests of exports use them.

A test imports them when it runs: the import takes seconds, and every run of tests collects.
"""

from importlib import import_module
from typing import Any


def load_datasets() -> Any:
    return import_module("datasets")


def load_pandas() -> Any:
    return import_module("pandas")


def load_parquet() -> Any:
    return import_module("pyarrow.parquet")


def load_analysis() -> Any:
    return import_module("inspect_ai.analysis")
