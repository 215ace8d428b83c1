"""Tests of runs without play."""
