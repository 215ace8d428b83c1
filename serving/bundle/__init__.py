"""`arena bundle`: a folder that installs the arena and its models on a host without a network.

    wheels/              every package of the engine's lock, and the arena
    requirements.txt     their versions, for pip
    weights/PROFILE/     the models found on this host
    kernels/             wheels of compiled kernels, if added by hand
    image/               a container image, with --image
    manifest.json        every file with its SHA-256 and size in bytes, and the target of the bundle
    check.py install.sh README.md

The mini model and the stand-ins need no further files: they are in the arena's wheel.
"""
