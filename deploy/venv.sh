#!/bin/sh
# Makes the virtual environment FOLDER, or says in one line what this machine lacks.
set -eu
folder=$1

if [ -z "${PYTHON:-}" ]; then
  echo "No Python found: Hearken needs Python 3.11 or newer." >&2
  exit 1
fi

# Debian ships venv apart; root on a fresh machine should not have to know that.
if ! "$PYTHON" -c 'import ensurepip' 2>/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  version=$("$PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  echo "Installing Debian's python$version-venv"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "python$version-venv" >/dev/null
fi

"$PYTHON" -m app.preflight .
echo "First start: this installs about 2.5 GB into $folder and takes 3 to 10 minutes; later starts skip it."
echo "1/4 Virtual environment"
if ! "$folder/bin/python" -c 'import sys' 2>/dev/null; then
  rm -rf "$folder"
  "$PYTHON" -m venv "$folder"
fi
"$folder/bin/python" -m pip --disable-pip-version-check install --quiet -c requirements/constraints.txt pip setuptools
