"""Exports of finished runs to the formats of other programs."""
