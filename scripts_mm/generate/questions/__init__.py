"""Questions on a world: what is asked, what is right, and wrong answers near and far."""
