"""Whether a password is one of those that are tried first: common ones, and what is made of them.

The estimate is that of zxcvbn (D. L. Wheeler, USENIX Security 2016): 30,000 common passwords, words and
names, also reversed, repeated, with other characters in place of letters, runs of keys and dates.
"""

from zxcvbn import zxcvbn  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

LEAST_GUESSES = 1e8
"""zxcvbn's border to what can't be guessed online; attempts are few and locked besides."""
_READ = 72
"""Characters that are looked at: what begins so can't be easier to guess, and the time stays short."""


def is_common(password: str, *known: str) -> bool:
    """Whether a password would be guessed within :data:`LEAST_GUESSES` tries.

    Args:
        password: Of any length.
        known: Words that somebody who guesses knows, such as the user name.
    """
    inputs = [word for word in ("hearken", *known) if word]
    estimate = zxcvbn(password[:_READ], inputs, max_length=_READ)
    return float(estimate["guesses"]) < LEAST_GUESSES
