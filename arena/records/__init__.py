"""Records: typed, versioned files of what happens in a run, and their readers."""
