import re

import pytest

from evals.chart import Interval, interval_svg


def test_an_interval_is_drawn_to_scale_around_its_value() -> None:
    svg = interval_svg([Interval("a & b", 50, 25, 75), Interval("c", 100)], "Score", "points")
    (line,) = re.findall(r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="\2" stroke="#2f6690"/>', svg)
    dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)
    low, height, high = map(float, line)
    assert float(dots[0][0]) == pytest.approx((low + high) / 2, abs=0.1)
    assert float(dots[0][1]) == height
    assert float(dots[1][0]) - float(dots[0][0]) == pytest.approx(high - low, abs=0.2)  # 50 points each
    assert "a &amp; b" in svg
