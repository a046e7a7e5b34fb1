import pytest

from models.chat_model import SamplingParams
from models.profiles import load_profiles, profile_for_model


@pytest.mark.parametrize("key", list(load_profiles()))
def test_every_profile_has_valid_sampling_defaults(key: str) -> None:
    profile = load_profiles()[key]
    params = SamplingParams.of(profile)
    assert params.max_tokens == profile.max_reply_tokens < profile.context_length


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("hongli-zhan/MINT-empathy-Qwen3-4B", "mint-4b"),
        ("/models/mint-empathy-qwen3-1.7b/", "mint-1.7b"),
        ("MindChat-R0", "mindchat-r0"),
        ("Qwen/Qwen3-4B", "qwen3"),
        ("hearken-embedded", "embedded"),
    ],
)
def test_a_served_name_finds_its_profile(name: str, key: str) -> None:
    profile = profile_for_model(name)
    assert profile is not None
    assert profile.key == key


def test_an_unknown_name_has_no_profile() -> None:
    assert profile_for_model("somebody/else") is None


def test_no_name_belongs_to_two_profiles() -> None:
    names = [name for profile in load_profiles().values() for name in profile.model_ids]
    assert len(names) == len(set(names))
