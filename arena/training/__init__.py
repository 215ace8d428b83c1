"""The mini model: training data from generated matches, training and evaluation."""

from importlib import import_module

# Must precede any import of transformers, which needs a torchvision that loads.
import_module("serving.shim.sitecustomize")
