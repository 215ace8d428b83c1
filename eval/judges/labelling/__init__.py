"""Labels by people: blank sheets, agreement with a judge, corrected rates."""
