"""Maps and plans, one kind a file: an area, a floor, a table with its seats."""
