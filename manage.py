#!/usr/bin/env python
"""Runs the management commands of the house."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from once_delivery.common.operator_error import OperatorError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "once_delivery.config.settings")
    terminal = next(
        (os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), ""
    )
    if terminal.lower().startswith("en"):  # commands speak the language of whoever runs them
        os.environ.setdefault("ONCE_LANGUAGE", "en")
    if sys.argv[1:2] == ["serve"]:  # the demo's sandbox and CMS are on this machine
        os.environ.setdefault("ONCE_TARGETS_INSIDE", "1")
    try:
        execute_from_command_line(sys.argv)
    except OperatorError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
