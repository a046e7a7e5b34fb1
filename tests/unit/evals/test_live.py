"""Replay and figures of the live comparison, with a scripted sampler in place of the model."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.chat.choice import ReplyChooser
from app.chat.prompt import TokenCounter
from app.metrics import Metrics
from evals.live import check, summary
from evals.live_figures import difference, figures, is_better, rows_of
from evals.live_replay import Replay, Script, add_turns, read_scripts, read_turns
from models.chat_model import Candidate, ChatMessage
from models.profiles import load_profiles
from models.rerank import RerankWeights
from safety.risk import load_assessor
from tests.fakes.scoring import FakeScorer, FakeToxicity


class ScriptedSampler:
    """The k-th candidate is ``k.5 …``: FakeScorer reads that as its quality; later ones ask a question."""

    def __init__(self) -> None:
        self.prompts: list[list[ChatMessage]] = []

    @property
    def count_tokens(self) -> TokenCounter:
        return lambda messages: sum(len(m.content) for m in messages)

    def sample(self, prompts: Sequence[Sequence[ChatMessage]], n: int) -> list[list[Candidate]]:
        self.prompts += [list(prompt) for prompt in prompts]
        return [[self._one(k) for k in range(n)] for _ in prompts]

    def _one(self, k: int) -> Candidate:
        text = "3.0 I hear you well." if k == 0 else f"{3 + k / 2:.1f} What happened then?"
        return Candidate(text, None, "stop", 1, 1, 0.0)


def replay_with(sampler: ScriptedSampler) -> Replay:
    scorer = FakeScorer()
    chooser = ReplyChooser(scorer, FakeToxicity(), RerankWeights(), Metrics())
    return Replay(sampler, load_profiles()["embedded"], chooser, scorer, load_assessor())


SCRIPTS = [Script("0:a", ("My week was long.", "It went on.")), Script("1:b", ("Hello.", "Well.", "Yes."))]


def test_each_side_has_its_own_history() -> None:
    sampler = ScriptedSampler()
    replay = replay_with(sampler)
    one = [turn for step in replay.run(SCRIPTS, 1) for turn in step]
    several = [turn for step in replay.run(SCRIPTS, 4) for turn in step]
    assert len(one) == len(several) == 5
    assert {turn.text for turn in one} == {"3.0 I hear you well."}
    assert several[0].quality > one[0].quality
    last = sampler.prompts[-1]
    assert [m.role for m in last] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "I hear you" not in " ".join(m.content for m in last)


def test_a_replay_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "turns.jsonl"
    first = next(iter(replay_with(ScriptedSampler()).run(SCRIPTS, 1)))
    add_turns(file, first)
    file.write_text(file.read_text() + '{"conversation": "0:a", "tu')
    sampler = ScriptedSampler()
    rest = [t for step in replay_with(sampler).run(SCRIPTS, 1, read_turns(file)) for t in step]
    assert [(t.conversation, t.turn) for t in rest] == [("0:a", 1), ("1:b", 1), ("1:b", 2)]
    assert "I hear you" in sampler.prompts[0][2].content


def test_results_hold_no_text() -> None:
    turns = [turn for step in replay_with(ScriptedSampler()).run(SCRIPTS, 1) for turn in step]
    assert "hear" not in json.dumps(rows_of(turns, 1))


def row(quality: float, *tactics: str, again: bool = False) -> dict[str, object]:
    return {
        "tactics": list(tactics),
        "quality": quality,
        "repeated_opening": again,
        "similarity": 0.5,
        "words": 10,
        "level": 0,
        "fallback": False,
        "model_s": 1.0,
        "choose_s": 0.1,
    }


STICKY = [row(3.0, "advice"), row(3.0, "advice", again=True)]
VARIED = [row(4.0, "advice"), row(4.0, "validation")]


def test_figures_by_hand() -> None:
    found = figures([STICKY, VARIED])
    assert found["stickiness"] == 0.5
    assert found["quality"] == 3.5
    assert found["distinct_tactics"] == 1.5
    assert found["repeated_openings"] == 0.5


def test_a_clear_gain_is_better_and_its_opposite_is_not() -> None:
    several, one = {str(i): VARIED for i in range(5)}, {str(i): STICKY for i in range(5)}
    assert is_better(difference(several, one, 0, 50))
    assert not is_better(difference(one, several, 0, 50))


def test_a_gain_in_quality_alone_is_not_enough() -> None:
    better = [row(4.0, "advice"), row(4.0, "advice")]
    assert not is_better(difference({"0": better}, {"0": STICKY}, 0, 20))


def test_both_sides_must_hold_the_same_turns() -> None:
    with pytest.raises(ValueError, match="same conversations"):
        difference({"0": VARIED}, {"0": VARIED[:1]}, 0, 5)


@pytest.mark.parametrize(("n8", "better"), [(VARIED, True), (STICKY, False)])
def test_the_check_computes_again_what_a_file_claims(
    tmp_path: Path, n8: list[dict[str, object]], better: bool
) -> None:
    rows = {"n1": {str(i): STICKY for i in range(3)}, "n8": {str(i): n8 for i in range(3)}}
    file = tmp_path / "live.json"
    file.write_text(json.dumps({"better_on_both": not better, "rows": rows}))
    assert check(file, 0) is better
    assert summary(rows, 0)["conversations"] == 3


def test_scripts_hold_the_persons_turns_only(tmp_path: Path) -> None:
    file = tmp_path / "c.json.gz"
    turns = [("seeker", "One."), ("supporter", "Hm."), ("seeker", "Two."), ("seeker", "Three.")]
    found = [{"conversation_id": "x", "conversation": [{"role": r, "content": c} for r, c in turns]}]
    short = {"conversation_id": "y", "conversation": [{"role": "seeker", "content": "Only."}]}
    file.write_bytes(gzip.compress(json.dumps([short, *found]).encode()))
    assert read_scripts(file, 60, 2) == [Script("1:x", ("One.", "Two."))]
    with pytest.raises(ValueError, match=r"none\.gz"):
        read_scripts(tmp_path / "none.gz", 1, 1)


def test_the_committed_comparison_holds_when_its_figures_are_computed_again() -> None:
    results = Path(__file__).parents[3] / "evals" / "results" / "live.json"
    assert len(json.loads(results.read_text("utf-8"))["rows"]["n8"]) == 60
    assert check(results, seed=0)
