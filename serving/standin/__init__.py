"""The untrained stand-ins: tiny models with random weights, made on the spot and served.

They exist so that everything but the quality of the words can be run without a GPU and without
weights: pictures, constrained answers, prefix caching, an engine that dies, a context that is too
small. None must ever be reported under the name of a trained model.
"""
