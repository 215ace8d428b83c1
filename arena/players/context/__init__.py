"""How a seat is told what its model cannot take at once: policies of pictures and of context."""
