"""Prompts as token ids, tokenised on this machine message by message."""
