"""What an engine's work costs: profiles, step times, roofline estimates and fitted terms."""
