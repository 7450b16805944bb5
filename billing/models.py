"""The tables of costs and units."""
