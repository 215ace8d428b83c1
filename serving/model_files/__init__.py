"""Model files: profiles, weights and configurations."""
