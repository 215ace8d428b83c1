"""The engine's process: arguments, log, port, health, restarts and registry."""
