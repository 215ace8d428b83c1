"""Tests of judges: tasks, corrected rates."""
