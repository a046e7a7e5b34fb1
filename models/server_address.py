"""Where a model server stands: on this machine, in a private network, or open to the world."""

import asyncio
import ipaddress
import socket
from typing import Literal
from urllib.parse import urlsplit

Reach = Literal["loopback", "private", "public", "unknown"]


async def reach_of(url: str) -> Reach:
    """How far an address can be reached, judged by every address its host name stands for."""
    host = urlsplit(url).hostname or ""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return "unknown"
    addresses = [ipaddress.ip_address(str(entry[4][0]).split("%")[0]) for entry in found]
    if all(address.is_loopback for address in addresses):
        return "loopback"
    return "public" if any(address.is_global for address in addresses) else "private"


def is_internal(url: str) -> bool:
    """Whether a proxy from the environment must be passed by: no look-up, by the name alone."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".local", ".internal", ".lan", ".svc"))


def exposure_warnings(reach: Reach, *, open_to_all: bool) -> tuple[str, ...]:
    """What to tell an operator about where a vLLM server stands.

    Args:
        reach: How far its address can be reached.
        open_to_all: It lists its models without a key.
    """
    if reach != "public":
        return ()
    use = "anybody can use it without a key" if open_to_all else "its key guards only a part of it"
    return (f"the model server stands at a public address and {use}: move it to a private network",)
