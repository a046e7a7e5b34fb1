"""How often one network may do something; no address is kept, neither in memory nor in a log."""

import hashlib
import ipaddress
import math
import secrets
import time

from limits import RateLimitItemPerHour
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection

_IPV6_NETWORK = 64
"""Bits of an IPv6 address that name a network; a single household has all addresses of one."""
_MOST_NETWORKS = 100_000
"""Networks remembered at once; beyond that counting begins anew, so that memory stays bounded."""


class AddressLimit:
    """Counts one kind of event by network, over the last hour, in this process only.

    Args:
        per_hour: Most events of a network within an hour; 0 lets everything pass.
    """

    def __init__(self, per_hour: int) -> None:
        self._item = RateLimitItemPerHour(per_hour) if per_hour else None
        self._storage = MemoryStorage()
        self._window = MovingWindowRateLimiter(self._storage)
        # Networks are told apart by keyed hashes: without the key, which dies with the process, a
        # dump of the memory would not tell who was here.
        self._key = secrets.token_bytes(32)

    def wait(self, address: str | None) -> int:
        """Count one event.

        Args:
            address: IP address it comes from; ``None`` is not counted.

        Returns:
            0 if it may happen, else the seconds until the next one may; a refused event is not counted.
        """
        if self._item is None or address is None:
            return 0
        if len(self._storage.events) > _MOST_NETWORKS:
            self._storage.reset()
        network = hashlib.blake2b(_network(address).encode(), key=self._key, digest_size=16).hexdigest()
        if self._window.hit(self._item, network):
            return 0
        reset_at = self._window.get_window_stats(self._item, network).reset_time
        return max(1, math.ceil(reset_at - time.time()))


def address_of(connection: HTTPConnection) -> str | None:
    """The address that a request comes from, as far as it is known.

    Uvicorn puts the address that a believed proxy names in place of the proxy's. What a proxy on this machine
    forwards without being believed comes from anybody: counted as one, visitors would shut each other out.
    """
    if connection.client is None:
        return None
    host, headers = connection.client.host, connection.headers
    forwarded = "x-forwarded-for" in headers or "forwarded" in headers
    try:
        if forwarded and ipaddress.ip_address(host).is_loopback:
            return None
    except ValueError:
        return None
    return host


def _network(address: str) -> str:
    """The network that is counted as one: the whole IPv4 address, the first half of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, _IPV6_NETWORK), strict=False))
