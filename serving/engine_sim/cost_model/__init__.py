"""The engine's cost model: profiles, step times, roofline estimates and fitted terms."""
