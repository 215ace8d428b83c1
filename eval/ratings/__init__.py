"""Strengths of contestants from decided matches: Bradley-Terry, Elo and OpenSkill."""
