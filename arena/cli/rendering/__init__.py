"""What is shown of a match, a run or a benchmark. Pure: values in, renderables out."""
