"""What is measured beside one another."""
