from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from app.chat.prompt import fit_to_context
from models.chat_model import ChatMessage


def words(messages: Sequence[ChatMessage]) -> int:
    return sum(len(message.content.split()) + 1 for message in messages)


SYSTEM = ChatMessage("system", "be kind")


def turn(role: str, text: str) -> ChatMessage:
    return ChatMessage("user" if role == "user" else "assistant", text)


def test_everything_stays_when_it_fits() -> None:
    prompt = [SYSTEM, turn("user", "a b"), turn("assistant", "c"), turn("user", "d")]
    assert fit_to_context(prompt, words, 100) == prompt


def test_oldest_turns_go_first_and_the_first_kept_turn_is_the_persons() -> None:
    prompt = [SYSTEM, turn("user", "one two"), turn("assistant", "three"), turn("user", "four")]
    # 3 (system) + 2 (four) + 2 (three) fit into 7, but a prompt must not begin with a reply.
    assert fit_to_context(prompt, words, 7) == [SYSTEM, turn("user", "four")]


def test_a_message_too_long_on_its_own_keeps_both_ends() -> None:
    long = "start " + "word " * 500 + "end"
    (message,) = fit_to_context([turn("user", long)], words, 40)
    assert message.content.startswith("start")
    assert message.content.endswith("end")
    assert words([message]) <= 40


@given(
    st.lists(st.text(alphabet="ab ", min_size=1, max_size=60), min_size=1, max_size=12),
    st.integers(min_value=12, max_value=80),
)
def test_the_newest_message_always_survives_and_the_budget_holds(texts: list[str], budget: int) -> None:
    turns = [turn("user" if index % 2 == 0 else "assistant", text) for index, text in enumerate(texts)]
    if turns[-1].role == "assistant":
        turns.pop()
    fitted = fit_to_context([SYSTEM, *turns], words, budget)
    assert fitted[0] == SYSTEM
    assert fitted[-1].role == "user"
    assert words(fitted) <= budget
