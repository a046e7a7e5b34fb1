"""From ratings in a database over the export to a tuned tiny model that prefers what people preferred."""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import datasets
import httpx
import pytest
import torch
import trl
from safetensors.torch import load_file
from sqlalchemy import URL
from transformers import AutoModelForCausalLM, AutoTokenizer

from app.auth.sign_in import StaffAuth
from app.auth.staff_cookie import COOKIE_NAME
from app.db.engine import SessionFactory
from app.db.records import MessageStatus, NewCandidate, NewReply, ReplySource, StaffRole
from models.training.dpo import main as dpo
from models.training.kto import main as kto
from tests.browser.staff_site import PASSWORD, build_staff_site, fill
from tests.fakes.clock import FakeClock
from tests.fakes.tiny_models import write_tiny_llama, write_tiny_qwen3
from tests.integration.app.auth.conftest import RULES
from tests.integration.app.db.store import Store, a_store

CONFIGS = Path("models/training/configs")
WARM = ("That sounds heavy.", "I hear how much you miss her.", "Thank you for telling me.")
COLD = ("Get over it.", "Others have it worse.", "Just cheer up and move on.")
RECIPES = {"kto": kto, "dpo": dpo}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """A model of 32 dimensions computes faster than threads can meet."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> URL:
    shutil.copy(sqlite_template, tmp_path / "staff.sqlite3")
    return URL.create("sqlite", database=str(tmp_path / "staff.sqlite3"))


async def add_ratings(store: Store, conversations: int) -> None:
    """Conversations in which staff like warm replies and put them before cold ones, whatever was shown."""
    for number in range(conversations):
        person = await store.person()
        await store.persons.update(person.id, consent=True)
        session = await store.session(person)
        message = await store.messages.add_user(session.id, f"I feel low, part {number % 5}")
        texts = WARM[number % 3], COLD[(number // 3) % 3]
        shown = number % 2
        rows = [NewCandidate(place, text, chosen=place == shown) for place, text in enumerate(texts)]
        answer = NewReply(texts[shown], MessageStatus.COMPLETE, ReplySource.MODEL, "a-model")
        reply = await store.messages.reply_with_candidates(session.id, message.id, answer, rows)
        ids = {one.candidate.text: one.id for one in await store.candidates.for_message(message.id)}
        await store.rankings.set_ranking(message.id, "staff:ann", {ids[texts[0]]: 1, ids[texts[1]]: 2})
        await store.feedback.set_rating(reply.id, "staff:ann", -1 if shown else 1)


@pytest.fixture
async def exports(factory: SessionFactory, tmp_path: Path) -> Path:
    """A folder with both files, downloaded by an admin."""
    store = a_store(factory, FakeClock(datetime.now(UTC)))
    await fill(store)
    await add_ratings(store, 36)
    auth = StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock)
    token = (await auth.sign_in(StaffRole.ADMIN.value, PASSWORD)).token
    transport = httpx.ASGITransport(build_staff_site(factory))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        for name in ("kto.jsonl", "dpo.jsonl"):
            headers = {"cookie": f"{COOKIE_NAME}={token}"}
            answer = await client.get(f"/api/staff/export/{name}", headers=headers)
            assert answer.status_code == 200
            (tmp_path / name).write_bytes(answer.content)
    return tmp_path


def train(method: str, folder: Path, *options: str) -> dict[str, Any]:
    """Run a recipe with its tiny settings; its report."""
    values = {"base": folder / "base", "data": folder / f"{method}.jsonl", "output": folder / "run"}
    settings = [part for name, value in values.items() for part in ("--set", f"{name}={value}")]
    RECIPES[method](["--config", str(CONFIGS / f"{method}_tiny.yaml"), *settings, *options])
    return json.loads((folder / "run" / "training.json").read_text())


@pytest.mark.parametrize("method", RECIPES)
def test_what_people_preferred_becomes_likelier_on_conversations_kept_apart(
    exports: Path, method: str
) -> None:
    write_tiny_llama(exports / "base")
    report = train(method, exports)
    assert report["rows"]["train"] + report["rows"]["valid"] == 36
    for side in ("train", "valid"):
        assert report["margin_after"][side] > report["margin_before"][side] + 0.5
    curves = json.loads((exports / "run" / "curves.json").read_text())
    assert curves["reward margin, valid"][-1][1] > curves["reward margin, valid"][0][1]
    assert [step for step, _ in curves["reward margin, valid"]] == [8, 16, 24]
    assert (exports / "run" / "curves.svg").read_text().startswith("<svg")
    files = {file.name for file in (exports / "run" / "adapter").iterdir()}
    assert files >= {"adapter_model.safetensors", "adapter_config.json"}


def write_rows(file: Path) -> None:
    """The same preferences as above without a database."""
    rows = [
        {
            "prompt": [{"role": "user", "content": f"I feel low, part {number % 5}"}],
            "chosen": [{"role": "assistant", "content": WARM[number % 3]}],
            "rejected": [{"role": "assistant", "content": COLD[number // 3 % 3]}],
            "session_id": f"s{number}",
        }
        for number in range(16)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_run_that_was_broken_off_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    short = ("--set", "train.steps=4", "--set", "train.every=2")
    weights = {}
    for name in ("whole", "broken"):
        folder = tmp_path / name
        folder.mkdir()
        write_tiny_llama(folder / "base")
        write_rows(folder / "dpo.jsonl")
        if name == "broken":
            with pytest.raises(SystemExit) as ended:
                train("dpo", folder, *short, "--budget-s", "0")
            assert ended.value.code == 3
            assert [file.name for file in (folder / "run" / "checkpoints").glob("checkpoint-*")] == [
                "checkpoint-1"
            ]
        report = train("dpo", folder, *short)
        assert (report["ended"], report["step"]) == ("steps", 4)
        weights[name] = load_file(folder / "run" / "adapter" / "adapter_model.safetensors")
    assert weights["whole"].keys() == weights["broken"].keys()
    for name, tensor in weights["whole"].items():
        torch.testing.assert_close(tensor, weights["broken"][name])


def test_a_folder_is_not_shared_by_two_different_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tiny_qwen3(tmp_path / "base")
    write_rows(tmp_path / "dpo.jsonl")
    short = ("--set", "train.steps=1")
    train("dpo", tmp_path, *short)
    with pytest.raises(SystemExit) as ended:
        train("dpo", tmp_path, "--set", "train.steps=2")
    assert ended.value.code == 2
    assert "holds a run with other settings or data" in capsys.readouterr().err


def test_trl_takes_the_exports_as_they_are(exports: Path) -> None:
    base = str(write_tiny_llama(exports / "base"))
    for name, trainer, config in (
        ("kto", trl.KTOTrainer, trl.KTOConfig),
        ("dpo", trl.DPOTrainer, trl.DPOConfig),
    ):
        rows = datasets.load_dataset(
            "json", data_files=str(exports / f"{name}.jsonl"), split="train", cache_dir=str(exports / "cache")
        )
        settings = config(
            output_dir=str(exports / name),
            max_steps=1,
            per_device_train_batch_size=2,
            report_to="none",
            use_cpu=True,
            bf16=False,
            dataloader_pin_memory=False,
            activation_checkpointing=False,
        )
        run = trainer(
            model=AutoModelForCausalLM.from_pretrained(base),
            args=settings,
            train_dataset=rows,
            processing_class=AutoTokenizer.from_pretrained(base),
        )
        assert run.train().global_step == 1
