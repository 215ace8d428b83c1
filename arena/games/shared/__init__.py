"""What several games of the project have in common: factions, speech, votes and their texts."""
