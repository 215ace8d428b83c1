"""The multimodal scripts: what a written case is, and how cases come in."""
