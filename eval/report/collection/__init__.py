"""Facts that a report collects from each match while it reads a run."""
