"""Configurations of a file are played against a small real HTTP server and measured."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.chat.choice import ReplyChooser
from app.metrics import Metrics
from evals import run_configurations
from models.rerank import RerankWeights
from tests.fakes.judge_server import JudgeWorld, Says, judge_server
from tests.fakes.scoring import FakeScorer, FakeToxicity

SCENARIOS = """
- {id: cat, language: en, theme: loss, turns: [My cat died., She was fifteen.]}
- {id: job, language: en, theme: job, turns: [I lost my job., I told nobody.]}
"""
ANSWERS = ["3.0 Tell me more.", "4.5 That is so hard.", "3.1 Go on please."]


def a_chooser() -> ReplyChooser:
    return ReplyChooser(FakeScorer(), FakeToxicity(), RerankWeights(), Metrics())


def says(asked: dict[str, Any]) -> Says:
    return Says(several=[f"<think>x</think>{one}" for one in ANSWERS[: asked.get("n") or 1]])


def run(folder: Path, world: JudgeWorld) -> dict[str, Any]:
    (folder / "s.yaml").write_text(SCENARIOS, "utf-8")
    config = {
        "scenarios": str(folder / "s.yaml"),
        "configurations": [
            {"name": "one", "url": world.url},
            {"name": "first of 3", "url": world.url, "n": 3},
            {"name": "best of 3", "url": world.url, "n": 3, "rerank": True},
        ],
    }
    (folder / "c.yaml").write_text(json.dumps(config), "utf-8")
    out = folder / "out.json"
    arguments = [f"--config={folder / 'c.yaml'}", f"--answers={folder / 'answers'}", f"--json={out}"]
    more = [f"--transcripts={folder / 't.jsonl'}", "--draws=50", "--note=A test."]
    run_configurations.main([*arguments, *more], a_chooser, FakeScorer())
    return json.loads(out.read_text("utf-8"))


def test_rows_tell_what_each_configuration_said(tmp_path: Path) -> None:
    with judge_server(says) as world:
        found = run(tmp_path, world)
        asked = len(world.asked)
        assert run(tmp_path, world)["configurations"] == found["configurations"]
        assert len(world.asked) == asked  # the second run went on from what was stored
    rows = found["configurations"]
    assert [rows[name]["quality"]["mean"] for name in rows] == [3.0, 3.0, 4.5]
    assert [rows[name]["turns"] for name in rows] == [4, 4, 4]
    assert rows["one"]["repeated_openings"]["mean"] == 1.0
    assert rows["one"]["words"] == {"mean": 4.0, "low": 4.0, "high": 4.0}
    assert (found["note"], rows["best of 3"]["n"], rows["best of 3"]["rerank"]) == ("A test.", 3, True)
    assert len((tmp_path / "t.jsonl").read_text("utf-8").splitlines()) == 6


def test_a_model_that_fails_is_counted_and_leaves_gaps(tmp_path: Path) -> None:
    with judge_server(lambda _: Says("x", status=500)) as world:
        row = run(tmp_path, world)["configurations"]["one"]
    assert (row["conversations"], row["failures"]) == (0, {"model_error": 2})
    assert row["quality"] == {"mean": None, "low": None, "high": None}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("configurations: []", "configurations: "),
        ("configurations: [{name: a, url: u, n: 99}]", r"configurations\.0\.n"),
        ("configurations: [{name: a, url: u}, {name: a, url: u}]", "same name"),
        ("configurations: [{name: a, url: u, colour: red}]", "colour"),
        ("{language: fr, configurations: [{name: a, url: u}]}", "no scenario"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=what):
        run_configurations.read_plan(file)
