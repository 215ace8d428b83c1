"""The audit of the generator: it makes thousands of cases and measures biases."""
