"""The claim audit: unit tests, and a study on statements that were labelled before the code."""
