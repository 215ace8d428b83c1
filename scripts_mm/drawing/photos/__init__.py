"""Screens, films and photographs, one kind per file."""
