"""Importers of the published formats: they report findings and drop nothing silently."""
