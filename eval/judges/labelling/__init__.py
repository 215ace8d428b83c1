"""Labels by people: sheets to fill in, agreement with a judge, corrected rates."""
