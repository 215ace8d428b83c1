"""What pictures are made of: paper, ink, canvas, fonts, vertical text, photo prints and figures."""
