"""Generation services: submit, keep the job's ID, ask until it is finished; find it again when the answer was lost."""

from __future__ import annotations
