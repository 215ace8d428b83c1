"""Sections of a report: tables and charts, one module per topic."""
