"""A small CMS of our own: a process and a storage of its own, made to be asked, to lie on demand and to be counted.

It imports nothing of the rest of the house. See README.md.
"""

from __future__ import annotations
