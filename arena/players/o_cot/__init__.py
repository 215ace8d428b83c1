"""The player `o-cot`: notes on its objectives before each question."""
