"""Tests of Questum's game."""
