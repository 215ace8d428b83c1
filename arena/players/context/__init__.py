"""Context management: policies for pictures and logs that exceed a model's context."""
