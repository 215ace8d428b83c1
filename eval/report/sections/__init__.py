"""Sections of a report: tables and charts, a module a topic."""
