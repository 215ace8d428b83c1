"""Prompts as token ids, spelt here instead of by the server, message by message."""
