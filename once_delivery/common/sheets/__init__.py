"""Tables in files that others send: CSV, XLSX and JSON, with limits, read whole or refused with every place."""

from __future__ import annotations
