"""The plot is valid XML with a line for each curve."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from models.training.loss_curves import write_curves


def test_each_curve_is_a_line_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    write_curves(file, {"a & b": [(0, 1.0), (10, 0.5)], "c": [(0, 2.0)]}, "Title", "nats")
    root = ElementTree.parse(file).getroot()  # noqa: S314 - written a line above
    lines = root.findall("{http://www.w3.org/2000/svg}polyline")
    texts = {text.text for text in root.findall("{http://www.w3.org/2000/svg}text")}
    assert len(lines) == 2
    assert {"a & b", "c", "Title", "nats", "step"} <= texts


def test_nothing_to_draw_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        write_curves(tmp_path / "plot.svg", {"a": []}, "Title", "nats")
