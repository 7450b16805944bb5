"""Suppliers' bills: from the bytes of a file to lines, from a line to the attempt it is for, from there to entries."""

from __future__ import annotations
