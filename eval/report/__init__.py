"""Reports on finished runs, as one HTML page and as tables in four formats."""
