"""The ablation table is put together from training reports and drawn replies."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals import multi_task
from evals.multi_task import as_text, main, read_reports
from tests.fakes.scoring import FakeScorer

TURNS = [["user", "I miss my dog."]]


def report(seed: int = 3, **scores: float | None) -> dict[str, Any]:
    return {
        "scores": {"language": 2.0, "kl": 0.1, **scores},
        "base_scores": {"language": 3.0},
        "settings": "a digest that counts where folders lay",
        "config": {"train": {"seed": seed}},
        "rows": {"dialogue_train": 1},
        "device": "x86_64",
        "date": "2026-11-28",
        "packages": {},
        "licence": "free",
        "data_licences": {},
        "seconds": 1.0,
    }


def write(run: Path, name: str, content: dict[str, Any], *replies: str) -> None:
    (run / name).mkdir(parents=True)
    (run / name / "training.json").write_text(json.dumps(content), "utf-8")
    rows = [{"source": "mint", "risk": 0, "turns": TURNS, "replies": list(replies)}]
    (run / name / "samples.json").write_text(json.dumps(rows), "utf-8")


def test_the_table_joins_scores_and_predicted_quality(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(multi_task, "load_scorer", lambda _: FakeScorer())
    write(tmp_path, "full", report(emotion_f1_test=0.4, strategy_f1=0.5), "4.0 a", "4.5 b")
    write(tmp_path, "lm-only", report(language=2.5, emotion_f1_test=None), "3.5 a", "3.0 b")
    write(tmp_path, "untrained", {}, "2.0 a", "2.5 b")
    main([str(tmp_path), "--json", str(tmp_path / "out.json"), "--plot", str(tmp_path / "out.svg")])
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    full, plain = found["variants"]["full"], found["variants"]["lm-only"]
    assert (full["validation_loss"], full["emotion_f1"], full["predicted_q_n1"]) == (2.0, 0.4, 4.0)
    assert (full["predicted_q_best_of_4"], plain["predicted_q_best_of_4"]) == (4.5, 3.5)
    assert found["untrained"]["predicted_q_n1"] == 2.0
    assert found["provenance"]["seed"] == 3
    assert "| lm-only | 2.500 | 0.100 | – | – |" in capsys.readouterr().out
    assert "full" in (tmp_path / "out.svg").read_text("utf-8")


def test_a_missing_score_is_a_dash() -> None:
    figures = dict.fromkeys([*multi_task.COLUMNS, "predicted_q_n1", "predicted_q_best_of_4"], None)
    assert as_text({"full": figures}).endswith("| full | – | – | – | – | – | – | – |")


def test_variants_of_different_settings_are_not_compared(tmp_path: Path) -> None:
    write(tmp_path, "full", report(seed=3))
    write(tmp_path, "no-kl", report(seed=4))
    with pytest.raises(ValueError, match="different settings"):
        read_reports(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no variant"):
        read_reports(tmp_path)
