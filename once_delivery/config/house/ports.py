"""Ports: the usual one when it is free, else the next that is."""

from __future__ import annotations

import socket

from once_delivery.common.operator_error import OperatorError

TRIED = 100


def free_port(usual: int, *, host: str = "127.0.0.1", taken: frozenset[int] = frozenset()) -> int:
    """The first port from ``usual`` on that nobody listens on and that is not in ``taken``."""
    for port in range(usual, usual + TRIED):
        if port not in taken and _is_free(host, port):
            return port
    raise OperatorError(
        "no-free-port",
        en=f"No port from {usual} to {usual + TRIED - 1} is free on {host}.",
        zh=f"{host} 上 {usual} 到 {usual + TRIED - 1} 之间没有空闲端口。",
    )


def _is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        # as servers do: a port whose last connections are still being closed counts as free
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True
