"""Models behind endpoints: what takes messages and gives text."""
