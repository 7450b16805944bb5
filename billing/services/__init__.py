"""What can be done with costs and units, one verb a file."""
