"""What this host has, what fits it, and where this user's files are on it."""
