"""Samples replies for many conversations at once with the embedded model, for evaluations on few cores.

The app samples for one person at a time; sixty conversations one after the other would take hours. Here
the prompts of many conversations are computed in one padded batch, their keys and values are kept once for
all candidates of a conversation, and one step draws a token for every candidate. The distribution is that
of :class:`models.local_engine.LocalEngine`: weights, template, temperature, top-k, top-p, repetition penalty.
"""

import importlib
import time
from collections.abc import Sequence
from typing import Any

from models.chat_model import Candidate, ChatMessage, SamplingParams
from models.completion import parse_output
from models.local_engine import LocalEngine
from models.weights import Checkpoint

_MASKED = -1e4


class BatchSampler:
    """Draws candidates for several prompts in one go.

    Args:
        checkpoint: A loaded Llama-like model and its tokenizer.
        context_length: Most tokens of prompt and reply.
        params: How to sample; the temperature must be over 0.
        seed: Seed of the draws.
        most_rows: Candidates drawn at the same time.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        context_length: int,
        params: SamplingParams,
        *,
        seed: int = 0,
        most_rows: int = 240,
    ) -> None:
        if params.temperature <= 0:
            raise ValueError("the temperature must be over 0")
        self._torch: Any = importlib.import_module("torch")
        self._transformers: Any = importlib.import_module("transformers")
        self._model: Any = checkpoint.model
        self._tokenizer: Any = checkpoint.tokenizer
        self._engine = LocalEngine(checkpoint, context_length)
        self._params = params
        self._generator: Any = self._torch.Generator().manual_seed(seed)
        self._most_rows = most_rows
        self._ends = self._engine.ends
        self.steps = 0
        self.row_steps = 0

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Tokens of messages by the model's tokenizer."""
        return self._engine.count(messages)

    def sample(self, prompts: Sequence[Sequence[ChatMessage]], n: int) -> list[list[Candidate]]:
        """Draw ``n`` candidates for each prompt.

        Args:
            prompts: Whole prompts, system message first, cut to the context.
            n: Candidates of each.
        """
        ids = [self._engine.prompt(prompt, {}).ids for prompt in prompts]
        by_length = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        found: list[list[Candidate]] = [[] for _ in ids]
        size = max(self._most_rows // n, 1)
        for start in range(0, len(by_length), size):
            group = by_length[start : start + size]
            began = time.perf_counter()
            with self._torch.inference_mode():
                drawn = self._draw([ids[i] for i in group], n)
            seconds = (time.perf_counter() - began) / len(group)
            for place, index in enumerate(group):
                found[index] = [
                    self._candidate(row, len(ids[index]), seconds) for row in drawn[place * n : place * n + n]
                ]
        return found

    def _draw(self, ids: Sequence[Sequence[int]], n: int) -> list[list[int]]:
        """Tokens of ``n`` rows for each prompt, the end mark included."""
        torch = self._torch
        longest = max(map(len, ids))
        pad = min(self._ends)
        tokens = torch.tensor([[pad] * (longest - len(row)) + list(row) for row in ids])
        there = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in ids])
        logits, prefix = self._prefill(tokens, there)
        state = _State(torch, self._model, prefix, there, n, self._params.max_tokens)
        seen = self._seen(ids, logits.shape[-1]).repeat_interleave(n, 0)
        logits = logits.repeat_interleave(n, 0)
        rows = len(ids) * n
        done = torch.zeros(rows, dtype=torch.bool)
        ends = torch.tensor(sorted(self._ends))
        drawn: list[Any] = []
        for _ in range(self._params.max_tokens):
            chosen = self._pick(logits, seen)
            chosen = torch.where(done, ends[0], chosen)
            drawn.append(chosen)
            done = done | torch.isin(chosen, ends)
            self.steps += 1
            self.row_steps += rows
            if bool(done.all()):
                break
            seen.scatter_(1, chosen[:, None], True)
            logits = state.step(chosen)
        return [self._until_end(row) for row in torch.stack(drawn, 1).tolist()]

    def _prefill(self, tokens: Any, there: Any) -> tuple[Any, Any]:
        """Logits after the prompts and their keys and values by layer."""
        cache = self._transformers.DynamicCache(config=self._model.config)
        positions = (there.cumsum(1) - 1).clamp(min=0)
        output = self._model(
            input_ids=tokens,
            attention_mask=there,
            position_ids=positions,
            cache=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        return output.logits[:, -1].float(), [(layer.keys, layer.values) for layer in cache.layers]

    def _seen(self, ids: Sequence[Sequence[int]], size: int) -> Any:
        seen = self._torch.zeros(len(ids), size, dtype=self._torch.bool)
        for row, prompt in enumerate(ids):
            seen[row, self._torch.tensor(sorted(set(prompt)))] = True
        return seen

    def _pick(self, logits: Any, seen: Any) -> Any:
        """One token a row: repetition penalty, temperature, top-k, top-p, as Transformers' order is."""
        torch, params = self._torch, self._params
        if params.repetition_penalty != 1.0:
            punished = torch.where(
                logits > 0, logits / params.repetition_penalty, logits * params.repetition_penalty
            )
            logits = torch.where(seen, punished, logits)
        values, places = (logits / params.temperature).topk(params.top_k or logits.shape[-1], dim=-1)
        shares = values.softmax(-1)
        # A token stays while the mass before it has not reached top_p.
        shares = shares.masked_fill(shares.cumsum(-1) - shares >= params.top_p, 0.0)
        picked = torch.multinomial(shares, 1, generator=self._generator)
        return places.gather(1, picked)[:, 0]

    def _until_end(self, row: list[int]) -> list[int]:
        end = next((at for at, token in enumerate(row) if token in self._ends), None)
        return row if end is None else row[: end + 1]

    def _candidate(self, row: list[int], prompt_tokens: int, seconds: float) -> Candidate:
        whole = bool(row) and row[-1] in self._ends
        text = self._tokenizer.decode(row[:-1] if whole else row, skip_special_tokens=True)
        parsed = parse_output(text, "", cut=not whole, thinking=False)
        reason = "stop" if whole else "length"
        return Candidate(parsed.text, parsed.reasoning, reason, prompt_tokens, len(row), seconds)


class _State:
    """Keys and values: of a prompt once for all its candidates, and of each candidate's own tokens."""

    def __init__(self, torch: Any, model: Any, prefix: Any, there: Any, n: int, most: int) -> None:
        self._torch, self._model, self._prefix, self._n = torch, model, prefix, n
        config = model.config
        self._heads, self._shared = config.num_attention_heads, config.num_key_value_heads
        keys = prefix[0][0]
        prompts, _, self._length, self._width = keys.shape
        shape = (prompts * n, self._shared, most, self._width)
        self._own = [
            (torch.zeros(shape, dtype=keys.dtype), torch.zeros(shape, dtype=keys.dtype)) for _ in prefix
        ]
        self._mask = ((1 - there) * _MASKED)[:, None, None, :].float()
        self._positions = there.sum(1).repeat_interleave(n)
        self._at = 0

    def step(self, tokens: Any) -> Any:
        """Logits after one more token in each row."""
        base = self._model.model
        hidden = base.embed_tokens(tokens[:, None])
        cos, sin = base.rotary_emb(hidden, (self._positions + self._at)[:, None])
        for number, layer in enumerate(base.layers):
            hidden = hidden + self._attend(number, layer.self_attn, layer.input_layernorm(hidden), cos, sin)
            hidden = hidden + layer.mlp(layer.post_attention_layernorm(hidden))
        self._at += 1
        return self._model.lm_head(base.norm(hidden))[:, 0].float()

    def _attend(self, number: int, attention: Any, hidden: Any, cos: Any, sin: Any) -> Any:
        torch, rows = self._torch, hidden.shape[0]
        query = _rotated(torch, attention.q_proj(hidden).view(rows, self._heads, self._width), cos, sin)
        key = _rotated(torch, attention.k_proj(hidden).view(rows, self._shared, self._width), cos, sin)
        own_keys, own_values = self._own[number]
        own_keys[:, :, self._at] = key
        own_values[:, :, self._at] = attention.v_proj(hidden).view(rows, self._shared, self._width)
        upto, group = self._at + 1, self._heads // self._shared
        prompts = rows // self._n
        keys, values = self._prefix[number]
        # Rows of one prompt and heads of one key head stand side by side: one product for all of them.
        query = query.view(prompts, self._n, self._shared, group, self._width) * self._width**-0.5
        joint = query.transpose(1, 2).reshape(prompts, self._shared, self._n * group, self._width)
        before = (joint @ keys.transpose(2, 3)).float() + self._mask
        before = before.view(prompts, self._shared, self._n, group, self._length).transpose(1, 2)
        before = before.reshape(rows, self._shared, group, self._length)
        alone = query.reshape(rows, self._shared, group, self._width)
        after = (alone @ own_keys[:, :, :upto].transpose(2, 3)).float()
        shares = torch.cat([before, after], -1).softmax(-1).to(hidden.dtype)
        first, second = shares[..., : self._length], shares[..., self._length :]
        first = first.view(prompts, self._n, self._shared, group, self._length).transpose(1, 2)
        first = first.reshape(prompts, self._shared, self._n * group, self._length) @ values
        first = first.view(prompts, self._shared, self._n, group, self._width).transpose(1, 2)
        mixed = first.reshape(rows, self._shared, group, self._width) + second @ own_values[:, :, :upto]
        return attention.o_proj(mixed.reshape(rows, 1, self._heads * self._width))


def _rotated(torch: Any, vectors: Any, cos: Any, sin: Any) -> Any:
    half = vectors.shape[-1] // 2
    turned = torch.cat([-vectors[..., half:], vectors[..., :half]], -1)
    return vectors * cos + turned * sin
