"""Content workflows on a real n8n, with and without ONCE, and what then stands in the target."""
