"""Questum's game on WellPlay's scripts: open questions and a vote on each victim."""
