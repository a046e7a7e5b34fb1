"""A turn of the whole application with a reader of strategies that the setting names."""

import asyncio
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import app.main
from app.db.candidates import CandidateRepository
from app.db.migrate import upgrade
from app.main import build_parts
from app.settings import load_settings
from models.head_file import write_head
from models.reader_file import BIAS, FIRST, HEAD, OUTPUT, SECOND
from models.weights import EMBEDDED_NAME, Base, load_checkpoint
from tests.fakes.chat_model import FakeChatModel
from tests.fakes.reader_file import LAYER, STRATEGY_NAMES, write_reader_file
from tests.fakes.tiny_models import SIZES, write_tiny_llama

PERSON = "00000000-0000-4000-8000-000000000001"
HIDDEN = SIZES["hidden_size"]
SHAPES = {
    LAYER + FIRST: (2, HIDDEN),
    LAYER + SECOND: (HIDDEN, 2),
    OUTPUT: (len(STRATEGY_NAMES), HIDDEN),
    BIAS: (len(STRATEGY_NAMES),),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A head that is undecided beside a reader that always says ``Others``."""
    tensors = {"mean": np.zeros(768), "scale": np.ones(768), "w0": np.zeros((768, 2)), "b0": np.zeros(2)}
    facts = {"encoder": "e5-mint", "head": "strategies", "strategies": STRATEGY_NAMES}
    write_head(tmp_path / HEAD, tensors, {**facts, "features": ["text"], "words": 0.0})
    return write_reader_file(tmp_path, shapes=SHAPES, bias=(0.0, 5.0))


async def test_the_reader_of_the_setting_names_the_strategy_of_a_reply(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARKEN_HEADS__STRATEGIES", str(file))
    monkeypatch.setenv("HEARKEN_STORAGE__FOLDER", str(tmp_path))
    tiny, caches = write_tiny_llama(tmp_path / "tiny"), list[Path]()

    def tiny_base(cache: Path) -> Base:
        caches.append(cache)
        return Base(EMBEDDED_NAME, partial(load_checkpoint, tiny))

    monkeypatch.setattr(app.main, "embedded_base", tiny_base)
    settings = load_settings()
    await asyncio.to_thread(upgrade, settings.database_url)
    parts = build_parts(settings, model=FakeChatModel(lambda *_: ["Losing a job is hard. What happened?"]))
    await parts.start()
    await parts.ready()
    try:
        session = await parts.conversations.create(PERSON, "en")
        async for _ in parts.turns.run(session.id, "I lost my job."):
            pass
        shown = await CandidateRepository(parts.sessions).chosen(session.id)
    finally:
        await parts.close()
    assert [one.candidate.explanation["strategy"] for one in shown] == ["Others"]
    # Where the embedded model keeps its own unpacked weights.
    assert caches == [tmp_path / "models"]
