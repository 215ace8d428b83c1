"""The multimodal scripts: written cases with their importers, checks, pictures and generator."""
