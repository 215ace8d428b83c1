"""Tests of the generator of cases."""
