"""Guard detectors: faults of play that need no judge."""
