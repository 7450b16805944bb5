"""A kernel timer for one thread: its signal lies with the thread that sends, and with no other.

The process's own timer (alarm.py) sends its signal to the process. When a process with several threads goes on after
it was frozen, one thread takes that signal and ends the others; on another core a second one may run some
instructions before that, enough to write. A signal of its own meets each thread before it runs at all.
Linux has it as SIGEV_THREAD_ID; where it is missing the process's timer stands alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Iterator

_CLOCK_MONOTONIC = 1
_TIMER_ABSTIME = 1
_SIGEV_THREAD_ID = 4


class _SigEvent(ctypes.Structure):
    """``struct sigevent`` of Linux on 64 bits: 64 bytes."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("thread_id", ctypes.c_int),
        ("padding", ctypes.c_byte * 44),
    )


class _TimeSpec(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


class _TimerSpec(ctypes.Structure):
    _fields_ = (("interval", _TimeSpec), ("value", _TimeSpec))


_LIBC = ctypes.CDLL(None, use_errno=True)
_BYTES = 8  # of an address: the layout above is that of 64 bits
AVAILABLE = (
    os.uname().sysname == "Linux"
    and ctypes.sizeof(ctypes.c_void_p) == _BYTES
    and hasattr(_LIBC, "timer_create")
)


@contextlib.contextmanager
def ending_this_thread(ends: float) -> Iterator[None]:
    """Inside the block SIGALRM comes to this very thread at ``ends`` (monotonic seconds).

    Raises OSError when the kernel gives no timer; nothing may be sent then.
    """
    if not AVAILABLE:
        yield
        return
    timer = ctypes.c_void_p()
    event = _SigEvent(signo=signal.SIGALRM, notify=_SIGEV_THREAD_ID, thread_id=threading.get_native_id())
    _check(_LIBC.timer_create(_CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)))
    try:
        seconds, rest = divmod(max(ends, 1e-9), 1.0)
        at = _TimerSpec(value=_TimeSpec(int(seconds), max(1, int(rest * 1e9))))
        _check(_LIBC.timer_settime(timer, _TIMER_ABSTIME, ctypes.byref(at), None))
        yield
    finally:
        _LIBC.timer_delete(timer)


def _check(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
