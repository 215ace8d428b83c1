"""The mini model: training data from generated matches, training and evaluation."""

from importlib import import_module

# Before anything imports transformers, which needs a torchvision that loads.
import_module("serving.shim.sitecustomize")
