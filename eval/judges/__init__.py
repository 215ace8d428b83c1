"""Judges: models that rate seats' speech, validated against labels by people."""
