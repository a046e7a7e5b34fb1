"""Figures of drawn replies, computed by hand, with a scorer that knows the replies."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.tuned_chat import as_text, main, measure
from evals.tuned_chat_draw import FALLBACK, Going, Turn, choose, is_adapter, roll_out
from evals.tuned_chat_figures import conversation_figures, falls_into_template, figures, rows_of
from models.chat_model import ChatMessage
from models.novelty import TacticHistory
from models.scorer_features import ReplyFeatures
from models.tactics import Tactic

A, V = Tactic.ADVICE, Tactic.VALIDATION
KNOWN = {"Rest a little now.": ({A: 1}, 3.0), "It sounds hard.": ({V: 1}, 4.0)}


class Scorer:
    """Q and tactics of two replies; any other has none and 1."""

    def features(
        self, _: Sequence[ChatMessage], replies: Sequence[str], earlier: Sequence[str] = ()
    ) -> list[ReplyFeatures]:
        found: list[ReplyFeatures] = []
        for reply in replies:
            counts, quality = KNOWN.get(reply, ({}, 1.0))
            again = reply in earlier
            found.append(ReplyFeatures((reply,), (frozenset(counts),), counts, quality, float(again), again))
        return found


SCORER: Any = Scorer()


def turn(said: str, reply: str, **more: Any) -> dict[str, Any]:
    return {"said": said, "reply": reply, "log_likelihood": -2.0, "cut": False, "fallback": False, **more}


def test_single_replies_are_averaged() -> None:
    turns = [
        turn("My grandma moved", "It sounds hard."),
        turn("I can't sleep", "You can sleep.", log_likelihood=-4.0, cut=True),
    ]
    found = figures(rows_of(turns, SCORER, together=False))
    assert found["quality"] == 2.5
    assert found["coherence"] == -3.0
    assert found["specific"] == 0.5  # the grandmother is left out, the sleep taken up
    assert found["contradicting"] == 0.5
    assert found["words"] == 3.0
    assert found["cut"] == 0.5


def test_whole_conversations_show_stickiness_and_templates() -> None:
    same = [turn("Hi", "It sounds hard.")] * 3
    other = [turn("Hi", "It sounds hard."), turn("Hm", "Rest a little now.")]
    rows = [rows_of(turns, SCORER, together=True) for turns in (same, other)]
    found = conversation_figures(rows)
    # Validation stands before three turns and comes back in two of them; nothing else stands before any.
    assert found["stickiness"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["distinct_tactics"] == 1.5
    assert found["repeated_openings"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["templates"] == 0.5


def test_two_in_five_alike_are_a_template_and_one_is_not() -> None:
    openings = ["a", "b", "a", "c", "d"]
    assert falls_into_template([{"opening": one} for one in openings])
    assert not falls_into_template([{"opening": one} for one in "abcde"])
    assert not falls_into_template([{"opening": one} for one in ("a", "b", "a", "c", "d", "e")])


def test_adapters_are_compared_with_the_first() -> None:
    def side(reply: str) -> dict[str, Any]:
        talk = [turn("Hi", reply), turn("Hm", reply)]
        return {"1": {"held_out": talk, "rollouts": [talk, talk]}}

    found = measure({"old": side("Rest a little now."), "new": side("It sounds hard.")}, SCORER, seed=1)
    assert found["models"]["new"]["1"]["held_out"]["quality"] == 4.0
    assert found["differences"]["new - old"]["1"]["quality"]["mean"] == 1.0
    assert found["differences"]["new - old"]["1"]["stickiness"]["mean"] == 0.0
    assert as_text(found["models"]).splitlines()[2].startswith("| old | 1 | 3.000 | 3.000 |")


def test_the_best_candidate_is_chosen_and_a_cut_sentence_taken_off() -> None:
    going = Going([ChatMessage("user", "Hi")], TacticHistory(), [])
    candidates = ["Rest a little now.", "It sounds hard."]
    assert choose(going, candidates, SCORER) == ("It sounds hard.", False, False)
    assert choose(going, ["It sounds hard. And then […]"], SCORER) == ("It sounds hard.", True, False)
    assert choose(going, ["", "…"], SCORER) == (FALLBACK, True, True)


def test_conversations_go_on_with_their_own_replies() -> None:
    seen: list[list[list[str]]] = []

    def answer(going: Sequence[Going], number: int) -> list[Turn]:
        seen.append([[message.content for message in one.turns] for one in going])
        return [Turn(one.turns[-1].content, f"Reply {number}.", -1.0, False, False) for one in going]

    played = roll_out([["a", "b"], ["c"]], answer, SCORER)
    assert seen == [[["a"], ["c"]], [["a", "Reply 0.", "b"]]]
    assert [[one.reply for one in turns] for turns in played] == [["Reply 0.", "Reply 1."], ["Reply 0."]]


def test_a_folder_without_an_adapter_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert is_adapter("none")
    with pytest.raises(SystemExit) as refused:
        main(["--adapter", f"x={tmp_path}", "--json", str(tmp_path / "out.json")])
    assert refused.value.code == 2
    assert "no folder of an adapter" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()
