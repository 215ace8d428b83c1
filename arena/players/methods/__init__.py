"""What players with a method share: steps before a reply, memory units, costs of a turn."""
