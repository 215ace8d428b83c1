"""Generated cases: from a seed a world of ids, a proof of solvability, texts and pictures."""
