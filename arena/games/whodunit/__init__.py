"""WhodunitBench's game: introductions, common clues, rounds of questions, conclusions, a vote."""
