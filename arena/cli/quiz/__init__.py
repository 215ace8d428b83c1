"""Quizzes of a model on the command line: query, store and show."""
