"""What the processor is said to compute fast, read from what Linux tells of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from models import processor
from models.processor import fast_bfloat16


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    fast_bfloat16.cache_clear()
    yield
    fast_bfloat16.cache_clear()


@pytest.mark.parametrize(
    ("flags", "fast"),
    [
        ("fpu sse2 avx2 avx512f avx512_bf16", True),
        ("fpu sse2 avx512f amx_bf16 amx_tile", True),
        ("fpu sse2 avx2 avx512f", False),
        ("fpu not_avx512_bf16x", False),
    ],
)
def test_its_flags_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: str, fast: bool) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(f"processor\t: 0\nflags\t\t: {flags}\n")
    monkeypatch.setattr(processor, "_FLAGS", file)
    assert fast_bfloat16() is fast


def test_a_processor_that_says_nothing_is_not_fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "_FLAGS", tmp_path / "none")
    assert fast_bfloat16() is False
