"""The games that can be played, each as data and a few pure functions."""
