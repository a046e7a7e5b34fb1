"""Asks a server that speaks the OpenAI protocol and takes nothing but answers in a fixed form."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import openai
from openai.types.chat import ChatCompletion

from models.answer_form import is_answer, is_model_list
from models.server_address import is_internal

_THOUGHT = re.compile(r"^.*</think(?:ing)?>", re.DOTALL)
_CODE_FENCE = re.compile(r"^```(?:json)?\s*(.*?)\s*```$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that questions and answers cost, as the server counts them; 0 where it does not tell."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens
        )


class JudgeAnswerError(ValueError):
    """The server answered with something that is not in the form that was asked for.

    Attributes:
        code: ``empty``, ``refusal``, ``cut``, ``not_json`` or ``form``.
        usage: What the useless answer cost.
    """

    def __init__(self, code: str, usage: Usage | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.usage = usage or Usage()


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        system: Instructions.
        user: What is asked about; text of others in it is the asker's to neutralise.
        form: Name of the form of the answer.
        schema: JSON schema of the answer, an object.
        max_tokens: Most tokens of the answer.
    """

    system: str
    user: str
    form: str
    schema: Mapping[str, Any]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class FormAnswer:
    """An answer that is a JSON object; whether its values are right is for the asker to check."""

    values: dict[str, Any]
    usage: Usage


class JudgeServer:
    """One server and one model on it.

    Args:
        url: Address ending in ``/v1``.
        api_key: Key of the server, if it needs one.
        model: Served model; ``None`` asks the server for its first.
        timeout_s: Seconds after which an answer comes too late.
        retries: How often a lost connection, a silence or a server's error is tried again.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        model: str | None = None,
        timeout_s: float = 60.0,
        retries: int = 0,
    ) -> None:
        self._client = openai.AsyncOpenAI(
            base_url=url,
            api_key=api_key or "none",
            timeout=timeout_s,
            max_retries=retries,
            # Internal addresses are no business of a proxy, and a redirect could carry the key elsewhere.
            http_client=openai.DefaultAsyncHttpx2Client(
                trust_env=not is_internal(url), follow_redirects=False
            ),
        )
        self._model = model
        self._without_thoughts: dict[str, Any] = {"chat_template_kwargs": {"enable_thinking": False}}

    async def ask(
        self, question: Question, *, temperature: float = 0.0, seed: int | None = None
    ) -> FormAnswer:
        """Ask once.

        Args:
            question: What is asked.
            temperature: 0 for the likeliest answer.
            seed: Sent only when it is not ``None``, since some servers can't take one.

        Raises:
            openai.OpenAIError: The server can't be reached, refuses or is too slow.
            JudgeAnswerError: The answer is no JSON object.
        """
        request: dict[str, Any] = {
            "model": await self.model(),
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.user},
            ],
            "temperature": temperature,
            "max_tokens": question.max_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": question.form, "strict": True, "schema": dict(question.schema)},
            },
        }
        if seed is not None:
            request["seed"] = seed
        return _form_answer(await self._send(request))

    async def model(self) -> str:
        """Name of the model that is asked.

        Raises:
            openai.OpenAIError: The server can't be asked for its models.
            JudgeAnswerError: It serves none.
        """
        if self._model is None:
            try:
                served = await self._client.models.list()
            except (ValueError, AttributeError):
                raise JudgeAnswerError("empty") from None
            if not is_model_list(served) or not served.data:
                raise JudgeAnswerError("empty")
            self._model = served.data[0].id
        return self._model

    async def close(self) -> None:
        """Close connections."""
        await self._client.close()

    async def _send(self, request: dict[str, Any]) -> ChatCompletion:
        try:
            return await self._client.chat.completions.create(
                **request, stream=False, extra_body=self._without_thoughts
            )
        except openai.BadRequestError as error:
            # Servers other than vLLM may know no such argument; the question itself is asked once more.
            if not self._without_thoughts or "chat_template_kwargs" not in str(error):
                raise
            self._without_thoughts = {}
            return await self._client.chat.completions.create(**request, stream=False)


def _form_answer(answer: ChatCompletion) -> FormAnswer:
    if not is_answer(answer):
        raise JudgeAnswerError("empty")
    usage = Usage()
    if answer.usage is not None:
        usage = Usage(answer.usage.prompt_tokens or 0, answer.usage.completion_tokens or 0)
    choice = answer.choices[0]
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise JudgeAnswerError("refusal", usage)
    text = _bare(choice.message.content or "")
    if not text:
        raise JudgeAnswerError("cut" if choice.finish_reason == "length" else "empty", usage)
    try:
        given: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise JudgeAnswerError("cut" if choice.finish_reason == "length" else "not_json", usage) from None
    if not isinstance(given, dict):
        raise JudgeAnswerError("form", usage)
    return FormAnswer(cast("dict[str, Any]", given), usage)


def _bare(content: str) -> str:
    """The answer without thoughts before it and without a code fence around it."""
    text = _THOUGHT.sub("", content).strip()
    fenced = _CODE_FENCE.match(text)
    return fenced[1] if fenced else text
