"""One match of a run: its loop, decisions, seats, silent probes and usage."""
