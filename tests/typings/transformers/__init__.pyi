"""transformers as pyright sees it: everything is Any.

Its own `__init__` imports each of its models for type checkers: a third of the time of a check.
"""

from typing import Any

def __getattr__(name: str) -> Any: ...  # pyright: ignore[reportIncompleteStub]
