"""What pages and commands read of the books."""

from __future__ import annotations
