"""The fault harness: real processes, real sockets, real SIGKILL, judged by the target's own record.

``make faults`` prints its table; docs/faults.md says how to read it.
"""
