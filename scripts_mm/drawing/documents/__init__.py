"""Written, typed and printed things, one kind a file: letter, form, receipt, log, chart."""
