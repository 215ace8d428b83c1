"""Requests and completions of the chat API and of vLLM's token API, with what a server supports."""
