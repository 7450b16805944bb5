"""Which addresses may be spoken to. A name is resolved once and what was checked is what is dialled."""

from __future__ import annotations

import ipaddress
import queue
import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from once_delivery.common.http.deadline import Deadline
from once_delivery.common.http.errors import NotSentError

Address = IPv4Address | IPv6Address
Resolver = Callable[[str, int], Sequence[str]]

# Where a cloud hands out credentials to whoever asks: never a target, whatever the operator allows.
_METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in ("169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "fd00:ec2::254")
)
# What Python's is_global calls global in some of its versions although nobody's server can stand there.
_NOT_PUBLIC: tuple[IPv4Network | IPv6Network, ...] = tuple(
    ipaddress.ip_network(text)
    for text in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b:1::/48", "100::/64", "2001::/23", "2002::/16", "5f00::/16", "fec0::/10")
)  # fmt: skip
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# a name server that hangs must not fill the process with waiting threads
_RESOLVING = threading.BoundedSemaphore(32)


def system_resolver(host: str, port: int) -> Sequence[str]:
    """The addresses of ``host`` as the machine knows them; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(entry[4][0]) for entry in found]


def allowed_addresses(
    host: str, port: int, *, deadline: Deadline, allow_inside: bool, resolver: Resolver
) -> list[Address]:
    """The addresses of ``host``, each checked; raises NotSentError.

    One bad address among good ones refuses them all: a name that points both outside and inside is an attack
    or a mistake.
    """
    addresses = _literal(host) or _resolved(host, port, deadline, resolver)
    if not addresses:
        raise NotSentError("dns-failed", f"{host} has no address")
    for address in addresses:
        why = refusal(address, allow_inside=allow_inside)
        if why:
            raise NotSentError("address-refused", f"{host} is {address}: {why}")
    return addresses


def refusal(address: Address, *, allow_inside: bool) -> str:
    """Why ``address`` may not be dialled, or nothing."""
    address = _embedded(address)
    if address in _METADATA:
        return "metadata"
    if address.is_multicast:
        return "multicast"
    if address.is_unspecified or (address.is_reserved and not address.is_loopback):
        return "reserved"
    inside = not address.is_global or any(address in network for network in _NOT_PUBLIC)
    return "inside" if inside and not allow_inside else ""


def _embedded(address: Address) -> Address:
    """The IPv4 address that an IPv6 address stands for, where it does."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _literal(host: str) -> list[Address]:
    try:
        return [ipaddress.ip_address(host)]
    except ValueError:
        return []


def _resolved(host: str, port: int, deadline: Deadline, resolver: Resolver) -> list[Address]:
    """Ask in a thread of its own, since getaddrinfo cannot be given a time limit."""
    answer: queue.SimpleQueue[Sequence[str] | OSError] = queue.SimpleQueue()
    try:
        if _RESOLVING.acquire(timeout=deadline.remaining()):
            threading.Thread(target=_ask, args=(host, port, resolver, answer), daemon=True).start()
        found = answer.get(timeout=deadline.remaining())
    except (TimeoutError, queue.Empty):
        raise NotSentError("dns-timeout", host) from None
    if isinstance(found, OSError):
        raise NotSentError("dns-failed", f"{host}: {found.strerror or found}")
    return list(dict.fromkeys(ipaddress.ip_address(text.partition("%")[0]) for text in found))


def _ask(
    host: str, port: int, resolver: Resolver, answer: queue.SimpleQueue[Sequence[str] | OSError]
) -> None:
    try:
        answer.put(resolver(host, port))
    except UnicodeError:
        answer.put(OSError(f"not a host name: {host[:80]!r}"))
    except OSError as error:
        answer.put(error)
    finally:
        _RESOLVING.release()
