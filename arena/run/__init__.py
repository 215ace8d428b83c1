"""Asynchronous shell: plays runs, handles failures and connects the other packages."""
