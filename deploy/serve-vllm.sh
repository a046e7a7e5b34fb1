#!/bin/sh
# Serves a chat checkpoint with vLLM as Hearken expects it; the same script runs on a bare GPU machine and in
# deploy/compose.yaml. Arguments are passed on to vLLM and win over what is set here.
#
#   VLLM_API_KEY   required: the key that Hearken sends (HEARKEN_MODEL__API_KEY)
#   VLLM_MODEL     checkpoint name or folder; default hongli-zhan/MINT-empathy-Qwen3-4B
#   VLLM_HOST      default 127.0.0.1. The key guards /v1 only and not the rest of the server, so listen on a
#                  private address and never on one that persons or the internet can reach.
#   VLLM_PORT      default 8000
#   VLLM_QUEUE     requests that may wait before the server answers "busy" (503); default 64
#   VLLM_CONTEXT   longest prompt and reply together, in tokens; default 16384
set -eu

: "${VLLM_API_KEY:?set VLLM_API_KEY to a long random text, and HEARKEN_MODEL__API_KEY to the same}"
model=${VLLM_MODEL:-hongli-zhan/MINT-empathy-Qwen3-4B}

# Checkpoints that think in Qwen3's tags: the reasoning arrives apart from the reply and is never shown.
# MindChat writes tags of its own, which Hearken parses itself.
case "$model" in
  *MindChat*) parser= ;;
  *) parser="--reasoning-parser=qwen3" ;;
esac

# shellcheck disable=SC2086  # $parser is one word or none
exec "${PYTHON:-python3}" -m vllm.entrypoints.openai.api_server \
  --model "$model" \
  --host "${VLLM_HOST:-127.0.0.1}" \
  --port "${VLLM_PORT:-8000}" \
  --api-key "$VLLM_API_KEY" \
  --max-model-len "${VLLM_CONTEXT:-16384}" \
  --max-num-queued-reqs "${VLLM_QUEUE:-64}" \
  --no-enable-log-requests \
  $parser "$@"
