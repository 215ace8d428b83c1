"""The werewolf agent's player: rules that can overrule its model."""
