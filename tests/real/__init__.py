"""Against real servers that nobody here wrote: ``make test-real``. A server that does not start is a failure."""

from __future__ import annotations
