"""Questum's player: sensors, information gain, a list of suspects that gets shorter."""
