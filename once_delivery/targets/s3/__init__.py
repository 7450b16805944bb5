"""S3 and the stores that speak its protocol."""

from __future__ import annotations
