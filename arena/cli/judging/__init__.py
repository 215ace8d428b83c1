"""`arena judge`: what its commands do once their words are checked."""
