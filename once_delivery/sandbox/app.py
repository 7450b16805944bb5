"""Everything one running sandbox holds, put together once."""

from __future__ import annotations

from pathlib import Path

from once_delivery.sandbox.calls import Calls
from once_delivery.sandbox.faults import Faults
from once_delivery.sandbox.jobs import JobClock
from once_delivery.sandbox.objects import Objects
from once_delivery.sandbox.replays import Replays
from once_delivery.sandbox.spaces import Spaces
from once_delivery.sandbox.storage import Store


class App:
    """The store and what stands on it. Used from the event loop's thread only."""

    def __init__(self, data: Path, admin_token: str, *, quota_mb: int = 0) -> None:
        self.admin_token = admin_token
        self.base_url = ""
        self.store = Store(data / "sandbox.sqlite3", quota_mb=quota_mb)
        self.objects = Objects(self.store)
        self.calls = Calls(self.store)
        self.replays = Replays(self.store)
        self.faults = Faults(self.store)
        self.spaces = Spaces(self.store)
        for space in self.spaces.listing():
            space.create_calls = self.calls.creates(space.name)
        self.jobs = JobClock(self.store, self.objects, self.spaces)

    def close(self) -> None:
        """Commit what is written and let go of the file."""
        self.store.close()
