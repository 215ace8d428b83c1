"""The claim audit: checks seats' statements on the case against the fact table, without a judge."""
