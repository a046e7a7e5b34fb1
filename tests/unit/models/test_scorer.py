from collections.abc import Sequence

import numpy as np

from models.chat_model import ChatMessage
from models.empathy import EmpathyScorer, last_user_text, quality_features
from models.encoder import CachedEncoder
from models.scorer import EARLIER_REPLIES, ReplyScorer
from models.tactics import Tactic
from models.tagger import TacticTagger, TaggedReply, read_reply
from tests.fakes.encoder import FakeEncoder
from tests.fakes.heads import quality_head, tactic_head

SAID = [ChatMessage("user", "I lost my job in May.")]
INPUTS = 8 + 8 + 20 + 13


def scorer(encoder: FakeEncoder, value: float = 4.0) -> ReplyScorer:
    cached = CachedEncoder(encoder)
    return ReplyScorer(
        TacticTagger(cached, tactic_head()), EmpathyScorer(cached, quality_head(value, INPUTS))
    )


def features_of(reply: str, said: str = "I lost my job in May.") -> np.ndarray:
    encoder = FakeEncoder()
    read = read_reply(tactic_head(), [reply], encoder.encode_sentences([[reply]])[0])
    return quality_features(said, encoder.encode([said])[0], read)


def test_sentences_tactics_and_counts_belong_together() -> None:
    found = scorer(FakeEncoder()).features(SAID, ["I hear you. What now?"])[0]
    assert found.sentences == ("I hear you.", "What now?")
    assert len(found.sentence_tactics) == 2
    assert found.counts[Tactic.VALIDATION] == 2


def test_quality_is_the_heads_last_output() -> None:
    assert scorer(FakeEncoder(), 3.25).features(SAID, ["I hear you."])[0].quality == 3.25


def test_quality_stays_between_one_and_five() -> None:
    assert scorer(FakeEncoder(), 9.0).features(SAID, ["I hear you."])[0].quality == 5.0
    assert scorer(FakeEncoder(), -9.0).features(SAID, ["I hear you."])[0].quality == 1.0


def test_an_empty_reply_has_the_lowest_quality() -> None:
    assert scorer(FakeEncoder(), 4.0).features(SAID, [""])[0].quality == 1.0


def test_no_replies_no_features() -> None:
    assert scorer(FakeEncoder()).features(SAID, []) == []


def test_a_conversation_without_a_user_message_can_be_scored() -> None:
    assert len(scorer(FakeEncoder()).features([], ["I hear you."])) == 1


def test_only_candidates_the_last_message_and_the_last_replies_are_embedded() -> None:
    encoder = FakeEncoder()
    context = [ChatMessage("user", f"message {n}") for n in range(400)]
    earlier = [f"reply number {n} was here" for n in range(200)]
    scorer(encoder).features(context, ["I hear you.", "What now?"], earlier)
    replies = [(text,) for text in (*earlier[-EARLIER_REPLIES:], "I hear you.", "What now?", "message 399")]
    assert sorted(encoder.asked) == sorted(replies)


def test_a_repeated_opening_is_found() -> None:
    found = scorer(FakeEncoder()).features(
        SAID, ["It sounds like a lot.", "That is a lot."], ["It sounds like you care."]
    )
    assert [one.repeated_opening for one in found] == [True, False]


def test_replies_before_the_last_few_do_not_count() -> None:
    earlier = [
        "I hear you very well today.",
        *[f"{n} something else entirely {n}" for n in range(EARLIER_REPLIES)],
    ]
    found = scorer(FakeEncoder()).features(SAID, ["I hear you very well today."], earlier)[0]
    assert (found.similarity, found.repeated_opening) == (0.0, False)


def test_repeated_wording_is_measured() -> None:
    found = scorer(FakeEncoder()).features(SAID, ["I hear you very well."], ["I hear you very well."])[0]
    assert found.similarity > 0.99


def test_the_last_user_message_is_what_is_answered() -> None:
    context = [ChatMessage("user", "a"), ChatMessage("user", "b"), ChatMessage("assistant", "c")]
    assert last_user_text(context) == "b"


def test_words_of_the_person_are_counted() -> None:
    # Of "lost" and "may"/"job" (four letters or more, numbers): only "lost" counts, and it comes back.
    overlap, copied = features_of("You lost something.")[-5:-3]
    assert overlap == 1.0
    assert copied == np.float32(0.5)


def test_length_beyond_a_limit_is_not_seen() -> None:
    long, longer = features_of("word " * 300), features_of("word " * 600)
    assert long[36] == longer[36]


class TellsByLength(TacticTagger):
    """Advice is likelier the more sentences there are."""

    def __init__(self) -> None:
        super().__init__(FakeEncoder(), tactic_head())

    def read_all(self, replies: Sequence[Sequence[str]]) -> list[TaggedReply]:
        return [TaggedReply((frozenset(),) * len(one), {Tactic.ADVICE: len(one) / 10}) for one in replies]


def test_the_last_reply_is_read_again_for_how_likely_it_did_what() -> None:
    cached = CachedEncoder(FakeEncoder())
    tells = ReplyScorer(
        TacticTagger(cached, tactic_head()), EmpathyScorer(cached, quality_head(4.0, INPUTS)), TellsByLength()
    )
    first = tells.features(SAID, ["One.", "One. Two."])
    later = tells.features(SAID, ["One.", "One. Two."], ["Five. At. Once. Of. These.", "And. Three. Here."])
    assert [one.previous for one in first] == [None, None]
    assert [one.chances for one in later] == [{Tactic.ADVICE: 0.1}, {Tactic.ADVICE: 0.2}]
    assert [one.previous for one in later] == [{Tactic.ADVICE: 0.3}, {Tactic.ADVICE: 0.3}]


class AlwaysAsks:
    """Names one strategy for every reply and remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[Sequence[ChatMessage], int]] = []

    def read(self, replies: Sequence[str], context: Sequence[ChatMessage], earlier: int) -> list[str]:
        self.told.append((context, earlier))
        return ["Question"] * len(replies)


def test_strategies_are_read_only_where_they_are_wanted() -> None:
    assert scorer(FakeEncoder()).features(SAID, ["I hear you."])[0].strategy is None
    cached, reader = CachedEncoder(FakeEncoder()), AlwaysAsks()
    asking = ReplyScorer(
        TacticTagger(cached, tactic_head()),
        EmpathyScorer(cached, quality_head(4.0, INPUTS)),
        strategies=reader,
    )
    found = asking.features(SAID, ["What now?", "And then?"], ["I hear you."])
    assert [one.strategy for one in found] == ["Question", "Question"]
    assert reader.told == [(SAID, 1)]


def invented(replies: Sequence[str], context: Sequence[ChatMessage] = SAID, *facts: str) -> list[float]:
    found = scorer(FakeEncoder()).features(context, replies, (), facts)
    return [one.failures.invented for one in found]


def test_what_was_never_told_is_found_without_checks_that_were_learned() -> None:
    replies = ["Since May you have no job.", "Your wife must worry.", "Your wife and your dog must worry."]
    assert invented(replies) == [0.0, 0.5, 1.0]


def test_what_is_remembered_or_was_asked_in_the_reply_before_is_told() -> None:
    assert invented(["Your wife must worry."], SAID, "my wife Ana") == [0.0]
    asked = [*SAID, ChatMessage("assistant", "Does your wife know?"), ChatMessage("user", "Yes.")]
    assert invented(["Your wife knows."], asked) == [0.0]
    stated = [*SAID, ChatMessage("assistant", "Your wife knows."), ChatMessage("user", "Hm.")]
    assert invented(["Your wife knows."], stated) == [0.5]


def test_where_nothing_was_told_nothing_is_invented() -> None:
    assert invented(["Your wife must worry."], []) == [0.0]
