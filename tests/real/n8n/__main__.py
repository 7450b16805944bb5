"""``make n8n``: play the cases on a real n8n, without ONCE and with each template, and print what the target holds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.exit(pytest.main([str(Path(__file__).parent), "-q", "-k", "every_way", *sys.argv[1:]]))
