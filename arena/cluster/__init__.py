"""Tournament on many hosts: shards that share only a folder, and a merge."""
