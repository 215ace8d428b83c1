"""The quiz runner: puts the questions of scripts to a model."""
