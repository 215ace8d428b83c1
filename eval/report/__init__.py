"""Reports: what finished runs say, as one HTML page and as tables in four formats."""
