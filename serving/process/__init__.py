"""The engine's process: its arguments, log and port, its health, restarts and registry."""
