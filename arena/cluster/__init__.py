"""A tournament on many hosts: shards that share nothing but a folder, and a merge."""
