"""Linear layers of the encoder, in floating point or with eight-bit weights.

Eight bits: weights are rounded row by row, inputs as they come (dynamic quantization, by PyTorch's own
kernels). On a CPU that takes some two thirds of the time and moves a layer's outputs by about one in a
hundred.
"""

import warnings
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

Linear = Callable[[torch.Tensor], torch.Tensor]
_STEPS = 127
"""Of a weight's size in eight bits with a sign."""


def float_linear(weight: torch.Tensor, bias: torch.Tensor) -> Linear:
    """``x`` of ``(rows, inputs)`` to ``x Wᵀ + b`` of ``(rows, outputs)``."""
    return lambda x: F.linear(x, weight, bias)


def eight_bit_linear(weight: torch.Tensor, bias: torch.Tensor) -> Linear:
    """The same with rounded weights, for single precision on a CPU; in floating point where PyTorch can't.

    Args:
        weight: ``(outputs, inputs)``.
        bias: ``(outputs,)``.
    """
    operators: Any = torch.ops
    library: Any = torch
    try:
        scales = (weight.abs().amax(dim=1) / _STEPS).clamp_min(1e-9).double()
        zeros = torch.zeros(len(weight), dtype=torch.int64)
        with warnings.catch_warnings():
            # PyTorch 2.13 says that a later one makes such tensors otherwise.
            warnings.simplefilter("ignore", UserWarning)
            rounded = library.quantize_per_channel(weight, scales, zeros, 0, torch.qint8)
        packed = operators.quantized.linear_prepack(rounded, bias)
        operators.quantized.linear_dynamic(torch.zeros(1, weight.shape[1]), packed)
    except (AttributeError, RuntimeError):
        return float_linear(weight, bias)
    return lambda x: operators.quantized.linear_dynamic(x, packed)
