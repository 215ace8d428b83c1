"""The streams of the process: what they can show, and what is written to them while a run goes."""
