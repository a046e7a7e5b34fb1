"""The mean of two adapters: tensor by tensor, with the marks of both, and nothing else is mixed."""

from pathlib import Path
from typing import Any

import pytest
import safetensors.torch as safetensors_torch
import torch

from models.adapter_marks import WEIGHTS, knows_codes, marks
from models.training.mix_adapters import main, mixed

FILES: Any = safetensors_torch


def _adapter(folder: Path, value: float, *, codes: bool = True, width: int = 3) -> Path:
    folder.mkdir()
    weights = {"a.lora_A.weight": torch.full((2, width), value, dtype=torch.bfloat16)}
    FILES.save_file(weights, folder / WEIGHTS, metadata=marks(codes))
    (folder / "adapter_config.json").write_text(f'{{"r": 2, "of": {value}}}', "utf-8")
    return folder


def test_the_mean_lies_at_the_share_of_the_second() -> None:
    first, second = {"w": torch.tensor([0.0, 4.0])}, {"w": torch.tensor([1.0, 8.0])}
    assert torch.equal(mixed(first, second, 0.25)["w"], torch.tensor([0.25, 5.0]))
    assert torch.equal(mixed(first, second, 0.0)["w"], first["w"])
    assert torch.equal(mixed(first, second, 1.0)["w"], second["w"])


def test_the_written_adapter_keeps_format_configuration_and_marks(tmp_path: Path) -> None:
    first, second = _adapter(tmp_path / "one", 1.0), _adapter(tmp_path / "two", 2.0)
    main([str(first), str(second), "--share", "0.5", "--output", str(tmp_path / "mean")])
    weights = FILES.load_file(tmp_path / "mean" / WEIGHTS)["a.lora_A.weight"]
    assert torch.equal(weights, torch.full((2, 3), 1.5, dtype=torch.bfloat16))
    assert knows_codes(tmp_path / "mean")
    assert '"of": 1.0' in (tmp_path / "mean" / "adapter_config.json").read_text("utf-8")


def test_adapters_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    one, other = _adapter(tmp_path / "one", 1.0), _adapter(tmp_path / "other", 1.0, width=4)
    plain = _adapter(tmp_path / "plain", 1.0, codes=False)
    for second, share, word in ((other, "0.5", "shape"), (plain, "0.5", "codes"), (one, "1.5", "0 to 1")):
        with pytest.raises(SystemExit, match=word):
            main([str(one), str(second), "--share", share, "--output", str(tmp_path / "out")])
    with pytest.raises(SystemExit, match="No such file"):
        main([str(plain), str(tmp_path / "nowhere"), "--output", str(tmp_path / "out")])
