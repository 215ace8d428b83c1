"""Questions to a model from the command line: asked, kept, and shown."""
