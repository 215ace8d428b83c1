"""Tests of the words and pictures of generated cases."""
