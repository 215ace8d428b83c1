"""The untrained stand-ins: tiny models with random weights, built locally.

They test everything except the quality of replies without a GPU and without weights: pictures,
constrained answers, prefix caching, an engine that dies, a context that is too small. Results of a
stand-in must never be reported under the name of a trained model.
"""
