"""What connectors to JSON over HTTP share: reading with suspicion, paging to the end, sending once."""

from __future__ import annotations
