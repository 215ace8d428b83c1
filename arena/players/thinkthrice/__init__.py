"""ThinkThrice's player: memory retrieval, self-refinement, self-verification."""
