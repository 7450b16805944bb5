"""A process that does not outlive the one that started it.

As a command: ``python -m once_delivery.common.die_with_parent PARENT COMMAND …`` becomes COMMAND.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """The kernel kills this process when ``parent`` (which started it) ends; on Linux only."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it ended before the kernel was told
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    die_with_parent(int(sys.argv[1]))
    for number in (signal.SIGINT, signal.SIGTERM):  # a parent that ignores them hands that down
        signal.signal(number, signal.SIG_DFL)
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 -- the command is our own supervisor's


if __name__ == "__main__":
    main()
