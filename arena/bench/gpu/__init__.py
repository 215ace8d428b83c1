"""GPU check: steps that need a GPU, each with a time limit and a result file."""
