"""Screens, films and photographs, one kind a file: chat, camera still, X-ray, bottle, group."""
