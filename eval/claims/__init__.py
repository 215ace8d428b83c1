"""The claim audit: what seats say of the case, checked against the fact table, without a judge."""
