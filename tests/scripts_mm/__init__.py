"""Tests of the written cases: files, pictures, tokens, importers, lint and their commands."""
