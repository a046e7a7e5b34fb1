"""A tiny Llama learns which first sentences fit, and judges them on the weights that drew them."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import peft
import pytest
import torch
from safetensors import torch as safetensors_torch

from models.chat_model import ChatMessage, SamplingParams
from models.first_file import read_firsts_facts
from models.first_reader import FirstReader
from models.head_file import HeadError
from models.later_sentences import Later
from models.local_engine import Begun, LocalEngine, Prompt
from models.low_rank_reader import LowRankReader, load_low_rank_reader
from models.reader_file import BIAS, OUTPUT
from models.reader_text import TurnTokens
from models.sentences import split_sentences
from models.training.base_model import load_base
from models.training.firsts_install import main as install
from models.training.lora import adapter_weights, save_adapter
from models.training.read_replies import ReadMessage
from models.training.reader_answers import pack_answers
from models.training.reader_data import save
from models.training.reader_pack import load_tokenizer
from models.training.reader_tune import main as tune
from models.training.score_firsts import load_reader, scored, with_firsts
from models.training.score_firsts import main as score
from models.weights import Checkpoint
from tests.fakes.tiny_models import write_tiny_llama

GOOD, BAD = "Your dog died.", "What a joy!"
SAID = (ChatMessage("user", "My dog died."),)
GREEDY = SamplingParams(temperature=0.0, max_tokens=24)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def tuned(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a reader of answers, installed as ``reader.safetensors`` as well."""
    folder = tmp_path_factory.mktemp("tuned")
    messages = [
        ReadMessage(
            f"m{number}",
            "kept_apart",
            (ChatMessage("user", f"My dog died. {'Really. ' * (number % 3)}"),),
            ((f"{GOOD} So sad.", 2), (f"{BAD} So sad.", 0), (f"{GOOD} Hm.", 2)),
            {f"{GOOD} So sad.": GOOD, f"{BAD} So sad.": BAD, f"{GOOD} Hm.": GOOD},
            "",
        )
        for number in range(30)
    ]
    save(pack_answers(messages, load_tokenizer(str(tiny))), folder / "answers.npz")
    shared = [str(folder / "answers.npz"), "--base", str(tiny), "--output", str(folder), "--device", "cpu"]
    assert tune([*shared, "--epochs", "12", "--rate", "1e-2", "--contexts", "6"]) == 0
    arguments = [str(folder / "reader_all.safetensors"), "--metrics", str(folder / "metrics_apart.json")]
    assert install([*arguments, "--output", str(folder / "reader.safetensors")]) == 0
    return folder


@pytest.fixture(scope="module")
def checkpoint(tiny: Path) -> Checkpoint:
    model, tokenizer = load_base(str(tiny))
    return Checkpoint("tiny", model.eval(), tokenizer, 2048)


@pytest.fixture(scope="module")
def adapter(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chat adapter with weights that change what is said."""
    adapters: Any = peft
    model = adapters.get_peft_model(
        load_base(str(tiny))[0],
        adapters.LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM"),
    )
    torch.manual_seed(1)  # pyright: ignore[reportUnknownMemberType]
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight, std=0.3)
    folder = tmp_path_factory.mktemp("adapter")
    save_adapter(model, adapter_weights(model), "tiny", folder)
    return folder


def _reader(tuned: Path, checkpoint: Checkpoint, adapter: Path | None = None) -> FirstReader:
    file = tuned / "reader.safetensors"
    reader = load_low_rank_reader(file, checkpoint, adapter)
    return FirstReader(reader, TurnTokens(checkpoint.tokenizer), read_firsts_facts(file))


def test_what_fits_is_told_from_what_misses(tuned: Path, checkpoint: Checkpoint) -> None:
    fits, misses = _reader(tuned, checkpoint).worths(SAID, [GOOD, BAD])
    assert fits > 0.3
    assert misses < -0.3


def test_it_judges_as_after_tuning(tuned: Path, tiny: Path, checkpoint: Checkpoint) -> None:
    row = with_firsts(
        {"turns": [["user", "My dog died."]], "replies": [{"text": f"{GOOD} Hm."}, {"text": BAD}]}
    )
    reader, tokenizer = load_reader(tuned / "reader_all.safetensors", str(tiny), "none", torch.device("cpu"))
    (judged,) = scored([row], reader, tokenizer)
    assert [one["verdict"] for one in judged["replies"]] == ["fits", "misses"]
    worths = _reader(tuned, checkpoint).worths(SAID, [GOOD, BAD])
    # The file of weights is in bfloat16.
    assert np.allclose(worths, [one["worth"] for one in judged["replies"]], atol=0.02)


@pytest.mark.parametrize("name", ["reader_all.safetensors", "reader.safetensors"])
def test_drawn_replies_are_judged_by_command(tuned: Path, tiny: Path, tmp_path: Path, name: str) -> None:
    replies = [{"text": BAD}, {"text": f"{GOOD} Hm."}, {"text": f"{GOOD} Oh."}, {"text": "Cut off […]"}]
    row = {"source": "x", "turns": [["user", "My dog died."]], "replies": replies}
    (tmp_path / "drawn.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    arguments = ["--reader", str(tuned / name), "--base", str(tiny)]
    score([str(tmp_path / "drawn.jsonl"), *arguments, "--output", str(tmp_path / "out" / "scored.jsonl")])
    found = json.loads((tmp_path / "out" / "scored.jsonl").read_text("utf-8"))
    assert [(one["first"], one["verdict"]) for one in found["replies"]] == [(GOOD, "fits"), (BAD, "misses")]
    with pytest.raises(SystemExit, match="score_firsts"):
        score([str(tmp_path / "none.jsonl"), *arguments, "--output", str(tmp_path / "scored.jsonl")])


def test_a_file_of_other_weights_is_refused(tiny: Path) -> None:
    with pytest.raises(ValueError, match=r"model\.safetensors says no rank"):
        load_reader(tiny / "model.safetensors", str(tiny), "none", torch.device("cpu"))


def test_a_reader_with_other_metrics_is_not_installed(
    tuned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "metrics.json").write_text("{}", "utf-8")
    arguments = [str(tuned / "reader_all.safetensors"), "--metrics", str(tmp_path / "metrics.json")]
    assert install([*arguments, "--output", str(tmp_path / "reader.safetensors")]) == 1
    assert "not installed" in capsys.readouterr().err


def test_an_adapter_of_the_chat_model_changes_nothing_in_what_is_read(
    tuned: Path, tiny: Path, checkpoint: Checkpoint, adapter: Path
) -> None:
    adapters: Any = peft
    base, tokenizer = load_base(str(tiny))
    merged = adapters.PeftModel.from_pretrained(base, str(adapter)).merge_and_unload().eval()
    chat = Checkpoint("tiny+adapter", merged, tokenizer, 2048)
    alone = _reader(tuned, checkpoint).worths(SAID, [GOOD, BAD])
    assert not np.allclose(_reader(tuned, chat).worths(SAID, [GOOD, BAD]), alone, atol=0.05)
    assert np.allclose(_reader(tuned, chat, adapter).worths(SAID, [GOOD, BAD]), alone, atol=0.02)


def test_reading_leaves_the_chat_model_as_it_was(tuned: Path, checkpoint: Checkpoint) -> None:
    ids = torch.tensor([[5, 6, 7]])
    before = checkpoint.model(input_ids=ids).logits
    _reader(tuned, checkpoint).worths(SAID, [GOOD])
    assert torch.equal(checkpoint.model(input_ids=ids).logits, before)


def test_a_reader_of_another_size_is_refused(tuned: Path, checkpoint: Checkpoint) -> None:
    file = tuned / "reader.safetensors"
    other = {"layers.9.mlp.up_proj": (torch.zeros(2, 32), torch.zeros(64, 2))}
    with pytest.raises(HeadError, match="has no layer"):
        LowRankReader(checkpoint, _tensors(file), other)
    other = {"layers.0.mlp.up_proj": (torch.zeros(2, 31), torch.zeros(64, 2))}
    no_layers = {name: one for name, one in _tensors(file).items() if name in (OUTPUT, BIAS)}
    with pytest.raises(HeadError, match="another size"):
        LowRankReader(checkpoint, no_layers, other)
    with pytest.raises(HeadError, match="another size"):
        LowRankReader(checkpoint, no_layers | {OUTPUT: torch.zeros(3, 16)}, {})


def _tensors(file: Path) -> dict[str, torch.Tensor]:
    files: Any = safetensors_torch
    return files.load_file(file)


@pytest.fixture
def engine(checkpoint: Checkpoint) -> LocalEngine:
    return LocalEngine(checkpoint, 2048)


@pytest.fixture
def prompt(engine: LocalEngine) -> Prompt:
    return engine.prompt(SAID, {})


def _begun(engine: LocalEngine, text: str) -> Begun:
    start, whole = (
        engine.prompt([ChatMessage("user", "x")], {}),
        engine.prompt([ChatMessage("user", f"x{text}")], {}),
    )
    size = len(whole.ids) - len(start.ids)
    at = next(place for place, (a, b) in enumerate(zip(start.ids, whole.ids, strict=False)) if a != b)
    return Begun(whole.ids[at : at + size], text)


def test_replies_go_on_from_their_beginnings_as_if_each_were_alone(
    engine: LocalEngine, prompt: Prompt
) -> None:
    begun = [_begun(engine, "Oh no, your dog died."), _begun(engine, "No."), _begun(engine, "So.")]
    stop = threading.Event()
    # Each alone has no padding; together all have room for the longest.
    width = max(len(one.ids) for one in begun)
    alone = [
        engine.generate(
            prompt,
            1,
            replace(GREEDY, max_tokens=len(one.ids) + 60 - width),
            stop=stop,
            timeout_s=60,
            begun=[one],
        )[0]
        for one in begun
    ]
    together = engine.generate(
        prompt, 3, replace(GREEDY, max_tokens=60), stop=stop, timeout_s=60, begun=begun
    )
    assert [one.text for one in together] == [one.text for one in alone]
    assert all(one.text.startswith(own.text) for one, own in zip(together, begun, strict=True))
    assert [one.tokens for one in together] == [one.tokens for one in alone]


def test_behind_their_beginnings_replies_say_sentences_of_the_list_each_once(
    engine: LocalEngine, prompt: Prompt
) -> None:
    later = [
        Later("I am here.", last=False),
        Later("It hurts.", last=False),
        Later("How are you?", last=True),
    ]
    begun = [_begun(engine, "Oh no, your dog died."), _begun(engine, "So.")]
    params = SamplingParams(temperature=1.0, max_tokens=200)
    for _ in range(4):
        replies = engine.generate(
            prompt, 2, params, stop=threading.Event(), timeout_s=60, begun=begun, later=later
        )
        for reply, own in zip(replies, begun, strict=True):
            said = split_sentences(reply.text.removeprefix(own.text))
            assert reply.finish_reason == "stop"
            assert said
            assert {*said} <= {one.text for one in later}
            assert len(said) == len({*said})
            assert not any(text.endswith("?") for text in said[:-1])


def test_a_beginning_as_long_as_a_whole_reply_may_be_is_no_error(engine: LocalEngine, prompt: Prompt) -> None:
    begun = _begun(engine, "Oh no, your dog died.")
    short = replace(GREEDY, max_tokens=len(begun.ids))
    (reply,) = engine.generate(prompt, 1, short, stop=threading.Event(), timeout_s=60, begun=[begun])
    assert reply.text.startswith(begun.text)


def test_a_stream_begins_with_the_sentence(engine: LocalEngine, prompt: Prompt) -> None:
    begun, pieces = _begun(engine, "Oh no, your dog died."), list[str]()
    (reply,) = engine.generate(
        *(prompt, 1, GREEDY), stop=threading.Event(), timeout_s=60, on_text=pieces.append, begun=[begun]
    )
    assert pieces[0] == begun.text
    assert "".join(pieces) == reply.text


def test_first_sentences_are_whole_and_differ_and_the_prompt_is_kept(
    engine: LocalEngine, prompt: Prompt, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = threading.Event()
    expected = engine.generate(prompt, 1, GREEDY, stop=stop, timeout_s=60)
    texts = ("Oh no. Really", "Oh no. And", "Cut off here and no end", "Fine.<|im_end|>")
    rows = [_ids(engine, text) for text in texts]
    original = engine._begun  # pyright: ignore[reportPrivateUsage]
    found = [original(ids) for ids in rows]
    assert [one and one.text for one in found] == ["Oh no.", "Oh no.", None, "Fine."]
    monkeypatch.setattr(engine, "_begun", lambda _row: found.pop(0) if found else None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    firsts = engine.first_sentences(prompt, 4, replace(GREEDY, temperature=1.0), stop=stop, timeout_s=60)
    assert [one.text for one in firsts] == ["Oh no.", "Fine."]
    assert engine.generate(prompt, 1, GREEDY, stop=stop, timeout_s=60)[0].text == expected[0].text


def _ids(engine: LocalEngine, text: str) -> list[int]:
    tokenizer: Any = engine._tokenizer  # pyright: ignore[reportPrivateUsage]
    return tokenizer(text, add_special_tokens=False).input_ids


def test_a_stop_ends_the_drawing_of_first_sentences(engine: LocalEngine, prompt: Prompt) -> None:
    stop = threading.Event()
    stop.set()
    assert engine.first_sentences(prompt, 4, GREEDY, stop=stop, timeout_s=60) == []


def test_sentences_are_told_by_their_marks(engine: LocalEngine, prompt: Prompt) -> None:
    firsts = engine.first_sentences(
        prompt, 6, SamplingParams(temperature=1.0, max_tokens=40), stop=threading.Event(), timeout_s=60
    )
    assert len({one.text for one in firsts}) == len(firsts)
    assert all(split_sentences(one.text) == [one.text] for one in firsts)
