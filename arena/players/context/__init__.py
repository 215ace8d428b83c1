"""Context management: policies for pictures and logs that a model cannot take at once."""
