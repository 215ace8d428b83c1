"""`arena bundle`: a folder from which a host without a network gets the arena and its models.

    wheels/              every package of the engine's lock, and the arena's own
    requirements.txt     their versions, for pip
    weights/PROFILE/     the models that were found here
    kernels/             wheels of compiled kernels, where somebody put some
    image/               an image for containers, where one was asked for
    manifest.json        every file with its SHA-256 and size in bytes, and what the bundle is for
    check.py install.sh README.md

The mini model and the stand-ins need no files of their own: they are in the arena's wheel.
"""
