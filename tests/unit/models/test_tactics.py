from models.tactics import Tactic, certain, count_tactics, load_definitions


def test_there_are_ten_tactics() -> None:
    assert len(Tactic) == 10


def test_each_tactic_is_defined_in_english_and_chinese() -> None:
    assert all(d.text["en"] and d.text["zh"] for d in load_definitions().values())


def test_definitions_come_in_the_order_of_the_enum() -> None:
    assert list(load_definitions()) == list(Tactic)


def test_sentences_are_counted_not_mentions() -> None:
    tagged = [{Tactic.ADVICE, Tactic.VALIDATION}, {Tactic.ADVICE}, frozenset[Tactic]()]
    assert count_tactics(tagged) == {Tactic.ADVICE: 2, Tactic.VALIDATION: 1}


def test_absent_tactics_are_left_out() -> None:
    assert count_tactics([frozenset[Tactic]()]) == {}


def test_shares_are_shares() -> None:
    assert all(0.0 < d.chosen <= 1.0 for d in load_definitions().values())


def test_what_was_found_is_certain_and_zeros_are_left_out() -> None:
    assert certain({Tactic.ADVICE: 3, Tactic.VALIDATION: 0}) == {Tactic.ADVICE: 1.0}
