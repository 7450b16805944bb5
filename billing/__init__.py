"""Costs and units: what an accepted, non-duplicate asset really costs, and who bears it."""
