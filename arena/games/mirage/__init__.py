"""MIRAGE's game: introductions, rounds of questions and searches, accusations, a vote, ratings."""
