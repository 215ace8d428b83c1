"""Models of the hub: profiles computed from their files, and downloads."""
