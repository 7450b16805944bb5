"""Small servers that answer as the documentation of a service says. They prove nothing about the service itself."""

from __future__ import annotations
