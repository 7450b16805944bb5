"""Generation services, simulated: they follow their documentation, hold jobs, and go wrong when told to.

Nothing here was seen on a real service. Each door speaks one service's documented paths, words and statuses; below them
is one world of jobs with a clock of its own, so that a test can count what was really made (and would be paid).
"""

from __future__ import annotations
