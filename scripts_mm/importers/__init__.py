"""Importers: published formats in, findings reported, nothing silently dropped."""
