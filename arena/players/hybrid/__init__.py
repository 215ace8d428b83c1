"""The werewolf agent's player: rules above a model that is not fully trusted."""
