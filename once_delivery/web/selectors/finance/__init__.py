"""What the finance pages show."""
