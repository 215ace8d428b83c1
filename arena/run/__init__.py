"""The shell: what waits, what may fail, and what connects the parts."""
