"""How facts spread from seat to seat, by clue titles or by judgements."""
