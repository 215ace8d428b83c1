"""The asynchronous shell: it plays runs, handles failures and connects the other packages."""
