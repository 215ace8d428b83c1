"""Records: the one typed, versioned way to write what happens in a run and to read it again."""
