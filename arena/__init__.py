"""The orchestrator: rules, players, models, runs, what is kept and what a person sees."""
