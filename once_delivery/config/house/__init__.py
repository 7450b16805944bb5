"""The whole house on one machine: which processes, on which ports, started and ended together."""

from __future__ import annotations
