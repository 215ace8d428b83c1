"""Models of the hub: profiles from their own files, and their download."""
