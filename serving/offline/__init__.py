"""`arena doctor --offline`: play matches where there is no network, and name what tried to use it.

`checking` makes a network namespace that has loopback and no route, and starts `inside` there.
`watch/sitecustomize.py` is run by every Python process of the check and writes down whom it calls;
the kernel's own counter tells of native code and of other programs.
"""
