"""`arena doctor --offline`: play matches without a network, and report attempts to use it.

`offline_check` makes a network namespace with loopback and no route, and starts `namespace_check`
there. Every Python process of the check runs `watch/sitecustomize.py`, which records its calls; the
kernel's counter also covers native code and other programs.
"""
