"""The untrained stand-in: a tiny Qwen2.5-VL with random weights, made on the spot and served.

It exists so that everything but the quality of the words can be run without a GPU and without
weights: pictures, constrained answers, prefix caching, an engine that dies. It must never be
reported under the name of a trained model.
"""
