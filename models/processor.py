"""What the processor of this machine computes fast."""

from functools import cache
from pathlib import Path

_FLAGS = Path("/proc/cpuinfo")
_BFLOAT16 = frozenset({"amx_bf16", "avx512_bf16"})


@cache
def fast_bfloat16() -> bool:
    """Whether this CPU multiplies bfloat16 in hardware; elsewhere float32 is faster.

    Where the processor doesn't say (no Linux, no x86), it is taken not to.
    """
    try:
        flags = _FLAGS.read_text("ascii", "ignore")
    except OSError:
        return False
    return not _BFLOAT16.isdisjoint(flags.split())
