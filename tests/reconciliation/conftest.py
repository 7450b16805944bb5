from __future__ import annotations

from tests.ledger.conftest import fake

__all__ = ["fake"]
