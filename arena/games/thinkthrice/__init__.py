"""ThinkThrice's game: a host's question, first questions, open rounds, clue cards, ten ballots."""
