"""Primitives of pictures: paper, ink, canvas, fonts, vertical text, photo prints and figures."""
