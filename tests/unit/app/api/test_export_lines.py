import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.export_lines import csv_lines, dpo_lines, kto_lines, pseudonym
from app.db.export_records import LabelledReply, PreferencePair

PROMPT = ({"role": "user", "content": "我很难过\u2028“今天”"},)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+49", "-x", "@SUM(A1)", "\t=1", "  =1", "\n=1", "\r=cmd", "＝1", "－1", '=HYPERLINK("x")'],
)
def test_text_that_a_spreadsheet_could_run_is_marked_as_text(cell: str) -> None:
    assert read(csv_lines([[cell]]))[0][0].startswith("'")


def test_numbers_stay_numbers_even_below_zero() -> None:
    assert csv_lines([[-1, -0.5, True, None, 0]]) == "-1,-0.5,1,,0\r\n"


def test_quotes_commas_line_breaks_and_chinese_come_back_as_they_were() -> None:
    cells = ['she said "no", twice', "one\ntwo", "我睡不着；“真的”", "plain"]
    assert read(csv_lines([cells])) == [cells]


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), min_size=1, max_size=5))
def test_the_number_of_line_ends_is_the_number_of_rows(rows: list[list[str]]) -> None:
    written = csv_lines(rows)
    assert written.count("\r\n") == written.count("\r") == len(rows)


@given(st.text(), st.text())
def test_no_cell_begins_a_formula_and_no_other_character_is_lost(first: str, second: str) -> None:
    plain = first.replace("\r\n", "\n").replace("\r", "\n")
    cell, _ = read(csv_lines([[first, second]]))[0]
    assert cell in (plain, f"'{plain}")
    assert not cell.startswith(("=", "+", "-", "@", "\t"))


def test_a_labelled_reply_is_written_as_trl_reads_it() -> None:
    line = kto_lines([LabelledReply("s", "m", PROMPT, "我在听。", True)])
    assert line.count("\n") == 1
    assert line.splitlines() == [line.rstrip("\n")]
    assert json.loads(line) == {
        "prompt": [{"role": "user", "content": "我很难过\u2028“今天”"}],
        "completion": [{"role": "assistant", "content": "我在听。"}],
        "label": True,
        "session_id": "s",
        "message_id": "m",
    }


def test_a_pair_is_written_as_trl_reads_it() -> None:
    found = json.loads(dpo_lines([PreferencePair("s", "u", "c1", "c2", PROMPT, "good", "bad")]))
    assert (found["chosen"], found["rejected"]) == (
        [{"role": "assistant", "content": "good"}],
        [{"role": "assistant", "content": "bad"}],
    )
    assert (found["chosen_id"], found["rejected_id"]) == ("c1", "c2")


def test_a_pseudonym_is_stable_tells_the_kind_and_hides_the_id() -> None:
    rater = "staff:6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
    assert pseudonym(rater) == pseudonym(rater) != pseudonym(rater.replace("6f", "7f"))
    assert pseudonym(rater).startswith("staff-")
    assert "6f9619ff" not in pseudonym(rater)
