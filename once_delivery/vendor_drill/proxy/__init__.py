"""The reverse proxy between a vendor's workflow and its test target: HTTP/1.1, one process, never an open relay."""

from __future__ import annotations
