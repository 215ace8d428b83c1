"""The serving commands: models, doctor, serve, fetch, and their prompts to the user."""
