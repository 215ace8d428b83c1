"""Commands: each reads its arguments, calls one function and shows the result."""
