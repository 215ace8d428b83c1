"""The commands of the serving side: models, doctor, serve, fetch, and what they ask the user."""
