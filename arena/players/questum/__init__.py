"""Questum's player: sensors, information gain, pruning of the suspects."""
