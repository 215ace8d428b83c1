"""What a report collects of each match while it reads a run."""
