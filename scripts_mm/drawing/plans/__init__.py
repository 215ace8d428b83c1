"""Maps and plans, one kind per file."""
