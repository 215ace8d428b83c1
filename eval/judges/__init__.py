"""Judges: models that rate what seats said, measured against labels made by people."""
