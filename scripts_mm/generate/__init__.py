"""Cases made from a seed: a world of ids, a proof that it can be solved, texts and pictures."""
